// Observations that are under way, end over midnight, or come in other digits.
import { expect, test } from 'vitest';
import { epoch } from '../../support/store.ts';
import { day, openReporting, snapshot } from './told.ts';
import { parts } from './uncertain.ts';

test('other zeros behind the same number are no change, and the texts stay as they came', async () => {
  const store = await openReporting();
  for (const [at, total] of [
    [1000, '1.020'],
    [2000, '1.020000'],
    [3000, '1.02'],
  ] as const)
    await snapshot(store, at, { X: { total, ...parts } });
  expect(
    await store.query('select total_balance::text as total from custody.balances order by valid_from'),
  ).toEqual(['1.020', '1.020000', '1.02'].map((total) => ({ total })));
  expect(await store.query('select change, total_after from reporting.balance_changes')).toEqual([
    { change: 'first observed', total_after: '1.02' },
  ]);
  expect(
    await store.query(
      'select extract(epoch from unchanged_since) * 1000 - $1 as since from reporting.balances_current',
      [epoch],
    ),
  ).toMatchObject([{ since: expect.stringMatching(/^1000(\.0*)?$/) }]);
});

test('while an observation is under way, what it found changed is unknown, and the rest is known', async () => {
  const store = await openReporting();
  await snapshot(store, 1000, { X: { total: '1' }, Y: { total: '2' } }, 'all', 500);
  await snapshot(store, 5000, { X: { total: '7' }, Y: { total: '2' }, Z: { total: '3' } }, 'all', 1200);
  const at = (ms: number) =>
    store.query(
      `select asset_id as asset, total_balance as total, is_known,
         (extract(epoch from last_known_at) * 1000 - ${epoch})::int as after, (extract(epoch from next_known_at) * 1000 - ${epoch})::int as before
       from reporting.balances_at($1) order by 1`,
      [new Date(epoch + ms)],
    );
  const known = { is_known: true, after: null, before: null };
  const older = [
    { asset: 'X', total: '1', ...known },
    { asset: 'Y', total: '2', ...known },
  ];
  expect(await at(999)).toEqual([]);
  expect(await at(1100)).toEqual(
    ['X', 'Y'].map((asset) => ({ asset, total: null, is_known: false, after: null, before: 1000 })),
  );
  expect(await at(1500)).toEqual(older);
  expect(await at(4999)).toEqual(older);
  const between = { total: null, is_known: false, after: 1000, before: 5000 };
  for (const ms of [5000, 5200, 6199])
    expect(await at(ms)).toEqual([{ asset: 'X', ...between }, older[1], { asset: 'Z', ...between }]);
  expect((await at(6200)).map(({ total }) => total)).toEqual(['7', '2', '3']);
  expect(
    await store.query(
      `select (extract(epoch from changed_after) * 1000 - ${epoch})::int as after,
         (extract(epoch from changed_before) * 1000 - ${epoch})::int as before
       from reporting.balance_changes where change <> 'first observed' order by asset_id`,
    ),
  ).toEqual(Array.from({ length: 2 }, () => ({ after: 1000, before: 6200 })));
});

test('an observation over midnight counts on the day on which it was answered', async () => {
  const store = await openReporting();
  await snapshot(store, day - 2000, { X: { total: '1' } }, 'all', 500);
  await snapshot(store, day - 1000, { X: { total: '7' } }, 'all', 3000);
  expect(
    await store.query(
      'select extract(day from day)::int as day, total_balance as total from reporting.balances_daily order by 1',
    ),
  ).toEqual([
    { day: 1, total: '1' },
    { day: 2, total: '7' },
  ]);
});
