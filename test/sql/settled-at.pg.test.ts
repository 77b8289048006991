// When a transaction settled: known wherever the mirror saw it open first, also while the first sweep was
// under way.
import { expect, test } from 'vitest';
import { commitPages, openStore, pageOf } from '../support/store.ts';

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
