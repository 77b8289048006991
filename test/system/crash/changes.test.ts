// A reader follows /api/v1/changes while the daemon that serves it is killed at random moments, and is killed
// itself: it forgets the answer that it had just got, and goes on from the place that it had kept. CRASH_SEED
// draws the moments again.
import { expect } from 'vitest';
import { expireLease, stopGracefully } from '../../support/daemon.ts';
import { testDatabase } from '../../support/database.ts';
import { longTest, sized } from '../../support/form.ts';
import { historyNumbers } from '../../support/histories.ts';
import type { TestProcess } from '../../support/process.ts';
import { beginDaemon, finishing, pause, seededRandom, serveEvolving } from './evolving.ts';

const kills = sized({ short: 2, long: 25 }, 'CRASH_KILLS');

interface Follower {
  /** What was worked off, in order, with the place, as one transaction would keep both. */
  readonly worked: number[];
  stop(): Promise<void>;
}

interface Page {
  readonly data: { readonly change_id: number }[];
  readonly next_after: number;
  /** Null before the first change. */
  readonly history: string | null;
}

/** @param urlOf where the daemon of the moment serves; null while none does */
function follow(urlOf: () => string | null, isKilled: () => boolean): Follower {
  const worked: number[] = [];
  let [place, stopped] = ['after=0', false];
  const following = (async () => {
    while (!stopped) {
      const url = urlOf();
      const answer =
        url === null ? null : await fetch(`${url}/api/v1/changes?${place}&limit=20&wait=1`).catch(() => null);
      const page = answer?.ok ? await answer.json().catch(() => null) : null;
      if (page === null) await pause(20);
      // It died before it had worked off the answer.
      else if (!isKilled()) {
        const { data, next_after, history } = page as Page;
        worked.push(...data.map((change) => change.change_id));
        place = `after=${next_after}${history === null ? '' : `&history=${history}`}`;
      }
    }
  })();
  return {
    worked,
    async stop() {
      stopped = true;
      await following;
    },
  };
}

longTest(
  `${kills} kills of both sides: who follows the changes misses none`,
  async () => {
    const random = seededRandom('changes');
    const [service, database] = await Promise.all([serveEvolving(random.below(1_000)), testDatabase()]);
    let daemon: TestProcess | null = null;
    const urlOf = () =>
      /"url":"(http:[^"]+)"[^\n]*"msg":"daemon started"/.exec(daemon?.stderr() ?? '')?.[1] ?? null;
    const follower = follow(urlOf, () => random.chance(0.3));
    for (let kill = 0; kill < kills; kill += 1) {
      const killed = beginDaemon(service, database);
      daemon = killed;
      await killed.output(/"msg":"lease acquired"/);
      await pause(300 + random.below(1_500));
      killed.kill('SIGKILL');
      await killed.exit();
      await expireLease(database);
    }
    service.settle();
    const last = beginDaemon(service, database, finishing);
    daemon = last;
    const all = () => historyNumbers(database);
    await last.output(/"msg":"lease acquired"/);
    // The whole list is in the mirror.
    await expect.poll(async () => (await all()).length).toBeGreaterThan(300);
    // The service rests, so that the last changes are few: the daemon serves until they were followed too.
    await expect.poll(async () => (await all()).at(-1) === follower.worked.at(-1)).toBe(true);
    await stopGracefully(last);
    await follower.stop();
    const rows = await all();
    // What the daemon committed on its way out nobody has read.
    const read = rows.filter((id) => id <= (follower.worked.at(-1) ?? 0));
    expect(follower.worked).toEqual(read);
    expect(rows.length - read.length).toBeLessThan(30);
    expect(read.length).toBeGreaterThan(300);
  },
  90_000 + kills * 8_000,
);
