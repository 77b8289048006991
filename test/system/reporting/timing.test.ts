// Differences that a transaction on either side of an observation may account for, and losses that it does
// not hide.
import { expect, test } from 'vitest';
import { epoch, type Store } from '../../support/store.ts';
import { day, openReporting, see, snapshot } from './told.ts';
import {
  completeAround,
  half,
  happenedAfter,
  noon,
  parts,
  plain,
  reconciled,
  sweep,
  tellNoons,
} from './uncertain.ts';

/**
 * A withdrawal of 5 that the balances of the second day hold, and that the transactions showed half a second
 * later.
 */
async function payAround(store: Store): Promise<void> {
  const withdrawal = { id: 'w', assetId: 'X', type: 'withdraw', amount: '5' };
  await see(store, 1000, [{ ...withdrawal, status: 'pending' }]);
  await snapshot(store, 2000, { X: { total: '20', ...parts } });
  await snapshot(store, day + 1000, { X: { total: '15', ...parts } });
  await see(store, day + 1500, [{ ...withdrawal, status: 'completed' }]);
  await happenedAfter(store, 'w', day + 500);
}

test('a change that may lie on either side is undecided until the next observation undoes it, and explained then', async () => {
  const store = await openReporting();
  await payAround(store);
  const second = { day: 2, opening: '0', closing: '5', rewards: '0', losses: '0' };
  expect(await reconciled(store)).toEqual([
    { ...second, unexplained: '-5', timing: '0', is_explained: null },
  ]);
  await snapshot(store, 2 * day, { X: { total: '15', ...parts } });
  expect(await reconciled(store)).toEqual([
    { ...second, unexplained: '0', timing: '-5', is_explained: true },
    { ...second, day: 3, opening: '5', closing: '0', unexplained: '0', timing: '5', is_explained: true },
  ]);
});

test('the lines that are uncertain are named, at the observation and by the day that it closes', async () => {
  const store = await openReporting();
  await payAround(store);
  await snapshot(store, 2 * day, { X: { total: '15', ...parts } });
  const line = { id: 'w', kind: 'status', to: 'completed', change: '-5' };
  const columns = `transaction_id as id, kind, to_status as "to", total_change as change`;
  expect(
    await store.query(
      `select extract(day from day)::int as day, ${columns} from reporting.reconciliation_uncertain`,
      [],
    ),
  ).toEqual([{ day: 2, ...line }]);
  expect(
    await store.query(
      `select ${columns} from custody.balance_snapshots s
       cross join reporting.uncertain_lines(s.account_id, s.snapshot_at, null) where s.vault_type = 'all'`,
      [],
    ),
  ).toEqual([line]);
});

test('a second loss of the same amount is not hidden behind it', async () => {
  const store = await openReporting();
  await payAround(store);
  await snapshot(store, 2 * day, { X: { total: '10', ...parts } });
  expect((await reconciled(store)).map(({ is_explained }) => is_explained)).toEqual([null, true]);
  await sweep(store, 2 * day + 500);
  const rows = await reconciled(store);
  expect(rows.map(({ unexplained, is_explained }) => [unexplained, is_explained])).toEqual([
    ['-5', false],
    ['0', true],
  ]);
});

test('a difference that no uncertain transaction can account for is not explained, though the next day undoes it', async () => {
  const store = await openReporting();
  await snapshot(store, 2000, { X: { total: '20', ...parts } });
  await snapshot(store, day + 1000, { X: { total: '15', ...parts } });
  await snapshot(store, 2 * day, { X: { total: '20', ...parts } });
  await snapshot(store, 3 * day, { X: { total: '20', ...parts } });
  expect((await reconciled(store)).map(({ is_explained }) => is_explained)).toEqual([null, null, true]);
  await sweep(store, 3 * day + 500);
  const rows = await reconciled(store);
  expect(rows.map(({ unexplained, is_explained }) => [unexplained, is_explained])).toEqual([
    ['-5', false],
    ['5', false],
    ['0', true],
  ]);
});

