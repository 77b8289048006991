// A PostgreSQL whose clock is wrong by an hour, a day or a year, ahead or behind, and is set right. At each
// step another process takes over, and the one before is not heard of again. The clock is that of the server
// process: the library that test:dates uses tells it the time.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readStatus } from '../../../src/store/job-queries/status.ts';
import { migrate } from '../../../src/store/schema/migrate.ts';
import { newFolder } from '../../support/folder.ts';
import { openRestartingPostgres } from '../../support/restarting-postgres.ts';
import { open } from '../../support/store.ts';
import {
  changeAll,
  expectInOrder,
  mirrorAll,
  openSuccession,
  type Succession,
} from '../../support/takeover.ts';

// The server is another user's where the tests are root's.
const library = join(newFolder(0o755), 'clock.so');
const source = fileURLToPath(new URL('../../../scripts/shifted-clock.c', import.meta.url));
const isCompiled =
  process.platform === 'linux' &&
  spawnSync('cc', ['-O2', '-shared', '-fPIC', '-o', library, source]).status === 0;

const hour = 3_600_000;
const wrong = [1, 24, 365 * 24].flatMap((hours) => [hours * hour, -hours * hour]);

/** What is started meanwhile takes the time to be so much later. */
async function shiftedBy(ms: number, start: () => Promise<void>): Promise<void> {
  const before = { LD_PRELOAD: process.env['LD_PRELOAD'], CLOCK_SHIFT_MS: process.env['CLOCK_SHIFT_MS'] };
  const own = Number(before.CLOCK_SHIFT_MS ?? 0);
  Object.assign(process.env, { LD_PRELOAD: library, CLOCK_SHIFT_MS: String(own + ms) });
  try {
    await start();
  } finally {
    for (const [name, value] of Object.entries(before))
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  }
}

const skipped = isCompiled ? '' : ' (skipped: it needs Linux and a C compiler)';

test.skipIf(!isCompiled)(
  `a clock of the database that was wrong and is set right keeps nothing from being mirrored${skipped}`,
  async () => {
    const postgres = await openRestartingPostgres();
    await migrate(open(postgres.url));
    const successions: { readonly off: number; readonly of: Succession }[] = [];
    const takeOver = async (of: Succession, snapshots: number, isBehind: boolean) => {
      const name = `step ${snapshots}`;
      const context = await of.takeOver(name);
      changeAll(of, name);
      await mirrorAll(context);
      await expectInOrder(of, postgres, name, snapshots);
      const { problems } = await readStatus(context.database, of.account);
      expect(
        problems.some(({ code }) => code === 'clock-behind'),
        `${of.account}, ${name}`,
      ).toBe(isBehind);
      expect(problems.map(({ severity }) => severity)).not.toContain('critical');
      await context.database.close();
    };
    for (const off of wrong) {
      const of = await openSuccession(postgres, `off-by-${off / hour}-hours`);
      successions.push({ off, of });
      await takeOver(of, 1, false);
    }
    for (const { off, of } of successions) {
      await postgres.stop();
      await shiftedBy(off, postgres.start);
      const [server] = await postgres.query<{ ms: number }>(
        'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
      );
      expect(Math.abs((server?.ms ?? 0) - Date.now() - off)).toBeLessThan(hour / 2);
      await takeOver(of, 2, off < 0);
    }
    await postgres.stop();
    await postgres.start();
    for (const { off, of } of successions) await takeOver(of, 3, off > 0);
  },
  300_000,
);
