// The daemon is asked to stop at random moments: while it starts, connects and migrates, in the middle of a
// sweep and of a commit, idle, and while the database or the service does not answer. Each time it ends
// within ten seconds with code 0, gives the lease back where it can, leaves no run open, and the next one
// goes on. CRASH_STOPS is the number of stops, CRASH_SEED draws the moments again; npm run test:crash is the
// long form.
import pg from 'pg';
import { expect } from 'vitest';
import { expireLease, leaseHolder, stopGracefully } from '../../support/daemon.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { longTest, sized } from '../../support/form.ts';
import { type Gate, openGate } from '../../support/gate.ts';
import type { TestProcess } from '../../support/process.ts';
import { waitFor } from '../../support/wait-for.ts';
import {
  beginDaemon,
  type EvolvingService,
  expectTruth,
  finishing,
  pause,
  runningRuns,
  seededRandom,
  serveEvolving,
} from './evolving.ts';

const stops = sized({ short: 3, long: 24 }, 'CRASH_STOPS');

interface Scene {
  readonly service: EvolvingService;
  readonly database: TestDatabase;
  readonly gate: Gate;
  /** Draws a length of time below the bound and lets it pass. */
  pauseBelow(ms: number): Promise<void>;
}

/** Brings a daemon to the moment at which it is to be stopped. */
type Moment = (scene: Scene) => Promise<Reached>;

interface Reached {
  readonly daemon: TestProcess;
  /** The database it mirrors to, unless it is the scene's. */
  readonly database?: TestDatabase;
  /** Sets right what keeps the next one from its work. */
  readonly undo?: () => Promise<void> | void;
  /** The lease could not be given back and ends by itself. */
  readonly leaseLeft?: boolean;
}

/** A lease that is free after a stop was given back. */
const heldLong = { LEASE_TTL_MS: '60000' };
/** One that nobody can give back ends soon. */
const heldShortly = { LEASE_TTL_MS: '10000' };

/** As a scene's daemon, by way of the gate. */
function begin({ service, gate }: Scene, more: Readonly<Record<string, string>> = {}): TestProcess {
  return beginDaemon(service, { url: gate.url }, { ...heldLong, ...more });
}

async function atWork(scene: Scene, more: Readonly<Record<string, string>> = {}): Promise<TestProcess> {
  const daemon = begin(scene, more);
  await daemon.output(/"msg":"lease acquired"/);
  return daemon;
}

const moments: Readonly<Record<string, Moment>> = {
  async 'as soon as it hears signals'(scene) {
    const daemon = begin(scene, tellingTale);
    await daemon.output(/hears signals/, { intervalMs: 1 });
    return { daemon };
  },
  async 'somewhere in its start'(scene) {
    const daemon = begin(scene, tellingTale);
    await daemon.output(/hears signals/, { intervalMs: 1 });
    await scene.pauseBelow(1_500);
    return { daemon };
  },
  async 'while it connects to a database that does not answer'(scene) {
    scene.gate.set('hang');
    const before = scene.gate.arrivals;
    const daemon = begin(scene);
    await waitFor(() => scene.gate.arrivals > before, { what: 'a connection' });
    await scene.pauseBelow(300);
    return { daemon, undo: () => scene.gate.set('pass') };
  },
  async 'before the migrations, which another process keeps waiting'(scene) {
    const database = await testDatabase({ empty: true });
    const other = new pg.Client(database.url);
    await other.connect();
    // As store/migrate.ts begins.
    await other.query('begin; create schema drizzle');
    const daemon = beginDaemon(scene.service, database, heldLong);
    const waits = "select 1 from pg_locks where locktype = 'transactionid' and not granted";
    await waitFor(async () => (await database.query(waits)).length > 0, {
      what: 'a migration that waits',
    });
    await scene.pauseBelow(500);
    return {
      daemon,
      database,
      undo: () => other.end(),
    };
  },
  async 'while it migrates'(scene) {
    const database = await testDatabase({ empty: true });
    const daemon = beginDaemon(scene.service, database, heldLong);
    await waitFor(async () => (await sessions(database)) > 0, { what: 'a session' });
    await scene.pauseBelow(400);
    return { daemon, database };
  },
  async 'at work'(scene) {
    const daemon = await atWork(scene);
    await scene.pauseBelow(1_500);
    return { daemon };
  },
  async 'in the middle of a commit'(scene) {
    await scene.database.query(slowCommits);
    const daemon = await atWork(scene);
    const sleeping =
      "select 1 from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'";
    await waitFor(async () => (await scene.database.query(sleeping)).length > 0, {
      what: 'a commit under way',
    });
    await scene.pauseBelow(300);
    return {
      daemon,
      undo: () => scene.database.query('drop function audit_slowly cascade').then(() => undefined),
    };
  },
  async idle(scene) {
    const daemon = await atWork(scene, never);
    await waitFor(async () => (await runningRuns(scene.database)).length === 0);
    await scene.pauseBelow(500);
    return { daemon };
  },
  async 'while it stands by'(scene) {
    // Somebody else's, for longer than the stop takes.
    await scene.database.query(`
      insert into sync.leases (account_id, holder, token, acquired_at, expires_at)
      values ('default', 'somebody else', 1, now(), now() + interval '1 hour')
      on conflict (account_id) do update set holder = excluded.holder, expires_at = excluded.expires_at`);
    const daemon = begin(scene);
    await daemon.output(/"msg":"standing by while another process writes"/);
    await scene.pauseBelow(500);
    return {
      daemon,
      leaseLeft: true,
      undo: () => scene.database.query('update sync.leases set expires_at = now()').then(() => undefined),
    };
  },
  async 'after the database went away'(scene) {
    const daemon = await atWork(scene, heldShortly);
    await scene.pauseBelow(500);
    scene.gate.set('cut');
    await scene.pauseBelow(1_500);
    return { daemon, leaseLeft: true, undo: () => passAgain(scene) };
  },
  async 'while the database does not answer any more'(scene) {
    const daemon = await atWork(scene, heldShortly);
    await scene.pauseBelow(500);
    scene.gate.set('hang');
    await scene.pauseBelow(1_500);
    return { daemon, leaseLeft: true, undo: () => passAgain(scene) };
  },
  async 'while the service does not answer'(scene) {
    const undo = scene.service.hang();
    const daemon = await atWork(scene, { CUSTODY_TIMEOUT_MS: '60000' });
    await waitFor(() => scene.service.sandbox.requests.running > 0, {
      what: 'a request that hangs',
    });
    await scene.pauseBelow(500);
    return { daemon, undo };
  },
};