test('what may lie on either side of two observations in a row is timing on both days', async () => {
  const store = await openReporting();
  const told = { id: 'd', assetId: 'X', type: 'deposit', amount: '11' };
  await see(store, noon(1) - half, [{ ...told, status: 'pending' }]);
  await see(store, 2 * day + 601_000, [{ ...told, status: 'completed' }]);
  await happenedAfter(store, 'd', 2 * day - 600_000);
  await tellNoons(store, [['100', '0']]);
  for (const at of [2 * day - 300_000, 2 * day, noon(3), noon(4)])
    await snapshot(store, at, { X: { total: '111', ...parts } }, 'all', 1000);
  expect(await reconciled(store)).toEqual([
    { ...plain, day: 2, timing: '11', closing: '11' },
    { ...plain, day: 3, timing: '-11', opening: '11' },
    { ...plain, day: 4 },
  ]);
});

test('uncertain transactions at two observations in a row are timing on each day', async () => {
  const store = await openReporting();
  await completeAround(store, 2, 'a', 'deposit', '10');
  await completeAround(store, 3, 'b', 'deposit', '7');
  await tellNoons(store, [
    ['100', '0'],
    ['110', '0'],
    ['117', '0'],
    ['117', '0'],
  ]);
  expect(await reconciled(store)).toEqual([
    { ...plain, day: 2, timing: '10', closing: '10' },
    { ...plain, day: 3, timing: '-3', opening: '10', closing: '7' },
    { ...plain, day: 4, timing: '-7', opening: '7' },
  ]);
});

test('an uncertain deposit hides no loss that is greater than it', async () => {
  const store = await openReporting();
  await completeAround(store, 2, 'a', 'deposit', '10');
  await completeAround(store, 3, 'b', 'deposit', '7');
  await tellNoons(store, [
    ['100', '0'],
    ['110', '0'],
    ['117', '0'],
    ['114', '0'],
  ]);
  expect(verdicts(await reconciled(store))).toEqual([
    ['10', null],
    ['-3', null],
    ['-10', false],
  ]);
});

const verdicts = (rows: readonly Record<string, unknown>[]) =>
  rows.map(({ unexplained, is_explained }) => [unexplained, is_explained]);

test('a certain loss decides, though another figure is not known', async () => {
  const store = await openReporting();
  await snapshot(store, noon(1), { X: { total: '10' } });
  await snapshot(store, noon(2), { X: { total: '4', ...parts } });
  await sweep(store, noon(2) + half);
  expect(await reconciled(store)).toMatchObject([
    { rewards: null, losses: null, unexplained: null, timing: null, is_explained: false },
  ]);
});

test('an outage of any length leaves undecided and then explains what happened just before it', async () => {
  for (const days of [6, 8, 40]) {
    const store = await openReporting();
    const x = (total: string) => ({ X: { total, ...parts } });
    await snapshot(store, noon(1), x('100'));
    await snapshot(store, noon(2), x('105'));
    await see(store, noon(2 + days), [{ id: 'd', assetId: 'X', type: 'deposit', amount: '5' }]);
    await happenedAfter(store, 'd', noon(2) - half);
    await snapshot(store, noon(2 + days) + 1000, x('105'));
    await sweep(store, noon(2 + days) + 2000);
    expect(await reconciled(store), `${days} days`).toEqual([
      { ...plain, day: 2, timing: '5', closing: '5' },
      { ...plain, day: new Date(epoch + noon(2 + days)).getUTCDate(), timing: '-5', opening: '5' },
    ]);
  }
});

test('what is seen more than a week after the next observation is not uncertain', async () => {
  const store = await openReporting();
  const x = (total: string) => ({ X: { total, ...parts } });
  for (const of of [1, 2, 3, 12]) await snapshot(store, noon(of), x(of === 1 ? '100' : '105'));
  await see(store, noon(11), [{ id: 'd', assetId: 'X', type: 'deposit', amount: '5' }]);
  await happenedAfter(store, 'd', noon(2) - half);
  await sweep(store, noon(12) + 1000);
  expect(
    await store.query('select from reporting.reconciliation_uncertain where day < $1', ['2026-01-03']),
  ).toEqual([]);
  expect((await reconciled(store)).map(({ day: of, is_explained }) => [of, is_explained])).toEqual([
    [2, false],
    [3, true],
    [12, false],
  ]);
});
