// Services whose list of transactions ends before its end: a sweep says so, and never calls itself verified.
import { expect, test, vi } from 'vitest';
import type { ListCut } from '../../../packages/sandbox/src/http/list-cut.ts';
import { sweepTransactions } from '../../../src/sync/jobs/transactions-sweep.ts';
import { type Mirror, openMirror } from '../../support/mirror.ts';
import { mirroredTransactions, trueTransactions } from '../../support/truth.ts';

vi.setConfig({ testTimeout: 60_000 });

const sweep = (mirror: Mirror, job: 'transactions' | 'reconcile' = 'transactions') =>
  sweepTransactions(mirror.context, { job });

const cut = (options: ListCut, more: Parameters<typeof openMirror>[0] = {}) =>
  openMirror({ transactions: 600, frozen: true, cut: options, ...more });

const everyFilter = [
  'status',
  'transactionType',
  'from',
  'to',
  'assetId',
  'networkId',
  'sourceId',
  'destinationId',
] as const;

test.each(['newest-first', 'oldest-first', 'by-asset'] as const)(
  'an honest list that is %s is verified, at a bounded cost',
  async (order) => {
    const mirror = await openMirror(
      { transactions: 6_000, order, frozen: true },
      { CUSTODY_PAGE_SIZE: '200' },
    );
    expect(await sweep(mirror)).toMatchObject({ verified: true, inserted: 6_000 });
    mirror.sandbox.requests.reset();
    expect(await sweep(mirror)).toMatchObject({ verified: true });
    const plain = mirror.sandbox.requests.total;
    mirror.sandbox.requests.reset();
    expect(await sweep(mirror, 'reconcile')).toMatchObject({ verified: true });
    expect(mirror.sandbox.requests.total - plain).toBeLessThanOrEqual(150);
    expect(
      [...mirror.context.facts.known.keys()].filter((fact) => fact.startsWith('transactions_cut')),
    ).toEqual([]);
  },
);

test.each([
  { name: 'a window that ends with nothing', options: { window: 200 } },
  { name: 'a window that ends with an error', options: { window: 200, windowEnd: 'error' } },
  { name: 'a window that ends with its last page again', options: { window: 200, windowEnd: 'last-page' } },
  { name: 'the last days only', options: { days: 3 } },
  { name: 'rejected transactions only if asked for', options: { hiddenStatuses: ['rejected'] } },
] satisfies { name: string; options: ListCut }[])(
  '$name: the list is known to be cut',
  async ({ options }) => {
    for (const order of ['newest-first', 'oldest-first', 'by-asset'] as const) {
      const mirror = await cut(options, { order });
      expect(await sweep(mirror)).toMatchObject({
        status: 'succeeded',
        verified: false,
        doubts: ['list-cut'],
      });
      expect(await mirror.query("select evidence from sync.learned where fact = 'transactions_cut'")).toEqual(
        [
          {
            evidence: expect.stringMatching(
              /the list ended at \d+, and .* shows? records that it does not hold/,
            ),
          },
        ],
      );
      // Nothing is missing only because it is not shown.
      await sweep(mirror, 'reconcile');
      expect(await mirror.query('select from custody.transactions where missing_since is not null')).toEqual(
        [],
      );
    }
  },
);

test.each(['empty', 'error', 'last-page'] as const)(
  'a window of 1,000 (%s) whose filters do nothing is named',
  async (windowEnd) => {
    const mirror = await cut(
      { window: 1_000, windowEnd, ignoredFilters: [...everyFilter] },
      { transactions: 1_500 },
    );
    expect(await sweep(mirror)).toMatchObject({
      verified: false,
      doubts: ['filters-ignored'],
      coverage: { met: 1_000 },
    });
    expect((await mirroredTransactions(mirror)).size).toBe(1_000);
  },
);

test('a record that a filter shows first because it has just arrived is no doubt', async () => {
  const mirror = await openMirror({ transactions: 300, frozen: true, order: 'by-asset' });
  let requests = 0;
  mirror.sandbox.faults.add({
    kind: 'err01',
    when: ({ query }) => {
      requests += 1;
      if (query.has('status') || query.has('transaction_type'))
        mirror.sandbox.world.insertTransaction('head', { status: 'completed' });
      return false;
    },
  });
  expect(await sweep(mirror)).toMatchObject({ verified: true, doubts: [] });
  expect(requests).toBeLessThan(120);
  expect(await mirroredTransactions(mirror)).toBeDefined();
});

test('where the service shows its whole list again, two reconciles that agree forget that it was cut', async () => {
  const options: ListCut = { window: 200 };
  const mirror = await cut(options);
  expect(await sweep(mirror, 'reconcile')).toMatchObject({ verified: false });
  options.window = undefined;
  expect(await sweep(mirror, 'reconcile')).toMatchObject({ verified: false, doubts: ['list-cut'] });
  expect(mirror.context.facts.known.has('transactions_cut')).toBe(true);
  expect(await sweep(mirror, 'reconcile')).toMatchObject({ verified: true });
  expect(mirror.context.facts.known.has('transactions_cut')).toBe(false);
  expect(await mirroredTransactions(mirror)).toEqual(trueTransactions(mirror.sandbox));
});

test('transactions that leave the list but not their ids are a doubt', async () => {
  const options: ListCut = {};
  const mirror = await cut(options, { transactions: 100 });
  expect(await sweep(mirror)).toMatchObject({ verified: true });
  options.hiddenStatuses = ['rejected'];
  expect(await sweep(mirror)).toMatchObject({ verified: true });
  expect(await sweep(mirror)).toMatchObject({ verified: true });
  expect(await sweep(mirror)).toMatchObject({ verified: false, doubts: ['list-cut'] });
  expect(await mirror.query('select from custody.transactions where missing_since is not null')).toEqual([]);
});
