// Differences that a transaction on either side of an observation may account for, and losses that it does
// not hide; and the same of what is staked.
import { expect, test } from 'vitest';
import { epoch, type Store } from '../../support/store.ts';
import { day, openReporting, see, snapshot } from './told.ts';
import {
  completeAround,
  half,
  happenedAfter,
  held,
  noon,
  plain,
  reconciled,
  sweep,
  tellNoons,
} from './uncertain.ts';

const verdicts = (rows: readonly Record<string, unknown>[]) =>
  rows.map(({ unexplained, is_explained }) => [unexplained, is_explained]);

/**
 * A withdrawal of 5 that the balances of the second day hold, and that the transactions showed half a second
 * later.
 */
async function payAround(store: Store): Promise<void> {
  const withdrawal = { id: 'w', assetId: 'X', type: 'withdraw', amount: '5' };
  await see(store, 1000, [{ ...withdrawal, status: 'pending' }]);
  await snapshot(store, 2000, held('20'));
  await snapshot(store, day + 1000, held('15'));
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
  await snapshot(store, 2 * day, held('15'));
  expect(await reconciled(store)).toEqual([
    { ...second, unexplained: '0', timing: '-5', is_explained: true },
    { ...second, day: 3, opening: '5', closing: '0', unexplained: '0', timing: '5', is_explained: true },
  ]);
  const line = { id: 'w', kind: 'status', to: 'completed', change: '-5' };
  const columns = `transaction_id as id, kind, to_status as "to", total_change as change`;
  expect(
    await store.query(
      `select extract(day from day)::int as day, ${columns} from reporting.reconciliation_uncertain`,
    ),
    'by the day that it closes',
  ).toEqual([{ day: 2, ...line }]);
  expect(
    await store.query(
      `select ${columns} from custody.balance_snapshots s
       cross join reporting.uncertain_lines(s.account_id, s.snapshot_at, null) where s.vault_type = 'all'`,
    ),
    'at the observation',
  ).toEqual([line]);
});

test('a second loss of the same amount is not hidden behind it', async () => {
  const store = await openReporting();
  await payAround(store);
  await snapshot(store, 2 * day, held('10'));
  expect((await reconciled(store)).map(({ is_explained }) => is_explained)).toEqual([null, true]);
  await sweep(store, 2 * day + 500);
  expect(verdicts(await reconciled(store))).toEqual([
    ['-5', false],
    ['0', true],
  ]);
});

