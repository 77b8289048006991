// Faults of the service: each transient kind at a rate of 20 %, and answers that look right and are not, make
// a sync take longer and change nothing about its result.
import { expect, test } from 'vitest';
import { type FaultRule, faultGroups } from '../../../packages/sandbox/src/faults/fault-kinds.ts';
import { serveSandbox, syncProcess } from '../../support/command.ts';
import { testDatabase } from '../../support/database.ts';
import { sampled } from '../../support/form.ts';
import { mirrored, truth } from '../../support/truth.ts';

// Many attempts: one request that fails twenty times in a row at a rate of 20 % is not to be expected. A rate
// learned from refusals that do not come from the rate would only take time.
const manyAttempts = { CUSTODY_TIMEOUT_MS: '300', CUSTODY_RETRIES: '20', CUSTODY_RATE_LIMIT: 'off' };

/** Kinds that are tested side by side: most of their time is spent waiting. */
const together = 5;
const kinds = sampled(faultGroups.all, { every: 6 });
const rounds = Math.ceil(kinds.length / together);
const batches = Array.from({ length: rounds }, (_, batch) =>
  kinds.filter((_kind, index) => index % rounds === batch),
);

test.each(batches.map((batch) => ({ batch })))(
  'at 20 % each alone, the result is the same: $batch',
  async ({ batch }) => {
    const outcomes = await Promise.all(
      batch.map((kind) => {
        const fault = { kind, retryAfter: 1, delayMs: 200 };
        return syncWith([
          { ...fault, endpoint: 'transactions', phase: 'offset', times: 1 },
          { ...fault, rate: 0.2 },
        ]);
      }),
    );
    for (const [index, outcome] of outcomes.entries()) {
      const kind = batch[index] ?? '';
      expect(outcome.run, `${kind}: ${outcome.run.stderr}`).toMatchObject({ code: 0 });
      expect(outcome.found, kind).toEqual(outcome.expected);
      expect(outcome.struck, kind).toBeGreaterThan(0);
      expect(outcome.unverified, `${kind}: ${outcome.run.stdout}`).toEqual([]);
    }
  },
);

test.each(sampled([...faultGroups.lies, 'lies' as const], { every: 4 }).map((lie) => ({ lie })))(
  'one $lie is seen through, and a sweep under many misses nothing or says that it is not verified',
  async ({ lie }) => {
    const fault: FaultRule = { kind: lie, endpoint: 'transactions' };
    const pages = { CUSTODY_PAGE_SIZE: '10' };
    const outcomes = await Promise.all([
      syncWith([{ ...fault, phase: 'offset', times: 1 }], 1, pages),
      syncWith([{ ...fault, rate: 0.2 }], 2, pages),
      syncWith([{ ...fault, rate: 0.2 }], 3, pages),
    ]);
    for (const [index, { run, found, expected, struck, unverified }] of outcomes.entries()) {
      expect(run, run.stderr).toMatchObject({ code: 0 });
      expect(struck).toBeGreaterThan(0);
      if (index === 0) expect(unverified, run.stdout).toEqual([]);
      if (unverified.length === 0) expect(found).toEqual(expected);
    }
  },
);

test('what never ends in an answer fails its own resource alone, says why, and exits 1', async () => {
  const { run, found, expected } = await syncWith([{ kind: 'err01', endpoint: 'balances' }], 7, {
    CUSTODY_RETRIES: '2',
  });
  expect(run.code).toBe(1);
  expect(run.stdout).toMatch(/balances: failed: [^|]*ERR-01[^|]*\| vaults: 10 new, verified/);
  expect(found).toEqual({ ...expected, balances: found.balances });
  expect(found.balances.map((row) => row['vault_type'])).not.toContain('all');
});

async function syncWith(faults: readonly FaultRule[], seed = 7, env: Readonly<Record<string, string>> = {}) {
  const [service, database] = await Promise.all([serveSandbox({ seed, faults }), testDatabase()]);
  // A process of its own: in that of the test, the sandbox and several syncs would share one loop, and
  // answers would come late.
  const run = await syncProcess(service, database, { ...manyAttempts, ...env });
  const unverified = await database.query('select job from sync.runs where verified is not true');
  const struck = Object.values(service.sandbox.faults.counts()).reduce((sum, count) => sum + count, 0);
  return { run, found: await mirrored(database), expected: truth(service.sandbox), struck, unverified };
}
