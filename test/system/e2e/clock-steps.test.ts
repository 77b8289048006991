// The wall clock of a daemon is set back and forward: it goes on mirroring, and answers.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { serveSandbox } from '../../support/command.ts';
import { startDaemon, stopGracefully, untilWriter } from '../../support/daemon.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { newFolder } from '../../support/folder.ts';
import { longTest } from '../../support/form.ts';
import { waitFor } from '../../support/wait-for.ts';

const dayMs = 86_400_000;
const deadlineMs = 50_000;

function steppedClock(aheadMs: number) {
  const file = join(newFolder(), 'ahead');
  const set = (ms: number) => writeFileSync(file, String(Math.round(ms)));
  set(aheadMs);
  const preload = new URL('../../support/stepped-clock.mjs', import.meta.url).href;
  return { set, env: { NODE_OPTIONS: `--import=${preload}`, STEPPED_CLOCK: file } };
}

async function runs({ query }: TestDatabase): Promise<number> {
  const [row] = await query<{ runs: number }>(
    `select count(*)::int as runs from sync.runs where job = 'transactions' and status = 'succeeded'`,
  );
  return row?.runs ?? 0;
}

longTest(
  'a daemon whose clock is set back or forward, or that starts in 1970, goes on by its schedule',
  async () => {
    const [service, database] = await Promise.all([serveSandbox(), testDatabase()]);
    const clock = steppedClock(90_000_000 - Date.now());
    const daemon = await startDaemon(service, database, { ...clock.env, SCHEDULE_DOCUMENTS: '*/5 * * * *' });
    await untilWriter(database, daemon);
    await waitFor(async () => (await runs(database)) >= 2, { what: 'the first runs, in 1970', deadlineMs });
    const steps = [
      ['set to today', 0],
      ['set back a day', -dayMs],
      ['set back another minute', -dayMs - 60_000],
      ['set forward an hour', -dayMs + 3_540_000],
      ['set forward a year', 364 * dayMs],
    ] as const;
    for (const [what, aheadMs] of steps) {
      clock.set(aheadMs);
      daemon.kill('SIGUSR2');
      const before = await runs(database);
      await waitFor(async () => (await runs(database)) >= before + 2, {
        what: `runs of a clock ${what}`,
        deadlineMs,
      });
      expect(await daemon.get('/healthz'), what).toMatchObject({ status: 200 });
    }
    await stopGracefully(daemon);
  },
  180_000,
);
