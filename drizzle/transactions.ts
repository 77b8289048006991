// One row per transaction, as last observed. `changed_at` is when the answer that last changed the row had
// arrived; an answer whose request began before that may not change the row. `content_hash` is the digest of
// the content without its timestamp.
import { type SQLWrapper, sql } from 'drizzle-orm';
import { type AnyPgColumn, check, index, jsonb, primaryKey, text } from 'drizzle-orm/pg-core';
import { type Field, type NamesOf, namesOf, transactionFields } from '../src/domain/fields.ts';
import { ofAccount } from './accounts.ts';
import { fieldColumns } from './field-columns.ts';
import { custody, moment } from './schemas.ts';

/** The expression of the index. */
function destinationKey(table: Record<DestinationColumn, AnyPgColumn>) {
  const { destinationType, destinationId, destinationAddress, assetId, networkId } = table;
  return sql`custody.destination_key(${destinationType}, ${destinationId}, ${destinationAddress}, ${assetId}, ${networkId})`;
}

type DestinationColumn = 'destinationType' | 'destinationId' | 'destinationAddress' | 'assetId' | 'networkId';

/** Columns that the index of digests serves, by their numbers there. */
export type FilterColumn = NamesOf<typeof transactionFields, { filter: { digest: number } }>;
const numbers = new Map(
  namesOf(transactionFields)
    .flatMap((name) => (isFilterColumn(name) ? [[name, transactionFields[name].filter.digest] as const] : []))
    .sort(([, a], [, b]) => a - b),
);
export const filterColumns = [...numbers.keys()];

function isFilterColumn(name: keyof typeof transactionFields): name is FilterColumn {
  const { filter }: Field = transactionFields[name];
  return filter?.digest !== undefined;
}

/**
 * The key of a value in a column of an account: a digest, because texts from outside may be too long for an
 * index.
 */
export function filterKey(accountId: SQLWrapper, column: FilterColumn, value: SQLWrapper) {
  return sql`hashtextextended(${value}, hashtextextended(${accountId}, ${sql.raw(String(numbers.get(column)))}))`;
}

/** The keys of a row, as the index has them. */
export function filterKeys(table: Record<FilterColumn | 'accountId', SQLWrapper>) {
  const keys = filterColumns.map((column) => filterKey(table.accountId, column, table[column]));
  return sql`(array[${sql.join(keys, sql`, `)}])`;
}

/** While which it had another status than it has now; empty where it never had one. */
export function earlierStatuses(table: Record<'firstSeenAt' | 'statusChangedAt', SQLWrapper>) {
  return sql`tstzrange(least(${table.firstSeenAt}, ${table.statusChangedAt}), ${table.statusChangedAt})`;
}

export function hadOtherStatuses(table: Record<'firstSeenAt' | 'statusChangedAt', SQLWrapper>) {
  return sql`${table.firstSeenAt} < ${table.statusChangedAt}`;
}

type SearchedColumn =
  | 'transactionId'
  | 'txnHash'
  | 'sourceAddress'
  | 'destinationAddress'
  | 'destinationMemo'
  | 'note';

/** By what a search finds a row, as the index has it. */
export function searchTerms(table: Record<SearchedColumn, SQLWrapper>) {
  const { transactionId, txnHash, sourceAddress, destinationAddress, destinationMemo, note } = table;
  return sql`custody.search_terms(${transactionId}, ${txnHash}, ${sourceAddress}, ${destinationAddress}, ${destinationMemo}, ${note})`;
}

export const transactions = custody.table(
  'transactions',
  {
    accountId: ofAccount(),
    ...fieldColumns(transactionFields),
    firstSeenAt: moment('first_seen_at').notNull(),
    statusChangedAt: moment('status_changed_at').notNull(),
    changedAt: moment('changed_at').notNull(),
    missingSince: moment('missing_since'),
    contentHash: text('content_hash').notNull(),
    raw: jsonb('raw').notNull(),
    firstSeenAfter: moment('first_seen_after'),
  },
  (table) => [
    primaryKey({ name: 'transactions_pkey', columns: [table.accountId, table.transactionId] }),
    // Every status that is not final, so that undocumented ones are included. In the order of the lists: the
    // statistics may take the open ones for many when there are none, and PostgreSQL would walk over all
    // transactions to find the oldest of them.
    index('transactions_open_idx')
      .on(table.accountId, table.firstSeenAt, table.transactionId)
      .where(sql`${table.status} not in ('completed', 'rejected', 'cancelled', 'failed')`),
    // The order in which /custody and /api list transactions. Deep pages are found in the index alone, and so
    // is which rows of the order lie between bounds of the amount: too many to be fetched and sorted may
    // still be few among those that are walked over.
    index('transactions_first_seen_idx').on(
      table.accountId,
      table.firstSeenAt,
      table.transactionId,
      table.missingSince,
      sql`trim_scale(${table.amount})`,
    ),
    index('transactions_status_changed_idx').on(table.accountId, table.statusChangedAt),
    // For ranges of amounts as reporting.transactions shows them, and for what changed lately.
    index('transactions_amount_idx').on(table.accountId, sql`trim_scale(${table.amount})`),
    index('transactions_changed_idx').on(table.accountId, table.changedAt),
    // Finds the withdrawals to one destination. By a digest, because texts from outside may be too long for
    // an index.
    index('transactions_destination_idx')
      .on(table.accountId, destinationKey(table), table.firstSeenAt)
      .where(sql`${table.transactionType} = 'withdraw'`),
    // Finds what few transactions have, for any filter and all of them together. One index of digests costs a
    // sweep a quarter of what an ordered index for each column would, and is a tenth as large. What many have
    // is found in the order of the list.
    index('transactions_filter_idx').using('gin', filterKeys(table)),
    // Finds a transaction by the beginning of its identifier, hash or addresses, and by words of its memo and
    // note.
    index('transactions_search_idx').using('gin', searchTerms(table)),
    // Finds what had another status at a moment. What the first sweep saw and nothing changed since is left
    // out.
    index('transactions_earlier_statuses_idx')
      .using('gist', earlierStatuses(table))
      .where(hadOtherStatuses(table)),
    // Finds the few transactions that the service no longer shows.
    index('transactions_missing_idx')
      .on(table.accountId, table.transactionId)
      .where(sql`${table.missingSince} is not null`),
    check('transactions_first_seen_after_before_at', sql`${table.firstSeenAfter} <= ${table.firstSeenAt}`),
    check(
      'transactions_amounts_finite',
      sql`${table.amount} not in ('NaN', 'Infinity', '-Infinity') and ${table.fee} not in ('NaN', 'Infinity', '-Infinity')`,
    ),
  ],
);
