// The daemon is killed at random moments, at start, in the middle of a sweep, between two jobs, and started
// again, while the service evolves and fails now and then. What it leaves is always a state from which the
// next one completes. CRASH_KILLS is the number of kills, CRASH_SEED draws the moments again; npm run
// test:crash is the long form.
import { expect } from 'vitest';
import { expireLease, stopGracefully } from '../../support/daemon.ts';
import { testDatabase } from '../../support/database.ts';
import { longTest, sized } from '../../support/form.ts';
import {
  beginDaemon,
  expectAbandoned,
  expectTruth,
  finishing,
  pause,
  runningRuns,
  seededRandom,
  serveEvolving,
} from './evolving.ts';

const kills = sized({ short: 2, long: 25 }, 'CRASH_KILLS');

longTest(
  `a daemon that is killed ${kills} times loses nothing and doubles nothing`,
  async () => {
    const random = seededRandom('daemon');
    const [service, database] = await Promise.all([serveEvolving(random.below(1_000)), testDatabase()]);
    const cutShort = new Set<string>();
    for (let kill = 0; kill < kills; kill += 1) {
      const daemon = beginDaemon(service, database);
      // Most are killed at work, the others at some point of their start.
      if (random.chance(0.8)) await daemon.output(/"msg":"lease acquired"/);
      await pause(random.below(900));
      daemon.kill('SIGKILL');
      expect(await daemon.exit()).toEqual({ code: null, signal: 'SIGKILL' });
      await expireLease(database);
      for (const run of await runningRuns(database)) cutShort.add(run);
    }
    service.settle();
    const last = beginDaemon(service, database, finishing);
    await expectTruth(database, service);
    await stopGracefully(last);
    await expectAbandoned(database, cutShort);
    // Of few kills none may have met a run.
    if (kills >= 10) expect(cutShort.size).toBeGreaterThan(0);
    expect(await runningRuns(database)).toEqual([]);
  },
  60_000 + kills * 8_000,
);
