// The transactions that /custody shows: those that the service still shows, in the order of first_seen_at and transaction_id.
// A page is found by its keys, and only its own rows are read.
import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { accounts } from '../../../../drizzle/accounts.ts';
import { transactionRanges } from '../../../../drizzle/transaction-ranges.ts';
import { type FilterColumn, filterColumns, transactions } from '../../../../drizzle/transactions.ts';
import { type Database, readOne } from '../../postgres/database.ts';
import { fixedSql, frequentValue } from '../../postgres/fixed-sql.ts';
import { type Micros, microsToIso } from '../../values/micros.ts';
import { digestFilter } from '../list/digest-filter.ts';
import { transactionRecord } from './records.ts';

/** Each member that is given must be equal; the moments are inclusive bounds of first_seen_at. */
export interface TransactionFilter extends Readonly<Partial<Record<FilterColumn, string>>> {
  readonly transactionId?: string;
  readonly firstSeenFrom?: Micros;
  readonly firstSeenTo?: Micros;
}

export interface Window {
  readonly limit: number;
  readonly offset: number;
}

const { firstSeenAt, transactionId } = transactions;
const t = alias(transactions, 't');
const { text, joins } = transactionRecord(t);
const record = { text: fixedSql(text), joins: fixedSql(joins) };
const equals = digestFilter(transactions);

/** From this offset on it pays to look up the range in which the page begins. */
const deepOffset = 5_000;

/** The texts of the records of one page. */
export async function readTransactionPage(
  database: Database,
  account: string,
  filter: TransactionFilter,
  window: Window,
): Promise<readonly string[]> {
  const isWhole = Object.keys(filter).length === 0;
  const keys =
    isWhole && window.offset >= deepOffset ? deepKeys(account, window) : keysOf(account, filter, window);
  const found = await database.transact(
    'custody-transactions',
    (tx) =>
      tx.ask<RecordRow>(
        'custody-transactions.page',
        sql`
          with ${keys}
          select ${record.text} as record
          from keys join ${transactions} as t on ${t.accountId} = ${frequentValue(account)} and ${t.transactionId} = keys.transaction_id ${record.joins}
          order by keys.first_seen_at, keys.transaction_id`,
      ),
    { isOne: true },
  );
  return found.map((row) => row.record);
}

/** The text of one record; null when there is none. */
export async function readTransactionRecord(
  database: Database,
  account: string,
  transactionId: string,
): Promise<string | null> {
  const found = await readOne(database, 'custody-transactions.one', (db) =>
    db.execute<RecordRow>(sql`
      select ${record.text} as record from ${transactions} as t ${record.joins}
      where ${and(eq(t.accountId, account), eq(t.transactionId, transactionId), isNull(t.missingSince))}`),
  );
  return found.rows[0]?.record ?? null;
}

interface RecordRow extends Record<string, unknown> {
  readonly record: string;
}

function keysOf(account: string, filter: TransactionFilter, { limit, offset }: Window): SQL {
  return sql`keys as materialized (
    select ${firstSeenAt}, ${transactionId} from ${transactions}
    where ${and(shownOf(account), ...conditions(account, filter))}
    order by ${firstSeenAt}, ${transactionId}
    limit ${sql.raw(String(limit))} offset ${offset === 0 ? sql.raw('0') : offset})`;
}

/**
 * Of the whole list: counted off from where the range begins that holds the offset. The counts of the ranges are kept by triggers, and
 * those of the account by the commits (store/run/kept-counts.ts): where they differ, somebody wrote without the one or the other, and
 * the page is counted off from the beginning of the list.
 */
function deepKeys(account: string, { limit, offset }: Window): SQL {
  const r = transactionRanges;
  return sql`
    ranges as (
      select ${r.beginsAt}, (sum(${r.shown}) over (order by ${r.beginsAt}) - ${r.shown})::bigint as before, sum(${r.shown}) over () as shown
      from ${r} where ${eq(r.accountId, frequentValue(account))}),
    nearest as materialized (
      select begins_at, before from ranges
      where before <= ${offset} and shown = (
        select ${accounts.transactionsTotal} - ${accounts.transactionsMissing} from ${accounts}
        where ${eq(accounts.accountId, frequentValue(account))})
      order by begins_at desc limit 1),
    keys as materialized (
      select ${firstSeenAt}, ${transactionId} from ${transactions}
      where ${shownOf(account)} and ${firstSeenAt} >= coalesce((select begins_at from nearest), '-infinity')
      order by ${firstSeenAt}, ${transactionId}
      limit ${sql.raw(String(limit))} offset ${offset} - coalesce((select before from nearest), 0))`;
}

function shownOf(account: string): SQL | undefined {
  return and(eq(transactions.accountId, frequentValue(account)), isNull(transactions.missingSince));
}

function conditions(account: string, filter: TransactionFilter): SQL[] {
  const given: SQL[] = [];
  if (filter.transactionId !== undefined) given.push(eq(transactionId, filter.transactionId));
  for (const column of filterColumns) {
    const value = filter[column];
    if (value !== undefined) given.push(equals({ account, column, value }));
  }
  if (filter.firstSeenFrom !== undefined)
    given.push(sql`${firstSeenAt} >= ${microsToIso(filter.firstSeenFrom)}::timestamptz`);
  if (filter.firstSeenTo !== undefined)
    given.push(sql`${firstSeenAt} <= ${microsToIso(filter.firstSeenTo)}::timestamptz`);
  return given;
}
