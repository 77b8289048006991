// Balances and transactions are read at different moments: what may lie on either side of an observation is told as such, and
// neither hides what nothing explains nor passes for it. A moment within an observation is answered by its bounds.
import { expect, test } from 'vitest';
import { account, epoch, type Store } from '../../support/store.ts';
import { day, openReporting, see, snapshot } from './told.ts';

const parts = { staking: '0', claimable: '0' };

/** The status change that was seen last of a transaction happened after a moment. */
async function happenedAfter(store: Store, id: string, at: number): Promise<void> {
  await store.query(
    `begin; set local session_replication_role = replica;
     update custody.transaction_status_history h set observed_after = to_timestamp(${(epoch + at) / 1000})
     where transaction_id = '${id}' and sequence = (select max(sequence) from custody.transaction_status_history where transaction_id = '${id}');
     commit`,
  );
}

/** A sweep of the transactions begins at a moment, and finds nothing else. */
async function sweep(store: Store, at: number): Promise<void> {
  const moment = `to_timestamp(${(epoch + at) / 1000})`;
  await store.query(
    `insert into sync.runs (account_id, job, mode, status, started_at, finished_at)
     values ('${account}', 'transactions', 'full', 'succeeded', ${moment}, ${moment})`,
  );
}

const reconciled = (store: Store, asset = 'X') =>
  store.query(
    `select extract(day from day)::int as day, unexplained_difference as unexplained, timing_difference as timing, is_explained,
       staking_rewards as rewards, staking_losses as losses, uncertain_at_opening as opening, uncertain_at_closing as closing
     from reporting.reconciliation_daily where opening_observed_at is not null and asset_id = $1 order by day`,
    [asset],
  );

const none = { rewards: '0', losses: '0', opening: '0', closing: '0' };
const plain = { unexplained: '0', timing: '0', is_explained: true, ...none };

/** A withdrawal of 5 that the balances of the second day hold, and that the transactions showed half a second later. */
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

test('growth of the staked part is a reward, what is lost is a loss and not explained', async () => {
  const store = await openReporting();
  const staked = (total: string, staking: string) => ({ X: { total, staking, claimable: '0' } });
  await snapshot(store, 2000, staked('150', '100'));
  await snapshot(store, day + 1000, staked('150.5', '100.5'));
  await snapshot(store, 2 * day + 1000, staked('50', '0'));
  await snapshot(store, 3 * day + 1000, staked('50', '0'));
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
  await snapshot(store, 2000, { X: { total: '20', ...parts } });
  await snapshot(store, day + 1000, { X: { total: '20', staking: '3', claimable: '0' } });
  await see(store, day + 1500, [{ ...stake, status: 'completed' }]);
  await happenedAfter(store, 's', day + 500);
  await snapshot(store, 2 * day, { X: { total: '20', staking: '3', claimable: '0' } });
  const rows = await reconciled(store);
  expect(
    rows.map(({ rewards, losses, unexplained, is_explained }) => [
      rewards,
      losses,
      unexplained,
      is_explained,
    ]),
  ).toEqual([
    ['0', '0', '0', true],
    ['0', '0', '0', true],
  ]);
});

/** Balances of X at the noon of each day, as [total, staked], and sweeps half a minute before and after each. */
async function tellNoons(store: Store, noons: readonly (readonly [string, string])[]): Promise<void> {
  for (const [index, [total, staking]] of noons.entries()) {
    const at = noon(index + 1);
    await sweep(store, at - half);
    await snapshot(store, at, { X: { total, staking, claimable: '0' } }, 'all', 1000);
    await sweep(store, at + half);
  }
}

const half = 30_000;
const noon = (of: number) => (of - 1) * day + day / 2;

/** A change of the balances that is seen half a minute after the noon of a day: an unstaking appears, others are completed. */
async function completeAround(store: Store, of: number, id: string, type: string, amount: string) {
  const told = { id, assetId: 'X', type, amount };
  if (type !== 'unstake') await see(store, noon(1) - half, [{ ...told, status: 'pending' }]);
  await see(store, noon(of) + half, [{ ...told, status: type === 'unstake' ? 'pending' : 'completed' }]);
  await happenedAfter(store, id, noon(of) - half);
}

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

test('an uncertain staking neither adds to the rewards of its day nor hides them', async () => {
  for (const [type, amount, noons] of [
    [
      'stake',
      '24',
      [
        ['1000', '500'],
        ['1000.1', '524.1'],
        ['1000.1', '524.1'],
      ],
    ],
    [
      'unstake',
      '60',
      [
        ['1000', '500'],
        ['1000.1', '440.1'],
        ['1000.1', '440.1'],
      ],
    ],
    [
      'unstake',
      '60',
      [
        ['1000', '500'],
        ['1000.1', '500.1'],
        ['1000.1', '440.1'],
      ],
    ],
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

test('a certain loss decides, though another figure is not known', async () => {
  const store = await openReporting();
  await snapshot(store, noon(1), { X: { total: '10' } });
  await snapshot(store, noon(2), { X: { total: '4', ...parts } });
  await sweep(store, noon(2) + half);
  expect(await reconciled(store)).toMatchObject([
    { rewards: null, losses: null, unexplained: null, timing: null, is_explained: false },
  ]);
});

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
