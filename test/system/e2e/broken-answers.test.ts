// A custody service behind something that breaks every fourth answer, each in another way. `sync` ends by
// itself, and every record is mirrored.
import { expect, test } from 'vitest';
import { breakAnswers, breakings } from '../../support/broken-answers.ts';
import { environment, serveSandbox } from '../../support/command.ts';
import { testDatabase } from '../../support/database.ts';
import { runProcess } from '../../support/process.ts';
import { expectTruth } from '../../support/truth.ts';

const ways = Object.values(breakings);

// Each way meets other requests than in the other runs.
test.each([0, 7, 16])(
  'every fourth answer is broken, in each way that is known, from the way %i on: sync ends, with every row',
  async (first) => {
    const [service, database] = await Promise.all([serveSandbox(), testDatabase()]);
    const front = await breakAnswers(service.url, (request) =>
      request % 4 === 0 ? (ways[(first + request / 4) % ways.length] ?? null) : null,
    );
    const env = environment(front, database, { CUSTODY_TIMEOUT_MS: '1500', CUSTODY_RETRIES: '20' });
    const run = await runProcess(['sync'], { env, deadlineMs: 240_000 });
    expect(run, run.stdout + run.stderr).toMatchObject({ code: 0 });
    expect(front.broken()).toBeGreaterThanOrEqual(ways.length);
    await expectTruth(database, service.sandbox);
    await expect.poll(front.open).toBe(0);
  },
  300_000,
);
