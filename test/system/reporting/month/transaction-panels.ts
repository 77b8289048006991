// What each panel of transactions must show, moment by moment: one withdrawal is open from the beginning and
// completed while nothing was read; a deposit is on hold, one has no amount, one could not be read, one
// went missing, one was corrected when its day was over.
import type { Entry } from './answers.ts';
import { fresh, health } from './operation-panels.ts';

const none = null;
const day = 86_400;

export const transactionPanels: Readonly<Record<string, Entry>> = {
  'Transactions: How fresh the data is': fresh,
  'Transactions: Health': health,
  'Transactions: Open': { each: [none, 1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1] },
  'Transactions: Open for long': { each: [none, 0, 1, 1, 1, 1, 1, 1, 2, 2, 1, 1] },
  'Transactions: Oldest open': {
    each: [
      none,
      // Since June 2, 11:55:01.
      299,
      day + 299,
      2 * day + 299,
      4 * day + 299,
      5 * day + 299,
      7 * day + 29_099,
      8 * day + 29_099,
      10 * day + 29_099,
      13 * day + 299,
      // The one on hold, since June 10, 19:50:01.
      8 * day - 28_201,
      20 * day - 28_201,
    ],
  },
  'Transactions: Settled': { each: [none, 0, 1, 1, 1, 1, 5, 8, 8, 8, 11, 11] },
  'Transactions: Unsuccessful share': { each: [none, none, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] },
  'Transactions: Rejection rate': { each: [none, none, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] },
  'Transactions: Open by age and status': {
    from: 'balances fail, whitelist denied',
    columns: ['age_band', 'pending', 'other'],
    at: {
      'balances read': [['1 to 3 days', 1, 0]],
      down: [
        ['3 to 7 days', 0, 1],
        ['over 7 days', 1, 0],
      ],
      end: [['over 7 days', 0, 1]],
    },
  },
  'Transactions: Open for long: the list': {
    from: 'balances read',
    columns: ['transaction_id', 'status'],
    at: {
      down: [
        ['open', 'pending'],
        ['on-hold', 'on hold'],
      ],
      end: [['on-hold', 'on hold']],
    },
  },
  'Transactions: Outcomes per day': {
    from: 'balances read',
    columns: ['time', 'completed', 'rejected'],
    at: {
      down: [
        ['2025-06-03T00:00:00.000Z', 1, 0],
        ['2025-06-09T00:00:00.000Z', 4, 0],
        ['2025-06-10T00:00:00.000Z', 3, 0],
      ],
    },
  },
  'Transactions: Unsuccessful share per day': { from: 'balances read' },
  'Transactions: Time in status': {
    from: 'cold fails',
    silent: ['cold fails', 'end'],
  },
  'Transactions: Net flow per day': {
    from: 'balances read',
    columns: ['time', 'metric', 'value'],
    at: {
      'odd transactions': [
        ['2025-06-03T00:00:00.000Z', 'USDC', -100],
        ['2025-06-09T00:00:00.000Z', 'USDC', -100],
        ['2025-06-10T00:00:00.000Z', 'BTC', 1],
        ['2025-06-10T00:00:00.000Z', 'ETH', 0.5],
        ['2025-06-10T00:00:00.000Z', 'USDC', none],
      ],
    },
  },
  'Transactions: Flows by asset': {
    from: 'balances read',
    columns: ['asset_id', 'deposits', 'in_amount', 'withdrawals', 'out_amount', 'net_amount'],
    at: {
      'whitelist read': [['USDC', 0, 0, 5, 200, -200]],
      end: [
        ['BTC', 2, 3.5, 0, 0, 3.5],
        ['ETH', 1, 0.5, 1, 2, -1.5],
        ['SOL', 1, 100, 0, 0, 100],
        ['USDC', 1, none, 5, 200, none],
      ],
    },
  },
  'Transactions: Fees': {
    from: 'balances read',
    columns: ['asset_id', 'fee_asset_is_assumed', 'fee'],
    at: {
      end: [
        ['ETH', true, 0.5],
        ['USDC', true, 2.5],
      ],
    },
  },
  'Transactions: Largest transfers': {
    from: 'balances read',
    columns: ['transaction_id', 'amount', 'value'],
    at: {
      // The price of USDC is known, the balance of BTC is not: the one does not need the other.
      'figure unreadable': [['unlisted', 100, 100]],
      end: [
        ['to-cold', 2, 200_000],
        ['corrected', 1.5, 150_000],
        ['on-hold', 3, 7500],
        ['vanishing', 0.5, 1250],
        ['unlisted', 100, 100],
        ['passing', 40, 40],
        ['while-listed', 30, 30],
        ['just-listed', 20, 20],
        ['while-empty', 10, 10],
        ['meanwhile', 100, none],
        ['no-amount', none, none],
      ],
    },
  },
  'Transactions: Withdrawals to destinations not whitelisted, or not known to be': {
    // While nobody may read the whitelist, every payment stands here.
    from: 'balances fail, whitelist denied',
    columns: ['transaction_id', 'is_whitelisted', 'whitelist_reason'],
    at: {
      'balances read': [
        ['open', none, 'unknown: the key may not read the whitelist'],
        ['unlisted', none, 'unknown: the key may not read the whitelist'],
      ],
      'whitelist read': [
        ['open', none, 'unknown: before the whitelist was first read'],
        ['unlisted', none, 'unknown: before the whitelist was first read'],
        ['just-listed', none, 'unknown: the whitelist changed between two readings'],
        ['while-empty', false, 'not listed'],
        // No reading shows an entry that came and went between two: docs/data.md says so.
        ['passing', false, 'not listed'],
      ],
    },
  },
  'Transactions: Destinations': {
    from: 'balances fail, whitelist denied',
    columns: [
      'destination_name',
      'asset_id',
      'non_whitelisted_uses',
      'unknown_whitelist_uses',
      'whitelisted_now',
    ],
    at: {
      'balances read': [
        ['w9', 'ETH', none, 1, none],
        ['w9', 'USDC', none, 1, none],
      ],
      end: [
        ['w9', 'ETH', 0, 1, false],
        ['w9', 'USDC', 0, 1, false],
        ['w0', 'USDC', 1, 0, false],
        ['w1', 'USDC', 0, 1, true],
        ['w2', 'USDC', 1, 0, false],
      ],
    },
  },
  'Transactions: Whitelist changes': {
    from: 'whitelist read',
    columns: ['entry_id', 'change', 'observed_at'],
    at: { end: [['w1', 'added', '2025-06-09T15:00:00.000Z']] },
  },
};
