// Records with equal sort keys change places while the list is read, over real HTTP and into a real database.
import { expect, test } from 'vitest';
import { sweepTransactions } from '../../../src/sync/jobs/transactions-sweep.ts';
import { type Mirror, openMirror } from '../../support/mirror.ts';
import { unfilteredRequests } from '../../support/sandbox.ts';
import { mirroredTransactions, trueTransactions } from '../../support/truth.ts';

const sweep = (mirror: Mirror) => sweepTransactions(mirror.context, { job: 'transactions' });

/** Exchanges two records once, just before the list is asked for at an offset for the first time. */
function exchangeBefore({ sandbox }: Mirror, offset: number, a: number, b: number): void {
  let done = false;
  sandbox.faults.add({
    kind: 'err01',
    endpoint: 'transactions',
    when: ({ query }) => {
      if (!done && Number(query.get('offset')) === offset) {
        done = true;
        sandbox.world.exchange(a, b);
      }
      return false;
    },
  });
}

test.each([48, 49, 50])(
  'neighbours that change places once, at %i, where a page of 50 ends, cost a few requests and no record',
  async (place) => {
    const mirror = await openMirror({ transactions: 400, maxLimit: 50 }, { CUSTODY_MAX_CONCURRENCY: '1' });
    exchangeBefore(mirror, 48, place, place + 1);
    const outcome = await sweep(mirror);
    expect(outcome).toMatchObject({ status: 'succeeded', verified: true, inserted: 400 });
    expect(await mirroredTransactions(mirror)).toEqual(trueTransactions(mirror.sandbox));
    // 8 pages of 50 with their overlap take 9, and 5 more make sure of the order, the end and the head.
    expect(unfilteredRequests(mirror.sandbox)).toBeLessThanOrEqual(20);
  },
);

test.each([
  [386, 396],
  [200, 399],
  [394, 395],
])('a record met at %i and one not yet met at %i that change places are both mirrored', async (a, b) => {
  const mirror = await openMirror(
    { transactions: 1_000, maxLimit: 200 },
    { CUSTODY_PAGE_SIZE: '200', CUSTODY_MAX_CONCURRENCY: '1' },
  );
  exchangeBefore(mirror, 390, a, b);
  const outcome = await sweep(mirror);
  expect(outcome).toMatchObject({ status: 'succeeded', verified: true, inserted: 1_000 });
  expect(await mirroredTransactions(mirror)).toEqual(trueTransactions(mirror.sandbox));
});

test.each([1, 40])(
  'a list whose ties are exchanged at every third request, %i apart, is mirrored whole',
  async (distance) => {
    const mirror = await openMirror(
      {
        transactions: 2_000,
        order: 'by-time',
        exchangeTies: 3,
        exchangeDistance: distance,
        maxLimit: 50,
      },
      { CUSTODY_MAX_CONCURRENCY: '3' },
    );
    const outcome = await sweep(mirror);
    const held = await mirroredTransactions(mirror);
    const missed = [...trueTransactions(mirror.sandbox).keys()].filter((id) => !held.has(id));
    if (outcome.verified) expect(missed).toEqual([]);
    const again = await sweep(mirror);
    expect([outcome.verified, again.verified]).toContain(true);
  },
);
