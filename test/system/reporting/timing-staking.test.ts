// The same of what is staked: rewards and losses beside a staking that may lie on either side.
import { expect, test } from 'vitest';
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

test('a staking of an unknown amount that may lie on either side does not make unknown what its amount does not touch', async () => {
  const store = await openReporting();
  const stake = { id: 's', assetId: 'X', type: 'stake' };
  const staked = (total: string, staking: string) => ({ X: { total, staking, claimable: '0' } });
  await see(store, 1000, [{ ...stake, status: 'pending' }]);
  await snapshot(store, noon(1), staked('100', '10'));
  await snapshot(store, noon(2), staked('101', '11'));
  await snapshot(store, noon(3), staked('99', '9'));
  await see(store, noon(3) + half, [stake]);
  await happenedAfter(store, 's', noon(1) + half);
  await sweep(store, noon(4));
  expect(await reconciled(store)).toEqual([
    { ...plain, day: 2, rewards: '1' },
    { ...plain, day: 3, losses: '2', unexplained: '-2', is_explained: false },
  ]);
});
