// Two built daemons on one database for as long as told, at fifty times their usual schedule, while the
// account evolves, the service fails, lies, breaks its answers, refuses a rate and goes away, PostgreSQL is
// stopped, killed, frozen and slow, and the lease changes hands: memory, handles, connections, lag and the
// size of each table level out, nothing is unhandled, and in the end the mirror is the truth. SOAK_SECONDS
// is the length, SOAK_SAMPLES a file to which each sample is written as it is taken, CRASH_SEED draws the
// run again; npm run test:soak:daemon is the long form.
import { appendFileSync } from 'node:fs';
import { expect, onTestFailed } from 'vitest';
import { breakAnswers, breakings } from '../../support/broken-answers.ts';
import { startDaemon, stopGracefully } from '../../support/daemon.ts';
import { longTest } from '../../support/form.ts';
import { openRestartingPostgres } from '../../support/restarting-postgres.ts';
import { waitFor } from '../../support/wait-for.ts';
import { expectTruth, finishing, pause, seededRandom, serveEvolving } from '../crash/evolving.ts';
import { databaseFigures, processFigures, type Sample } from './figures.ts';
import { expectBounded, expectLevel, summaryOf } from './level.ts';
import { kindsOfTrouble, patient, type Scene, trouble } from './troubles.ts';

const seconds = Number(process.env['SOAK_SECONDS'] ?? 90);
/** Over hours the account evolves as time does; in minutes it hurries. */
const isHours = seconds >= 3_600;
const sampleEveryMs = Math.max(500, seconds * 2);
const troubleEveryMs = Math.max(Math.min(10_000, (seconds * 1000) / 6), seconds * 8);

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
  CUSTODY_PAGE_SIZE: isHours ? '100' : '20',
  CUSTODY_RATE_LIMIT: 'auto',
  CUSTODY_TIMEOUT_MS: '1000',
  LEASE_TTL_MS: '10000',
  // Little room, and garbage that is collected all the time, so that what stays shows early.
  NODE_OPTIONS: `--max-old-space-size=96 --max-semi-space-size=2 --import ${new URL('collect.mjs', import.meta.url).href}`,
};

longTest(
  `two daemons stay within their bounds over ${seconds} s of faults, refused rates, restarts and changes of the lease`,
  async () => {
    const scene = await begin();
    const { database, service, steady } = scene;
    const samples: Sample[] = [];
    const began = performance.now();
    let troubles = 0;
    for (;;) {
      const passed = performance.now() - began;
      if (passed > seconds * 1000) break;
      let event: string | null = null;
      if (passed > (troubles + 1) * troubleEveryMs) {
        event = await trouble(scene, troubles);
        troubles += 1;
      }
      await pause(sampleEveryMs);
      samples.push(await sampleOf(scene, { seconds: Math.round(passed / 1000), event }));
    }
    process.stdout.write(`${JSON.stringify({ troubles, ...summaryOf(samples) }, null, 2)}\n`);
    // In the first third of a short run, caches fill.
    expectLevel(samples, isHours ? 'first' : 'middle');
    expectBounded(samples);
    expect(troubles).toBeGreaterThanOrEqual(Math.min(kindsOfTrouble, seconds / 30));
    expect(Object.keys(service.sandbox.faults.counts()).length).toBeGreaterThan(5);

    service.settle();
    for (const daemon of [steady, scene.other]) {
      const isReady = async () => (await daemon.get('/readyz')).status === 200;
      await waitFor(isReady, { what: 'a daemon that is ready', ...patient });
      await stopGracefully(daemon);
      expectCalm(daemon);
    }
    // Below the limit of the service: a rate that was learned among faults may be too slow for a sweep in
    // every ten seconds.
    const last = await startDaemon(service, database, { ...finishing, CUSTODY_RATE_LIMIT: '30' }, patient);
    await expectTruth(database, service, patient.deadlineMs);
    await stopGracefully(last);
  },
  seconds * 1000 + 600_000,
);

async function begin(): Promise<Scene> {
  const random = seededRandom('soak');
  const stepEveryMs = isHours ? 1_000 : 120;
  const [service, database] = await Promise.all([
    serveEvolving(random.below(1_000), { newPerMinute: 20, rate: 40 }, stepEveryMs),
    // What was vacuumed is used again; more often than usual, as everything here.
    openRestartingPostgres({ autovacuum_naptime: '2s', autovacuum_vacuum_cost_delay: '0' }),
  ]);
  const broken = Object.values(breakings);
  let breaks = 0.02;
  const front = await breakAnswers(service.url, () => (random.chance(breaks) ? random.pick(broken) : null));
  const settle = () => {
    breaks = 0;
    service.settle();
  };
  const start = () => startDaemon(front, database, fiftyfold, patient);
  const scene: Scene = {
    random,
    service: { ...service, url: front.url, settle },
    database,
    steady: await start(),
    other: await start(),
    async startOther() {
      expectCalm(scene.other);
      return await start();
    },
  };
  onTestFailed(() => {
    for (const daemon of [scene.steady, scene.other])
      process.stdout.write(`--- ${daemon.pid}\n${daemon.stderr().slice(-8_000)}\n`);
  });
  return scene;
}

async function sampleOf(
  { steady, other, database }: Scene,
  at: Pick<Sample, 'seconds' | 'event'>,
): Promise<Sample> {
  const sample = {
    ...at,
    steady: await processFigures(steady),
    other: await processFigures(other),
    database: await databaseFigures(database),
  };
  const file = process.env['SOAK_SAMPLES'];
  if (file) appendFileSync(file, `${JSON.stringify(sample)}\n`);
  return sample;
}

function expectCalm(daemon: Pick<Scene['steady'], 'stderr' | 'stdout'>): void {
  expect(daemon.stderr() + daemon.stdout()).not.toMatch(
    /unhandled|uncaught|MaxListenersExceeded|out of memory/i,
  );
}
