// What befalls two daemons in a soak, one thing at a time: their database is stopped, killed, frozen or
// slow, the service goes away, and the lease changes hands. Invariant: when a trouble has ended, everything
// runs again.
import type { Random } from '../../../packages/sandbox/src/values/random.ts';
import { type Daemon, expireLease, leaseHolder, untilWriter } from '../../support/daemon.ts';
import type { RestartingPostgres } from '../../support/restarting-postgres.ts';
import { waitFor } from '../../support/wait-for.ts';
import { type EvolvingService, pause } from '../crash/evolving.ts';
import { processFigures } from './figures.ts';

export interface Scene {
  readonly random: Random;
  readonly service: EvolvingService;
  readonly database: RestartingPostgres;
  /** Is frozen at times, and never ends. */
  readonly steady: Daemon;
  /** Is killed or stopped, and started again. */
  other: Daemon;
  startOther(): Promise<Daemon>;
}

/** For a machine that is busy with something else. */
export const patient = { deadlineMs: 90_000, intervalMs: 100 };

const troubles: Readonly<Record<string, (scene: Scene) => Promise<void>>> = {
  'the database was killed': (scene) => withoutDatabase(scene, async () => scene.database.kill()),
  'the lease changed hands': changeHands,
  'the service was away': async ({ service, random }) => {
    const comeBack = await service.goAway();
    await pause(random.below(5_000));
    await comeBack();
  },
  'the database stood still': async ({ database, random }) => {
    const goOn = database.freeze();
    await pause(20_000 + random.below(5_000)).finally(goOn);
  },
  'the database was slow': slowDatabase,
  'the database was stopped': (scene) => withoutDatabase(scene, () => scene.database.stop()),
  'the lease changed hands again': changeHands,
};

export const kindsOfTrouble = Object.keys(troubles).length;

/** @returns what happened */
export async function trouble(scene: Scene, count: number): Promise<string> {
  const [what, happen] = Object.entries(troubles)[count % kindsOfTrouble] ?? [];
  if (what === undefined || happen === undefined) throw new Error('there are no troubles');
  await happen(scene);
  return what;
}

/** Each row of a transaction takes its time. */
async function slowDatabase({ database, random }: Scene): Promise<void> {
  await database.query(`create function public.slow() returns trigger language plpgsql as
    $$ begin perform pg_sleep(${random.below(60) / 1000}); return new; end $$`);
  await database.query(`create trigger slow before insert or update on custody.transactions
    for each row execute function public.slow()`);
  await pause(20_000);
  await database.query('drop function public.slow cascade');
}

async function withoutDatabase(
  { database, steady, other, random }: Scene,
  end: () => Promise<void>,
): Promise<void> {
  await end();
  await pause(random.below(2_000));
  // Whoever scrapes meanwhile is answered.
  await Promise.all([processFigures(steady), processFigures(other)]);
  await database.start();
}

/** Who writes ends, or is frozen for longer than its lease; the other goes on. */
async function changeHands(scene: Scene): Promise<void> {
  const { database, steady, random } = scene;
  const holder = await waitFor(() => leaseHolder(database), { what: 'a writer', ...patient });
  const { other } = scene;
  if (holder.split(':').includes(String(other.pid))) {
    other.kill(random.chance(0.5) ? 'SIGKILL' : 'SIGTERM');
    await other.exit(patient.deadlineMs);
    await expireLease(database);
    await untilWriter(database, steady, patient);
    scene.other = await scene.startOther();
  } else {
    steady.kill('SIGSTOP');
    await expireLease(database);
    await untilWriter(database, other, patient).finally(() => steady.kill('SIGCONT'));
  }
}
