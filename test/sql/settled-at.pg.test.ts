// When a transaction settled: known wherever the mirror saw it open first, also while the first sweep was
// under way.
import { expect, test } from 'vitest';
import { markMissingTransactions } from '../../src/store/commit/mark-missing.ts';
import { commitPages, epoch, openStore, pageOf } from '../support/store.ts';

test('what the first sweep saw open and then completed has the moment, and what it saw completed alone has none', async () => {
  const store = await openStore();
  for (const [at, records] of [
    [
      0,
      [
        { id: 'seen', status: 'confirming' },
        { id: 'before', status: 'completed' },
      ],
    ],
    [60_000, [{ id: 'seen', status: 'completed' }]],
  ] as const)
    await commitPages(store, pageOf([...records], at));
  const settled = () =>
    store.query(
      `select transaction_id as id, settled_at = status_since as at, extract(epoch from age)::int as age from reporting.transactions order by 1 desc`,
    );
  const expected = [
    { id: 'seen', at: true, age: 60 },
    { id: 'before', at: null, age: null },
  ];
  // While the first sweep is under way, and after its end.
  expect(await settled()).toEqual(expected);
  await store.query(`update custody.accounts set transactions_since = now()`);
  expect(await settled()).toEqual(expected);
});

test('what was completed and failed later settled when it failed, and going missing does not change its row', async () => {
  const store = await openStore();
  await store.query(`update custody.accounts set transactions_since = to_timestamp($1)`, [
    (epoch - 1) / 1000,
  ]);
  for (const [at, status] of [
    [0, 'completed'],
    [60_000, 'failed'],
  ] as const)
    await commitPages(store, pageOf([{ id: 'a', status }], at));
  const moment = epoch + 120_000;
  await markMissingTransactions(store.database, store.lease, store.run, {
    ids: ['a'],
    asked: moment,
    missingSince: moment,
  });
  expect(
    await store.query(
      `select extract(epoch from settled_at - first_seen_at)::int as settled, extract(epoch from age)::int as age,
         extract(epoch from changed_at - first_seen_at)::int as changed, missing_since > changed_at as later from reporting.transactions`,
    ),
  ).toEqual([{ settled: 60, age: 60, changed: 60, later: true }]);
});
