// The daemon over a service that answers "no records" behind some place for a while, so that sweeps are not
// verified.
import { expect, test } from 'vitest';
import type { BackoffBounds } from '../../src/base/loop.ts';
import type { JobOutcome } from '../../src/sync/run/run-job.ts';
import { startDaemonOf } from '../support/daemon-in-process.ts';
import { openMirror } from '../support/mirror.ts';
import { mirroredTransactions, trueTransactions } from '../support/truth.ts';

/** Comes due when the daemon starts, because it never ran, and not again before the next year. */
const yearly = '0 0 1 1 *';
const longMs = 2_000_000_000;

interface Behind {
  readonly againBackoff?: BackoffBounds;
  /** Sweeps after which the service refuses the key. */
  readonly refuseKeyAfter?: number;
}

/** @param wall the place behind which no record is shown, by the sweeps that have ended */
async function daemonBehind(
  wall: (sweeps: number) => number,
  { againBackoff = { minMs: 1, maxMs: 5 }, refuseKeyAfter }: Behind = {},
) {
  const mirror = await openMirror(
    { transactions: 400 },
    {
      CUSTODY_RESOURCES: 'transactions',
      CUSTODY_MAX_CONCURRENCY: '1',
      SCHEDULE_TRANSACTIONS: yearly,
      SCHEDULE_RECONCILE: 'off',
      SCHEDULE_MAINTENANCE: 'off',
    },
  );
  const { sandbox } = mirror;
  const outcomes: JobOutcome[] = [];
  sandbox.faults.add({
    kind: 'falseempty',
    endpoint: 'transactions',
    when: ({ query }) => Number(query.get('offset')) > wall(outcomes.length),
  });
  const { entries, end } = await startDaemonOf(mirror, {
    onOutcome: (outcome) => {
      outcomes.push(outcome);
      if (outcomes.length === refuseKeyAfter) sandbox.faults.set('err02');
    },
    againBackoff,
  });
  const again = () => entries().filter(({ msg }) => msg === 'sweep left doubts and will be retried');
  return { mirror, outcomes, again, end };
}

test('a sweep that left something open is tried again at once, then after waits, until one is verified', async () => {
  const { mirror, outcomes } = await daemonBehind((sweeps) => [100, 150, 200][sweeps] ?? 1_000);
  await expect.poll(() => outcomes.at(-1)?.verified).toBe(true);
  expect(outcomes.map(({ verified, inserted }) => [verified, inserted])).toEqual([
    [false, 150],
    [false, 50],
    [false, 50],
    [true, 150],
  ]);
  expect(await mirroredTransactions(mirror)).toEqual(trueTransactions(mirror.sandbox));
  const runs = await mirror.query('select job, mode, verified from sync.runs order by run_id');
  expect(runs).toEqual([
    ...Array.from({ length: 3 }, () => ({ job: 'transactions', mode: 'full', verified: false })),
    { job: 'transactions', mode: 'full', verified: true },
  ]);
});

test('a stop wakes the wait for the next attempt', async () => {
  const backoff = { minMs: longMs, maxMs: longMs };
  const { outcomes, again, end } = await daemonBehind((sweeps) => (sweeps === 0 ? 100 : 200), {
    againBackoff: backoff,
  });
  await expect.poll(() => outcomes.length).toBe(2);
  expect(again()).toHaveLength(2);
  await end();
  expect(outcomes).toHaveLength(2);
});