/** The lease was left to end by itself. */
async function passAgain({ gate, database }: Scene): Promise<void> {
  gate.set('pass');
  await expireLease(database);
}

const names = Object.keys(moments);

longTest(
  `a daemon that is asked to stop at ${stops} moments ends in time, and the next one goes on`,
  async () => {
    const random = seededRandom('stop');
    const [service, database] = await Promise.all([serveEvolving(random.below(1_000)), testDatabase()]);
    const gate = await openGate(database.url);
    const scene: Scene = { service, database, gate, pauseBelow: (ms) => pause(random.below(ms)) };
    const first = random.below(names.length);
    for (let stop = 0; stop < stops; stop += 1) {
      const name = names[(first + stop) % names.length] ?? '';
      const reached = await moments[name]?.(scene);
      if (reached === undefined) throw new Error('there are no moments');
      await expectStop(name, reached, scene);
    }
    service.settle();
    const last = begin(scene, finishing);
    await expectTruth(database, service);
    await stopGracefully(last);
    expect(await runningRuns(database)).toEqual([]);
  },
  90_000 + stops * 20_000,
);

async function expectStop(name: string, { daemon, ...reached }: Reached, scene: Scene): Promise<void> {
  const database = reached.database ?? scene.database;
  daemon.kill('SIGTERM');
  // Its promise; a process that outlives it is told with all it wrote.
  const exit = await daemon.exit(10_000).catch((error: unknown) => {
    throw new Error(`asked to stop ${name}: ${String(error)}`);
  });
  const told = daemon.stderr() + daemon.stdout();
  expect({ name, ...exit, told }).toEqual({ name, code: 0, signal: null, told });
  expect(told, name).toMatch(/"msg":"daemon stopped"/);
  expect(told, name).not.toMatch(/unhandled|uncaught/i);
  await reached.undo?.();
  if (!reached.leaseLeft && (await isMigrated(database))) {
    expect(await leaseHolder(database), name).toBeNull();
    expect(await runningRuns(database), name).toEqual([]);
  }
  if (reached.database === undefined) return;
  // The scene's own database shows in the next rounds that the next one goes on; another shows it here.
  const next = beginDaemon(scene.service, reached.database);
  await next.output(/"msg":"lease acquired"/);
  await stopGracefully(next);
  expect(await leaseHolder(reached.database), name).toBeNull();
}

/** Every job is so seldom due that none begins by itself; what was not brought to its end before does. */
const never = Object.fromEntries(
  ['TRANSACTIONS', 'BALANCES', 'DOCUMENTS', 'RECONCILE', 'MAINTENANCE'].map((job) => [
    `SCHEDULE_${job}`,
    '0 0 1 1 *',
  ]),
);

const slowCommits = `
  create function audit_slowly() returns trigger language plpgsql as $$ begin
    perform pg_sleep(0.1); return null; end $$;
  create trigger audit_slowly after insert or update on sync.runs for each statement execute function audit_slowly()`;

/**
 * Tells when the program begins to hear signals: before, the system ends a process that has done nothing yet.
 */
const tellingTale = {
  NODE_OPTIONS: `--import=data:text/javascript;base64,${Buffer.from(
    "process.on('newListener', (name) => name === 'SIGTERM' && process.stderr.write('hears signals\\n'))",
  ).toString('base64')}`,
};

async function sessions({ query }: TestDatabase): Promise<number> {
  const rows = await query(
    "select 1 from pg_stat_activity where datname = current_database() and application_name = 'custody-mirror'",
  );
  return rows.length;
}

async function isMigrated({ query }: TestDatabase): Promise<boolean> {
  return (await query("select 1 where to_regclass('sync.leases') is not null")).length > 0;
}
