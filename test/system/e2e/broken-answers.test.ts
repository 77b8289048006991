// A custody service behind something that breaks every fourth answer. `sync` ends by itself, and every record
// is mirrored.
import { expect, test } from 'vitest';
import { breakAnswers, breakings } from '../../support/broken-answers.ts';
import { environment, serveSandbox } from '../../support/command.ts';
import { testDatabase } from '../../support/database.ts';
import { sampled } from '../../support/form.ts';
import { runProcess } from '../../support/process.ts';
import { mirrored, truth } from '../../support/truth.ts';

test.each(
  sampled(
    Object.keys(breakings).map((what) => ({ what })),
    { every: 4 },
  ),
)(
  'every fourth answer is $what: sync ends, with every row',
  async ({ what }) => {
    const [service, database] = await Promise.all([serveSandbox(), testDatabase()]);
    const breaking = breakings[what];
    if (breaking === undefined) throw new Error(what);
    const front = await breakAnswers(service.url, (request) => (request % 4 === 0 ? breaking : null));
    const env = environment(front, database, { CUSTODY_TIMEOUT_MS: '1500', CUSTODY_RETRIES: '20' });
    const run = await runProcess(['sync'], { env, deadlineMs: 240_000 });
    expect(run, run.stdout + run.stderr).toMatchObject({ code: 0 });
    expect(front.broken()).toBeGreaterThan(0);
    expect(await mirrored(database)).toEqual(truth(service.sandbox));
    await expect.poll(front.open).toBe(0);
  },
  300_000,
);
