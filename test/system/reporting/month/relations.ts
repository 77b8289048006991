// What the views and functions that no ledger computes must show, moment by moment, of the account that is
// mirrored.
import type { Entry } from './answers.ts';

const none = null;
const allAlong: Entry = { from: 'unread' };

export const relations: Readonly<Record<string, Entry>> = {
  accounting_rules: allAlong,
  calendar: {
    from: 'unread',
    columns: ['day'],
    at: {
      unread: [['2025-06-01T00:00:00.000Z']],
      'balances fail, whitelist denied': [['2025-06-01T00:00:00.000Z'], ['2025-06-02T00:00:00.000Z']],
    },
  },
  // Nothing is sealed without a key.
  checkpoints: { from: 'never' },
  data_freshness: {
    from: 'unread',
    columns: ['resource', 'last_success_at', 'is_mirrored'],
    at: {
      unread: [
        ['balances', none, true],
        ['transactions', none, true],
        ['vaults', none, true],
        ['whitelist', none, true],
      ],
      end: [
        ['balances', '2025-06-30T11:50:02.000Z', true],
        ['transactions', '2025-06-30T11:50:01.000Z', true],
        ['vaults', none, false],
        ['whitelist', '2025-06-30T11:55:00.000Z', true],
      ],
    },
  },
  document_changes: {
    from: 'whitelist read',
    columns: [
      'kind',
      'document_id',
      'change',
      'observed_after',
      'observed_at',
      'changed_fields',
      'is_current',
    ],
    at: {
      'whitelist read': [
        ['whitelist_entry', 'w1', 'added', '2025-06-09T12:00:00.000Z', '2025-06-09T15:00:00.000Z', '', true],
      ],
    },
  },
  health_problems: {
    from: 'unread',
    columns: ['code', 'subject'],
    at: {
      unread: [['starting', 'account']],
      'balances fail, whitelist denied': [
        ['failing', 'balances'],
        ['key-refused', 'whitelist'],
        ['never-read', 'vaults'],
      ],
      'key unreadable': [
        ['key-refused', 'whitelist'],
        ['never-read', 'vaults'],
        ['quarantine', 'balances'],
      ],
      'odd transactions': [
        ['never-read', 'vaults'],
        ['quarantine', 'transactions'],
        ['anomaly', 'unknown-value'],
      ],
      down: [
        ['stopped', 'account'],
        ['never-read', 'vaults'],
        ['stale', 'balances'],
        ['stale', 'transactions'],
        ['stale', 'whitelist'],
        ['anomaly', 'unknown-value'],
        ['anomaly', 'missing'],
      ],
      'cold fails': [
        ['failing', 'balances'],
        ['never-read', 'vaults'],
        ['stale', 'balances'],
        ['anomaly', 'unknown-value'],
        ['anomaly', 'missing'],
      ],
      end: [
        ['anomaly', 'unknown-value'],
        ['anomaly', 'missing'],
      ],
    },
  },
  sync_health: {
    from: 'unread',
    columns: ['health', 'last_success_at', 'last_verified_sweep_at', 'complete_since'],
    at: {
      unread: [['starting', none, none, none]],
      end: [['healthy', '2025-06-30T11:55:00.000Z', '2025-06-30T11:50:01.000Z', '2025-06-02T11:55:01.000Z']],
    },
  },
  late_corrections: {
    from: 'late news',
    columns: ['day', 'measure', 'asset_id', 'as_reported', 'as_known_now', 'difference'],
    at: {
      end: [
        ['2025-06-10T00:00:00.000Z', 'completed_amount', 'BTC', 1, 1.5, 0.5],
        ['2025-06-10T00:00:00.000Z', 'in_amount', 'BTC', 1, 1.5, 0.5],
      ],
    },
  },
  reconciliation_postings: { from: 'balances read' },
  movement_values: { from: 'balances read' },
  reconciliation_uncertain: { from: 'balances read' },
  portfolio_value_daily: { from: 'balances read' },
  price_currencies: { from: 'balances read', columns: ['currency'], at: { 'balances read': [['USD']] } },
  settlement_history: {
    from: 'balances read',
    columns: ['transaction_id', 'amount', 'known_from', 'known_until'],
    at: { 'balances read': [['unlisted', 100, '2025-06-03T11:55:01.000Z', none]] },
  },
  // The stay of the one that left a status began before the mirror did.
  status_durations: { from: 'never' },
  half_erased_accounts: { from: 'never' },
  // Never read, then switched off.
  vaults: { from: 'never' },
  whitelist_history: {
    from: 'whitelist read',
    columns: ['entry_id', 'change', 'valid_after', 'valid_from', 'is_listed', 'is_current'],
    at: {
      'whitelist read': [['w1', 'added', '2025-06-09T12:00:00.000Z', '2025-06-09T15:00:00.000Z', true, true]],
    },
  },
};

/**
 * Functions that the views rest on, asked of one observation: of June 4 with a figure that could not be read,
 * and of the day before.
 */
export const functions: Readonly<Record<string, { readonly sql: string; readonly answer: Entry }>> = {
  'balances_shown()': {
    sql: `select b.asset_id, b.total_balance, b.is_known from custody.balance_snapshots s
      cross join reporting.balances_shown(s.account_id, s.vault_type, s.snapshot_at) as b
      where s.account_id = 'default' and s.vault_type = 'warm' and s.snapshot_at = '2025-06-04T11:55:02Z'`,
    answer: {
      from: 'figure unreadable',
      columns: ['asset_id', 'total_balance', 'is_known'],
      at: {
        end: [
          ['BTC', none, false],
          ['ETH', 40, true],
          ['SOL', 900, true],
          ['USDC', 899.5, true],
        ],
      },
    },
  },
  'price_known()': {
    sql: `select n.*, t.price as price_then from reporting.price_known('default', 'BTC', 'USD', '2025-06-04', 'infinity') n
      cross join reporting.price_known('default', 'BTC', 'USD', '2025-06-03Z', '2025-06-02Z') t`,
    answer: {
      from: 'balances read',
      columns: ['price', 'as_of', 'price_then'],
      at: {
        'balances read': [[100000, '2025-06-01T00:00:00.000Z', 100000]],
        end: [[100000, '2025-06-01T00:00:00.000Z', 100000]],
      },
    },
  },
  'reconciliation_between()': {
    sql: `select * from reporting.reconciliation_between('default', '2025-06-03T11:55:02Z', '2025-06-04T11:55:02Z')`,
    answer: {
      from: 'figure unreadable',
      columns: ['asset_id', 'opening_balance', 'closing_balance', 'difference'],
      at: {
        end: [
          ['BTC', 15, none, none],
          ['ETH', 40, 40, 0],
          ['SOL', 900, 900, 0],
          ['USDC', 899.5, 899.5, 0],
        ],
      },
    },
  },
  // What was posted around the first observation after the pause: each change lies somewhere between two
  // readings.
  'uncertain_postings()': {
    sql: `select * from reporting.uncertain_postings('default', '2025-06-12T19:50:02Z', null)`,
    answer: {
      from: 'cold fails',
      columns: ['asset_id', 'transactions', 'moved'],
      at: {
        end: [
          ['ETH', 1, 2.5],
          ['SOL', 1, 100],
        ],
      },
    },
  },
  'uncertain_lines()': {
    sql: `select * from reporting.uncertain_lines('default', '2025-06-12T19:50:02Z', null)`,
    answer: {
      from: 'cold fails',
      columns: ['asset_id', 'total_change'],
      at: {
        end: [
          ['ETH', -2.5],
          ['SOL', 100],
        ],
      },
    },
  },
};
