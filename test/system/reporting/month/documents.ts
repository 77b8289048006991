// What each query of docs/sql.md must answer, moment by moment.
import { type Entry, fromStranger } from './answers.ts';

const none = null;

export const documents: Readonly<Record<string, Entry>> = {
  // Of ETH since June 10; a day on which nothing was observed has no row.
  '1.1': {
    from: 'odd transactions',
    columns: ['day', 'total_balance'],
    at: {
      down: [
        ['2025-06-10T00:00:00.000Z', 44.5],
        ['2025-06-12T00:00:00.000Z', 40],
      ],
    },
  },
  '2.1': {
    from: 'figure unreadable',
    silent: fromStranger,
    columns: ['asset_id', 'staking_balance'],
    at: { 'figure unreadable': [['BTC', none]], 'key unreadable': [['SOL', none]] },
  },
  '3.1': {
    from: 'balances read',
    columns: ['asset_id', 'warm_total', 'cold_total', 'agrees'],
    at: {
      'key unreadable': [
        ['BTC', 10, 5, true],
        ['ETH', 40, 0, true],
        ['SOL', none, 0, none],
        ['USDC', 899.5, 0, true],
      ],
    },
  },
  '4.1': {
    from: 'balances fail, whitelist denied',
    silent: ['cold fails', 'end'],
    columns: ['status', 'withdrawals'],
    at: { down: [['pending', 1]] },
  },
  '4.2': {
    from: 'balances fail, whitelist denied',
    silent: ['cold fails', 'end'],
    columns: ['status', 'amount'],
    at: { down: [['pending', 2]] },
  },
  // The one stay that ended began before the mirror: nobody knows how long it was.
  '5.1': { from: 'never' },
  '6.1': {
    from: 'balances read',
    columns: ['day', 'in_amount', 'out_amount', 'net_amount'],
    at: {
      end: [
        ['2025-06-03T00:00:00.000Z', 0, 100, -100],
        ['2025-06-09T00:00:00.000Z', 0, 100, -100],
        ['2025-06-10T00:00:00.000Z', none, 0, none],
      ],
    },
  },
  '7.1': {
    from: 'balances read',
    columns: ['fee_asset_id', 'fee'],
    at: { 'whitelist read': [['USDC', 2.5]] },
  },
  '8.1': {
    from: 'balances fail, whitelist denied',
    columns: ['is_whitelisted', 'withdrawals'],
    at: {
      'balances read': [[none, 2]],
      end: [
        [false, 2],
        [true, 1],
        [none, 2],
        [none, 1],
      ],
    },
  },
  '8.2': {
    from: 'balances read',
    columns: ['amount', 'is_whitelisted', 'before', 'after'],
    at: {
      'balances read': [[100, none, none, none]],
      end: [
        [100, none, none, false],
        [10, false, false, false],
        [20, none, false, true],
        [40, false, false, false],
      ],
    },
  },
  '8.3': {
    from: 'balances fail, whitelist denied',
    columns: ['destination_name', 'off', 'unknown', 'listed_then', 'listed_now'],
    at: { 'balances fail, whitelist denied': [['w9', none, 1, none, none]] },
  },
  '9.1': {
    from: 'balances read',
    columns: ['transaction_type', 'settled'],
    at: { 'balances read': [['withdraw', 1]] },
  },
  '10.1': {
    from: 'balances read',
    columns: ['is_comparable', 'is_explained', 'asset_days'],
    at: {
      'figure unreadable': [
        [false, none, 4],
        [true, true, 7],
        [true, none, 1],
      ],
    },
  },
  '10.2': { from: 'late news', columns: ['asset_id', 'inflow'], at: { end: [['BTC', 0.5]] } },
  '11.1': {
    from: 'balances read',
    columns: ['asset_id', 'amount', 'usd'],
    at: {
      end: [
        ['USDC', none, none],
        ['BTC', 2, 200_000],
        ['BTC', 1.5, 150_000],
        ['ETH', 3, 7500],
        ['ETH', 0.5, 1250],
      ],
    },
  },
  '11.2': {
    from: 'balances read',
    columns: ['asset_id', 'usd', 'percent'],
    at: {
      'figure unreadable': [
        ['BTC', none, none],
        ['ETH', 100_000, none],
        ['USDC', 900, none],
      ],
      end: [
        ['BTC', 1_850_000, 95.1],
        ['ETH', 93_750, 4.8],
        ['USDC', 798, 0],
      ],
    },
  },
  '12.1': { from: 'unread' },
  '12.2': {
    from: 'unread',
    columns: ['health', 'last_verified_sweep_at'],
    at: { unread: [['starting', none]] },
  },
};