test('a difference that no uncertain transaction can account for is not explained, though the next day undoes it', async () => {
  const store = await openReporting();
  await snapshot(store, 2000, held('20'));
  await snapshot(store, day + 1000, held('15'));
  await snapshot(store, 2 * day, held('20'));
  await snapshot(store, 3 * day, held('20'));
  expect((await reconciled(store)).map(({ is_explained }) => is_explained)).toEqual([null, null, true]);
  await sweep(store, 3 * day + 500);
  expect(verdicts(await reconciled(store))).toEqual([
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
    await snapshot(store, at, held('111'), 'all', 1000);
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

test('a certain loss decides, though another figure is not known', async () => {
  const store = await openReporting();
  await snapshot(store, noon(1), { X: { total: '10' } });
  await snapshot(store, noon(2), held('4'));
  await sweep(store, noon(2) + half);
  expect(await reconciled(store)).toMatchObject([
    { rewards: null, losses: null, unexplained: null, timing: null, is_explained: false },
  ]);
});

test('an outage of any length leaves undecided and then explains what happened just before it', async () => {
  for (const days of [6, 8, 40]) {
    const store = await openReporting();
    await snapshot(store, noon(1), held('100'));
    await snapshot(store, noon(2), held('105'));
    await see(store, noon(2 + days), [{ id: 'd', assetId: 'X', type: 'deposit', amount: '5' }]);
    await happenedAfter(store, 'd', noon(2) - half);
    await snapshot(store, noon(2 + days) + 1000, held('105'));
    await sweep(store, noon(2 + days) + 2000);
    expect(await reconciled(store), `${days} days`).toEqual([
      { ...plain, day: 2, timing: '5', closing: '5' },
      { ...plain, day: new Date(epoch + noon(2 + days)).getUTCDate(), timing: '-5', opening: '5' },
    ]);
  }
});

test('what is seen more than a week after the next observation is not uncertain', async () => {
  const store = await openReporting();
  for (const of of [1, 2, 3, 12]) await snapshot(store, noon(of), held(of === 1 ? '100' : '105'));
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

test('growth of the staked part is a reward, what is lost is a loss and not explained', async () => {
  const store = await openReporting();
  await snapshot(store, 2000, held('150', '100'));
  await snapshot(store, day + 1000, held('150.5', '100.5'));
  await snapshot(store, 2 * day + 1000, held('50', '0'));
  await snapshot(store, 3 * day + 1000, held('50', '0'));
  await sweep(store, 3 * day + 1500);
  expect(await reconciled(store)).toEqual([
    { ...plain, day: 2, rewards: '0.5' },
    { ...plain, day: 3, losses: '100.5', unexplained: '-100.5', is_explained: false },
    { ...plain, day: 4 },
  ]);
});

test('a staking that may lie on either side is neither a reward nor a loss', async () => {
  const store = await openReporting();
  const stake = { id: 's', assetId: 'X', type: 'stake', amount: '3' };
  await see(store, 1000, [{ ...stake, status: 'pending' }]);
  await snapshot(store, 2000, held('20'));
  await snapshot(store, day + 1000, held('20', '3'));
  await see(store, day + 1500, [{ ...stake, status: 'completed' }]);
  await happenedAfter(store, 's', day + 500);
  await snapshot(store, 2 * day, held('20', '3'));
  const none = { rewards: '0', losses: '0', unexplained: '0', is_explained: true };
  expect(await reconciled(store)).toMatchObject([none, none]);
});

test('an uncertain staking neither adds to the rewards of its day nor hides them', async () => {
  const [before, after, later] = [
    ['1000', '500'],
    ['1000.1', '440.1'],
    ['1000.1', '500.1'],
  ] as const;
  for (const [type, amount, noons] of [
    ['stake', '24', [before, ['1000.1', '524.1'], ['1000.1', '524.1']]],
    ['unstake', '60', [before, after, after]],
    ['unstake', '60', [before, later, after]],
  ] as const) {
    const store = await openReporting();
    await completeAround(store, 2, 's', type, amount);
    await tellNoons(store, noons);
    expect(await reconciled(store)).toEqual([
      { ...plain, day: 2, rewards: '0.1' },
      { ...plain, day: 3 },
    ]);
  }
});

test('an uncertain staking is undecided until the next observation, and open where a deposit is uncertain with it', async () => {
  const store = await openReporting();
  await completeAround(store, 2, 's', 'stake', '24');
  await tellNoons(store, [
    ['1000', '500'],
    ['1000.1', '524.1'],
  ]);
  const open = { day: 2, unexplained: null, timing: null, rewards: null, losses: null, is_explained: null };
  expect(await reconciled(store)).toEqual([{ ...open, opening: '0', closing: '0' }]);
  await completeAround(store, 2, 'd', 'deposit', '5');
  expect(await reconciled(store)).toEqual([{ ...open, opening: '0', closing: '5' }]);
});

test('an uncertain staking does not excuse a loss', async () => {
  const store = await openReporting();
  await completeAround(store, 2, 'u', 'unstake', '60');
  await tellNoons(store, [
    ['1000', '500'],
    ['976', '476'],
    ['1006', '446'],
  ]);
  expect(await reconciled(store)).toEqual([
    { ...plain, day: 2, losses: '24', unexplained: '-24', is_explained: false },
    { ...plain, day: 3, rewards: '30' },
  ]);
});

test('a staking of an unknown amount that may lie on either side does not make unknown what its amount does not touch', async () => {
  const store = await openReporting();
  const stake = { id: 's', assetId: 'X', type: 'stake' };
  await see(store, 1000, [{ ...stake, status: 'pending' }]);
  await snapshot(store, noon(1), held('100', '10'));
  await snapshot(store, noon(2), held('101', '11'));
  await snapshot(store, noon(3), held('99', '9'));
  await see(store, noon(3) + half, [stake]);
  await happenedAfter(store, 's', noon(1) + half);
  await sweep(store, noon(4));
  expect(await reconciled(store)).toEqual([
    { ...plain, day: 2, rewards: '1' },
    { ...plain, day: 3, losses: '2', unexplained: '-2', is_explained: false },
  ]);
});
