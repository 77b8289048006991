// PostgreSQL is killed at random moments while a daemon writes to it, and started again on its data. The
// daemon stays, comes back by itself, and nothing that was committed is lost or written twice.
// CRASH_DATABASE_KILLS is the number of kills, CRASH_SEED draws the moments again; npm run test:crash is the
// long form.
import { expect } from 'vitest';
import { stopGracefully } from '../../support/daemon.ts';
import { longTest, sized } from '../../support/form.ts';
import { openRestartingPostgres } from '../../support/restarting-postgres.ts';
import { waitFor } from '../../support/wait-for.ts';
import {
  beginDaemon,
  expectTruth,
  finishing,
  pause,
  type Queryable,
  seededRandom,
  serveEvolving,
} from './evolving.ts';

const kills = sized({ short: 2, long: 6 }, 'CRASH_DATABASE_KILLS');

longTest(
  `a database that is killed ${kills} times under a daemon loses nothing and doubles nothing`,
  async () => {
    const random = seededRandom('postgres');
    const service = await serveEvolving(random.below(1_000));
    const database = await openRestartingPostgres();
    const daemon = beginDaemon(service, database);
    await daemon.output(/"msg":"lease acquired"/);
    for (let kill = 0; kill < kills; kill += 1) {
      await pause(random.below(1_500));
      database.kill();
      await pause(random.below(500));
      await database.start();
      // Every other time the next kill does not wait until the daemon is at work again.
      if (kill % 2 === 1) await expectWork(database);
    }
    await expectWork(database);
    await stopGracefully(daemon);
    expect(daemon.stderr() + daemon.stdout()).not.toMatch(/unhandled|uncaught/i);
    service.settle();
    const last = beginDaemon(service, database, finishing);
    await expectTruth(database, service);
    await stopGracefully(last);
    expect(await database.query("select 1 from sync.runs where status = 'running'")).toEqual([]);
  },
  90_000 + kills * 15_000,
);

/** Waits for a run that began from now on and came to its end. */
async function expectWork({ query }: Queryable): Promise<void> {
  const [before] = await query<{ id: string }>('select coalesce(max(run_id), 0) as id from sync.runs');
  const ended = async () => {
    const sql = "select 1 from sync.runs where run_id > $1 and status = 'succeeded' limit 1";
    return (await query(sql, [before?.id])).length > 0;
  };
  await waitFor(ended, { what: 'the daemon to be at work again' });
}
