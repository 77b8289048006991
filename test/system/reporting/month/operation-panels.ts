// What each panel of operations must show, moment by moment, and what stands on every dashboard.
import type { Entry } from './answers.ts';

const none = null;
/** Seconds from the reading of transactions just before. */
const [soon, later] = [299, 599];
const day = 86_400;

export const health: Entry = {
  each: [
    'starting',
    'failing',
    'failing',
    'failing',
    'failing',
    'failing',
    'starting',
    'starting',
    'starting',
    'stopped',
    'failing',
    'healthy',
  ],
};

export const fresh: Entry = {
  from: 'unread',
  columns: ['resource', 'last_success_at', 'lag', 'last_verified_at', 'is_failing', 'quarantined_records'],
  at: {
    unread: [
      ['balances', none, none, none, false, 0],
      ['transactions', none, none, none, false, 0],
      ['vaults', none, none, none, false, 0],
      ['whitelist', none, none, none, false, 0],
    ],
    'balances fail, whitelist denied': [
      ['balances', none, none, none, true, 0],
      ['transactions', '2025-06-02T11:55:01.000Z', soon, '2025-06-02T11:55:01.000Z', false, 0],
      ['vaults', none, none, none, false, 0],
      ['whitelist', none, none, none, true, 0],
    ],
    'cold fails': [
      ['balances', '2025-06-17T11:55:02.000Z', day + 298, '2025-06-17T11:55:02.000Z', true, 0],
      ['transactions', '2025-06-18T11:55:01.000Z', soon, '2025-06-18T11:55:01.000Z', false, 0],
      ['vaults', none, none, none, false, 0],
      ['whitelist', '2025-06-18T11:56:00.000Z', 240, '2025-06-18T11:56:00.000Z', false, 0],
    ],
  },
};

/** What the jobs did: told from the first of them on. */
const ofRuns: Entry = { from: 'balances fail, whitelist denied' };

export const operationPanels: Readonly<Record<string, Entry>> = {
  'Operations: How fresh the data is': fresh,
  'Operations: Health': health,
  'Operations: Lease holder': { each: order12('test', { 9: 'none' }) },
  'Operations: Failing resources': { each: [0, 2, 1, 1, 1, 1, 0, 0, 0, 0, 1, 0] },
  'Operations: Stale resources': { each: [0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 1, 0] },
  'Operations: Open findings': { each: [0, 0, 0, 0, 0, 0, 0, 1, 2, 2, 2, 2] },
  'Operations: Quarantined': { each: [0, 0, 0, 3, 2, 3, 0, 1, 0, 0, 0, 0] },
  'Operations: Since a verified sweep': {
    each: [none, soon, soon, soon, soon, soon, later, 35_999, later, 230_999, soon, later],
  },
  'Operations: The mirror': {
    from: 'unread',
    columns: ['lag', 'runs_24h', 'last_verified_sweep_at', 'complete_since'],
    at: {
      unread: [[none, 0, none, none]],
      'balances fail, whitelist denied': [[soon, 3, '2025-06-02T11:55:01.000Z', '2025-06-02T11:55:01.000Z']],
      down: [[230_999, 0, '2025-06-12T19:50:01.000Z', '2025-06-02T11:55:01.000Z']],
    },
  },
  'Operations: Requests per hour': ofRuns,
  'Operations: Rate limiting and retries per hour': ofRuns,
  'Operations: Runs per hour': ofRuns,
  'Operations: Longest run per hour': ofRuns,
  'Operations: Records per hour': ofRuns,
  'Operations: Sweeps of all transactions': ofRuns,
  'Operations: Runs that failed': ofRuns,
  'Operations: Latest runs': ofRuns,
  'Operations: Open anomalies': {
    from: 'odd transactions',
    columns: ['kind', 'resource', 'resource_id'],
    at: {
      end: [
        ['unknown-value', 'transactions', 'status:on hold'],
        ['missing', 'transactions', 'vanishing'],
      ],
    },
  },
  'Operations: Quarantine': { from: 'figure unreadable' },
  'Operations: Unexplained differences': {
    from: 'figure unreadable',
    columns: ['day', 'asset_id', 'is_explained', 'unexplained_difference'],
    at: { 'figure unreadable': [['2025-06-04T00:00:00.000Z', 'BTC', none, none]] },
  },
  'Operations: What was learned about the service': ofRuns,
};

/** The same for every moment but those that are named by their place. */
function order12(value: unknown, other: Readonly<Record<number, unknown>> = {}): readonly unknown[] {
  return Array.from({ length: 12 }, (_, place) => (place in other ? other[place] : value));
}
