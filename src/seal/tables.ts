// What is sealed: the rows of these tables, with all their columns. A new column is null in existing rows,
// and null is left out, so everything that was sealed before stays valid. Nothing else about these tables may
// change. docs/sealing-format.md says the same in words.

import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core';
import { balanceSnapshots, balances, unreadableBalances } from '../../drizzle/balances.ts';
import { documentRevisions, vaults, whitelistEntries } from '../../drizzle/documents.ts';
import { transactionRevisions, transactionStatusHistory } from '../../drizzle/transaction-history.ts';
import { transactions } from '../../drizzle/transactions.ts';
import { columnOf, type Fields, namesOf } from '../domain/fields.ts';
import { type BinaryTypeName, isBinaryType } from '../store/postgres/copy-out.ts';
import { catalogsRead } from '../store/schema/plain-tables.ts';
import { momentOfText } from '../store/values/micros.ts';

export interface SealedTable {
  readonly name: string;
  /** Names of columns, account_id first. */
  readonly key: readonly string[];
  /** By name, with PostgreSQL's types. */
  readonly columns: ReadonlyMap<string, BinaryTypeName>;
  /**
   * The weight of a row, as SQL, in about its stored bytes: a document may be large, many balances may
   * change.
   */
  readonly weight: string;
}

/** Its size in memory, at most: PostgreSQL compresses values longer than 2,000 bytes. */
const weightOf = (column: string) =>
  `pg_column_size(${column}) * case when pg_column_size(${column}) < 2000 then 1 else 100 end`;

function sealed(table: PgTable, weight = '0'): SealedTable {
  const { schema = '', name, columns, primaryKeys } = getTableConfig(table);
  const typed = columns.map((column) => {
    const type = column.getSQLType();
    if (!isBinaryType(type)) throw new TypeError(`${name}.${column.name} has a type that cannot be read`);
    return [column.name, type] as const;
  });
  const key = primaryKeys[0]?.columns.map((column) => column.name) ?? [];
  return { name: `${schema}.${name}`, key, columns: new Map(typed), weight };
}

/** Its rows are sealed together with the intervals that begin or end there. */
export const snapshotTable = sealed(balanceSnapshots, '100.0 * changed_count');

export const sealedTables: readonly SealedTable[] = [
  sealed(transactionStatusHistory),
  sealed(transactionRevisions, `${weightOf('before')} + ${weightOf('after')}`),
  sealed(documentRevisions, weightOf('document')),
  snapshotTable,
];

/** Rows are sealed with the snapshot that begins them, and by their keys with the one that ends them. */
export const balancesTable = sealed(balances);
export const unreadableTable = sealed(unreadableBalances);
export const intervalTables: readonly SealedTable[] = [balancesTable, unreadableTable];

/** The tables that people read: they follow from the history. */
export const presentTables: readonly SealedTable[] = [transactions, vaults, whitelistEntries].map((table) =>
  sealed(table),
);

export const provenTables: readonly SealedTable[] = [...sealedTables, ...intervalTables, ...presentTables];

/** Every table that is read to seal or verify. */
export const tablesRead: readonly Pick<SealedTable, 'name' | 'columns'>[] = [
  ...provenTables,
  ...['sync.seal_checkpoints', 'internal.seal_tiles'].map((name) => ({ name, columns: new Map() })),
];

/** One state of the database, in which nothing takes the place of these tables. */
export const readingState = {
  snapshot: true,
  locks: [...tablesRead.map(({ name }) => name), ...catalogsRead],
  lockTimeoutMs: 60_000,
  statementTimeoutMs: 0,
  // The rows are sorted between two statements.
  idleTransactionTimeoutMs: 600_000,
  wayMs: 65_000,
} as const;

/** Gives the columns of a table of fields, with the values of a record that was read again. */
export function columnsOf(table: Fields) {
  const columns = namesOf(table).map(
    (name) => [name, columnOf(name), table[name]?.kind === 'moment'] as const,
  );
  return (record: Readonly<Record<string, unknown>>) =>
    columns.map(([name, column, isMoment]) => {
      const value = typeof record[name] === 'string' ? record[name] : null;
      return [column, isMoment && value !== null ? momentOfText(value) : value] as const;
    });
}
