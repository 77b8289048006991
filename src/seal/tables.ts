// What is sealed: the columns of each table, and how their values are encoded. A column is added at a table
// with null in the rows that exist: null is left out, so that what was sealed before stays as it was. Nothing
// else here may change. docs/sealing-format.md says the same in words.
import { columnOf, type Field, type Fields } from '../domain/field.ts';
import { balanceFields, documentAttributes } from '../domain/fields.ts';
import type { Scalar } from './encoding.ts';

/** `texts` is an array of texts; `rows` are rows of other tables that are sealed with this one. */
export type ColumnType = Scalar | 'json' | 'texts' | 'rows';

export interface SealedTable {
  /** Beside account_id, with which it begins. */
  readonly key: readonly string[];
  /** Beside account_id. */
  readonly columns: Readonly<Record<string, ColumnType>>;
}

/** The columns of what is read from the service, as their table says: a new field is sealed by itself. */
function columnsOf(fields: Fields): Record<string, ColumnType> {
  const type = ({ kind }: Field) => (kind === 'amount' ? 'number' : kind === 'moment' ? 'moment' : 'text');
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [columnOf(name), type(field)]));
}

const identity = { vault_type: 'text', asset_id: 'text', network_id: 'text', valid_from: 'moment' } as const;
const identityKey = ['vault_type', 'asset_id', 'network_id', 'valid_from'] as const;

/** Rows that are leaves of their own, by their number. */
export const sealedTables = {
  'custody.transaction_status_history': {
    key: ['transaction_id', 'sequence'],
    columns: {
      transaction_id: 'text',
      sequence: 'number',
      from_status: 'text',
      to_status: 'text',
      observed_at: 'moment',
      source_timestamp: 'moment',
      run_id: 'number',
      observed_after: 'moment',
      change_id: 'number',
    },
  },
  'custody.transaction_revisions': {
    key: ['transaction_id', 'revision'],
    columns: {
      transaction_id: 'text',
      revision: 'number',
      observed_at: 'moment',
      changed_fields: 'texts',
      before: 'json',
      after: 'json',
      run_id: 'number',
      change_id: 'number',
    },
  },
  'custody.document_revisions': {
    key: ['kind', 'document_id', 'revision'],
    columns: {
      kind: 'text',
      document_id: 'text',
      revision: 'number',
      observed_at: 'moment',
      change: 'text',
      document: 'json',
      run_id: 'number',
      ...columnsOf(documentAttributes),
      change_id: 'number',
      observed_after: 'moment',
    },
  },
  'custody.balance_snapshots': {
    key: ['vault_type', 'snapshot_at'],
    columns: {
      vault_type: 'text',
      snapshot_at: 'moment',
      asked_at: 'moment',
      answered_at: 'moment',
      source_timestamp: 'moment',
      asset_count: 'number',
      changed_count: 'number',
      quarantined_count: 'number',
      unidentified_count: 'number',
      run_id: 'number',
      change_id: 'number',
      balances_began: 'rows',
      balances_ended: 'rows',
      unreadable_began: 'rows',
      unreadable_ended: 'rows',
    },
  },
  // What was thinned by one statement is one leaf, under the number that it drew.
  'sync.seal_thinned': { key: ['thinning_id'], columns: { thinning_id: 'number', thinned: 'json' } },
} as const satisfies Readonly<Record<string, SealedTable>>;

export type SealedTableName = keyof typeof sealedTables;

/**
 * Rows that are sealed with the snapshot with which they begin, and by their key with that which ends
 * them.
 */
export const intervalTables = {
  'custody.balances': {
    key: identityKey,
    columns: {
      ...identity,
      ...columnsOf(balanceFields),
      unchanged_since: 'moment',
      run_id: 'number',
      raw: 'json',
    },
  },
  'custody.unreadable_balances': { key: identityKey, columns: identity },
} as const satisfies Readonly<Record<string, SealedTable>>;

export type IntervalTableName = keyof typeof intervalTables;

/** The rows of this table alone may be thinned. */
export const snapshotTable: SealedTableName = 'custody.balance_snapshots';
