// What each panel of the portfolio must show, moment by moment. The figures are those of the month as
// world.ts plays it: 15 BTC, of which 5 are cold, 40 ETH, 900 SOL and 1,000 USDC to begin with; a BTC is
// worth 100,000 USD, an ETH 2,500, a USDC 1, and nobody knows what a SOL is worth.
import { type Entry, fromStranger } from './answers.ts';
import { fresh, health } from './operation-panels.ts';

const none = null;
/** Before balances are read, and while a record of them cannot be. */
const value = { early: [none, none], unknown: [none, none, none] };

export const portfolioPanels: Readonly<Record<string, Entry>> = {
  'Portfolio: How fresh the data is': fresh,
  'Portfolio: Health': health,
  'Portfolio: Value': {
    each: [
      ...value.early,
      1_600_899.5,
      ...value.unknown,
      1_600_797.5,
      1_712_047.5,
      1_750_797.5,
      1_750_797.5,
      1_944_547.5,
      1_944_547.5,
    ],
  },
  'Portfolio: Assets without a price': { each: [none, none, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1] },
  'Portfolio: Cold share of the value': {
    each: [
      ...value.early,
      500_000 / 1_600_899.5,
      ...value.unknown,
      500_000 / 1_600_797.5,
      500_000 / 1_712_047.5,
      500_000 / 1_750_797.5,
      500_000 / 1_750_797.5,
      // Warm is of today, cold of yesterday.
      none,
      700_000 / 1_944_547.5,
    ],
  },
  'Portfolio: Warm and cold disagree': { each: [none, none, 0, 1, 1, 3, 0, 0, 0, 0, 0, 0] },
  'Portfolio: Unknown balances': { each: [none, none, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0] },
  'Portfolio: Balances': {
    from: 'balances read',
    columns: ['asset_id', 'total_balance', 'is_known'],
    at: {
      'balances read': [
        ['BTC', 15, true],
        ['ETH', 40, true],
        ['SOL', 900, true],
        ['USDC', 899.5, true],
      ],
      'figure unreadable': [
        ['BTC', none, false],
        ['ETH', 40, true],
        ['SOL', 900, true],
        ['USDC', 899.5, true],
      ],
      'key unreadable': [
        ['BTC', 15, true],
        ['ETH', 40, true],
        ['SOL', none, false],
        ['USDC', 899.5, true],
      ],
      end: [
        ['BTC', 18.5, true],
        ['ETH', 37.5, true],
        ['SOL', 1000, true],
        ['USDC', 797.5, true],
      ],
    },
  },
  'Portfolio: Warm and cold': {
    from: 'balances read',
    columns: ['asset_id', 'warm_total', 'cold_total', 'all_total', 'agrees', 'observed_at'],
    at: {
      'figure unreadable': [
        ['BTC', none, none, none, none, '2025-06-04T11:55:02.000Z'],
        ['ETH', 40, 0, 40, true, '2025-06-04T11:55:02.000Z'],
        ['SOL', 900, 0, 900, true, '2025-06-04T11:55:02.000Z'],
        ['USDC', 899.5, 0, 899.5, true, '2025-06-04T11:55:02.000Z'],
      ],
      'stranger unreadable': [
        ['BTC', 10, 5, 15, true, '2025-06-07T11:55:02.000Z'],
        ['ETH', 40, none, 40, none, '2025-06-07T11:55:02.000Z'],
        ['SOL', 900, none, 900, none, '2025-06-07T11:55:02.000Z'],
        ['USDC', 899.5, none, 899.5, none, '2025-06-07T11:55:02.000Z'],
      ],
      'cold fails': [
        ['BTC', 11.5, 5, 16.5, true, '2025-06-17T11:55:02.000Z'],
        ['ETH', 37.5, 0, 37.5, true, '2025-06-17T11:55:02.000Z'],
        ['SOL', 1000, 0, 1000, true, '2025-06-17T11:55:02.000Z'],
        ['USDC', 797.5, 0, 797.5, true, '2025-06-17T11:55:02.000Z'],
      ],
    },
  },
  // Nothing is staked; what may be is told as unknown.
  'Portfolio: Staked and claimable': {
    from: 'figure unreadable',
    silent: fromStranger,
    columns: ['asset_id', 'staking_balance', 'is_known'],
    at: { 'figure unreadable': [['BTC', none, false]], 'key unreadable': [['SOL', none, false]] },
  },
  'Portfolio: Concentration': {
    from: 'balances read',
    columns: ['asset_id', 'value', 'share'],
    at: {
      'figure unreadable': [
        ['BTC', none, none],
        ['ETH', 100_000, none],
        ['USDC', 899.5, none],
      ],
      'stranger unreadable': [
        ['BTC', 1_500_000, none],
        ['ETH', 100_000, none],
        ['USDC', 899.5, none],
      ],
      end: [
        ['BTC', 1_850_000, 1_850_000 / 1_944_547.5],
        ['ETH', 93_750, 93_750 / 1_944_547.5],
        ['USDC', 797.5, 797.5 / 1_944_547.5],
      ],
    },
  },
  'Portfolio: Value by asset': { from: 'balances read' },
  'Portfolio: Balance by asset': {
    from: 'balances read',
    columns: ['time', 'metric', 'value'],
    at: {
      'figure unreadable': [
        ...['2025-06-02T20:00:02.000Z', '2025-06-03T11:55:02.000Z', '2025-06-04T11:55:02.000Z'].flatMap(
          (time, index) => [
            [time, 'BTC', index === 2 ? none : 15],
            [time, 'ETH', 40],
            [time, 'SOL', 900],
            [time, 'USDC', index === 0 ? 1000 : 899.5],
          ],
        ),
      ],
    },
  },
  'Portfolio: Balance changes': {
    from: 'balances read',
    columns: ['asset_id', 'change', 'total_change'],
    at: {
      // What could not be read came back as it was: no change.
      'stranger unreadable': [['USDC', 'changed', -100.5]],
      end: [
        ['USDC', 'changed', -100.5],
        ['USDC', 'changed', -102],
        ['BTC', 'changed', 1],
        ['ETH', 'changed', 4.5],
        ['BTC', 'changed', 0.5],
        ['ETH', 'changed', -4.5],
        ['ETH', 'changed', -2.5],
        ['SOL', 'changed', 100],
        ['BTC', 'changed', 2],
      ],
    },
  },
};
