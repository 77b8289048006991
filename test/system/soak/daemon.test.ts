// The built daemon for as long as told, at fifty times its usual schedule, while the service evolves, fails,
// lies and refuses a rate, and PostgreSQL is stopped and killed: it lives, nothing is unhandled, and memory,
// handles, connections and the size of the database level out. In the end the mirror is the truth.
// SOAK_SECONDS is the length, CRASH_SEED draws the service again; npm run test:soak:daemon is the long form.
import { expect } from 'vitest';
import { startDaemon, stopGracefully } from '../../support/daemon.ts';
import { longTest } from '../../support/form.ts';
import { openRestartingPostgres } from '../../support/restarting-postgres.ts';
import { waitFor } from '../../support/wait-for.ts';
import { expectTruth, finishing, pause, seededRandom, serveEvolving } from '../crash/evolving.ts';
import {
  type DatabaseFigures,
  databaseFigures,
  lowerQuartile,
  type ProcessFigures,
  processFigures,
  thirds,
} from './figures.ts';

const seconds = Number(process.env['SOAK_SECONDS'] ?? 90);
const sampleEveryMs = Math.max(250, seconds * 2);
const restartEveryMs = Math.max(Math.min(12_000, (seconds * 1000) / 3), seconds * 25);

/**
 * No schedule is finer than a second, which is thirty times as often as usual; the others are fifty times and
 * more.
 */
const fiftyfold = {
  SCHEDULE_TRANSACTIONS: '* * * * * *',
  SCHEDULE_BALANCES: '*/6 * * * * *',
  SCHEDULE_DOCUMENTS: '*/15 * * * * *',
  SCHEDULE_RECONCILE: '*/20 * * * * *',
  SCHEDULE_MAINTENANCE: '*/30 * * * * *',
  CUSTODY_PAGE_SIZE: '20',
  CUSTODY_RATE_LIMIT: 'auto',
  CUSTODY_TIMEOUT_MS: '1000',
  LEASE_TTL_MS: '3000',
  // Garbage is collected soon where there is little room, so that what stays shows early.
  NODE_OPTIONS: '--max-old-space-size=96 --max-semi-space-size=2',
};

const megabyte = 1024 * 1024;

longTest(
  `the daemon stays within its bounds over ${seconds} s of faults, refused rates and restarts of the database`,
  async () => {
    const random = seededRandom('soak');
    const [service, database] = await Promise.all([
      serveEvolving(random.below(1_000), { newPerMinute: 20, rate: 40 }),
      // What was vacuumed is used again; more often than usual, as everything here.
      openRestartingPostgres({ autovacuum_naptime: '2s', autovacuum_vacuum_cost_delay: '0' }),
    ]);
    const daemon = await startDaemon(service, database, fiftyfold);
    const ofProcess: ProcessFigures[] = [];
    const ofDatabase: DatabaseFigures[] = [];
    const until = performance.now() + seconds * 1000;
    let nextRestart = performance.now() + restartEveryMs;
    let restarts = 0;
    while (performance.now() < until) {
      await pause(sampleEveryMs);
      ofProcess.push(await processFigures(daemon));
      ofDatabase.push(await databaseFigures(database));
      if (performance.now() < nextRestart) continue;
      restarts += 1;
      if (random.chance(0.5)) database.kill();
      else await database.stop();
      await pause(random.below(2_000));
      // Whoever scrapes meanwhile is answered.
      ofProcess.push(await processFigures(daemon));
      await database.start();
      nextRestart = performance.now() + restartEveryMs;
    }
    expect(restarts).toBeGreaterThan(0);
    process.stdout.write(`${JSON.stringify({ restarts, ...summaryOf(ofProcess, ofDatabase) })}\n`);
    expectLevel(ofProcess);
    expectBounded(ofProcess, ofDatabase);

    const text = daemon.stderr() + daemon.stdout();
    expect(text).not.toMatch(/unhandled|uncaught|MaxListenersExceeded|out of memory/i);
    expect(Object.keys(service.sandbox.faults.counts()).length).toBeGreaterThan(5);
    service.settle();
    await waitFor(async () => (await daemon.get('/readyz')).status === 200, {
      what: 'a daemon that is ready',
      deadlineMs: 40_000,
    });
    await stopGracefully(daemon);
    // Below the limit of the service: a rate that was learned among faults may be too slow for a sweep in
    // every ten seconds.
    const last = await startDaemon(service, database, { ...finishing, CUSTODY_RATE_LIMIT: '30' });
    await expectTruth(database, service);
    await stopGracefully(last);
  },
  seconds * 1000 + 240_000,
);

/** What is held in the last third is about what was held in the middle one. */
function expectLevel(figures: readonly ProcessFigures[]): void {
  const { middle, last } = thirds(figures);
  const room = { heapBytes: 8 * megabyte, residentBytes: 24 * megabyte, handles: 8, openFiles: 8 } as const;
  for (const [name, more] of Object.entries(room)) {
    const of = (some: readonly ProcessFigures[]) =>
      lowerQuartile(some.map((figure) => Number(Object.entries(figure).find(([key]) => key === name)?.[1])));
    expect(of(last), `${name} goes on growing`).toBeLessThanOrEqual(of(middle) * 1.15 + more);
  }
}

/** Of each pool: of the mirror's own work, of the read API, and of the lookup of its keys. */
const mostConnections: Readonly<Record<string, number>> = { mirror: 5, api: 4, keys: 2 };

function expectBounded(ofProcess: readonly ProcessFigures[], ofDatabase: readonly DatabaseFigures[]): void {
  for (const { connections } of ofProcess) {
    expect([...connections.keys()]).toEqual(expect.arrayContaining(Object.keys(mostConnections)));
    for (const [pool, count] of connections)
      expect(count, `connections of the pool ${pool}`).toBeLessThanOrEqual(mostConnections[pool] ?? 0);
  }
  for (const { sessions } of ofDatabase) expect(sessions).toBeLessThanOrEqual(5);
  const { middle, last } = thirds(ofDatabase);
  const [before, after] = [middle.at(-1), last.at(-1)];
  if (before === undefined || after === undefined) throw new Error('nothing was measured');
  // Histories and runs are rows that stay; beyond them nothing does.
  const room = 6 * megabyte + 4_096 * (after.rows - before.rows);
  expect(after.bytes - before.bytes, 'the database grows beyond its rows').toBeLessThanOrEqual(room);
}

function summaryOf(ofProcess: readonly ProcessFigures[], ofDatabase: readonly DatabaseFigures[]) {
  const { middle, last } = thirds(ofProcess);
  const told = (some: readonly ProcessFigures[]) => ({
    heap: Math.round(lowerQuartile(some.map((figure) => figure.heapBytes)) / megabyte),
    resident: Math.round(lowerQuartile(some.map((figure) => figure.residentBytes)) / megabyte),
    handles: lowerQuartile(some.map((figure) => figure.handles)),
    files: lowerQuartile(some.map((figure) => figure.openFiles)),
  });
  const database = thirds(ofDatabase);
  return { middle: told(middle), last: told(last), database: [database.middle.at(-1), database.last.at(-1)] };
}
