import { expect, test } from 'vitest';
import type { Repetition } from '../../../src/sync/jobs/repeat-sweeps.ts';
import { runCycle } from '../../../src/sync/jobs/runners.ts';
import { openMirror } from '../../support/mirror.ts';
import { mirroredTransactions, trueTransactions } from '../../support/truth.ts';

/**
 * A mirror of a service that shows no record behind a place, which moves on each time that a sweep waits for
 * the next.
 */
async function behindWalls(walls: readonly number[]) {
  const mirror = await openMirror({ transactions: 400 }, { CUSTODY_MAX_CONCURRENCY: '1' });
  let at = 0;
  const waits: number[] = [];
  mirror.sandbox.faults.add({
    kind: 'falseempty',
    endpoint: 'transactions',
    when: ({ query }) => Number(query.get('offset')) > (walls[at] ?? 1_000),
  });
  const again: Repetition = {
    times: 3,
    backoff: { minMs: 1_000_000, maxMs: 1_000_000 },
    random: () => 1,
    sleep: async (ms) => {
      waits.push(ms);
      at += 1;
    },
  };
  return { mirror, again, waits };
}

test('a sweep is tried again within the run until one is verified, and reports all attempts', async () => {
  const { mirror, again, waits } = await behindWalls([100, 200]);
  const [outcome] = await runCycle(mirror.context, ['transactions'], { full: false, again });
  expect(outcome).toMatchObject({ verified: true, attempts: 3, inserted: 400, coverage: { met: 400 } });
  expect(waits).toEqual([0, 1_000_000]);
  expect(await mirroredTransactions(mirror)).toEqual(trueTransactions(mirror.sandbox));
});

test('a stop during the wait leaves what was reached', async () => {
  const { mirror, again } = await behindWalls([100]);
  const stopped = { ...again, sleep: () => Promise.reject(new Error('stopped')) };
  expect(await runCycle(mirror.context, ['transactions'], { full: true, again: stopped })).toMatchObject([
    { status: 'succeeded', verified: false, attempts: 1 },
  ]);
});
