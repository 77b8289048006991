// The transactions that /custody shows: those that the service still shows, in the order of first_seen_at and transaction_id.
// A page is found by its keys, and only its own rows are read.
import { and, asc, desc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { accounts } from '../../../../drizzle/accounts.ts';
import { type FilterColumn, filterColumns, transactions } from '../../../../drizzle/transactions.ts';
import { type Database, readOne } from '../../postgres/database.ts';
import { fixedSql, frequentValue } from '../../postgres/fixed-sql.ts';
import type { Tx } from '../../postgres/transaction.ts';
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

const t = alias(transactions, 't');
const { text, joins } = transactionRecord(t);
const record = { text: fixedSql(text), joins: fixedSql(joins) };
const equals = digestFilter(transactions);

/** From this offset on it pays to ask which end of the list is nearer. */
const deepOffset = 5_000;

/** The texts of the records of one page. */
export async function readTransactionPage(
  database: Database,
  account: string,
  filter: TransactionFilter,
  window: Window,
): Promise<readonly string[]> {
  return await database.transact(
    'custody-transactions',
    async (tx) => {
      const isWhole = Object.keys(filter).length === 0;
      if (!isWhole || window.offset < deepOffset) return await readPage(tx, account, filter, window, asc);
      const shown = await countShown(tx, account);
      const limit = Math.min(window.limit, shown - window.offset);
      if (limit <= 0) return [];
      const after = shown - window.offset - limit;
      return after < window.offset
        ? await readPage(tx, account, filter, { limit, offset: after }, desc)
        : await readPage(tx, account, filter, window, asc);
    },
    { snapshot: true },
  );
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

/** @param direction in which the list is walked to the page, which is given in ascending order either way */
async function readPage(
  tx: Tx,
  account: string,
  filter: TransactionFilter,
  { limit, offset }: Window,
  direction: typeof asc,
): Promise<readonly string[]> {
  const { firstSeenAt, transactionId } = transactions;
  const found = await tx.ask<RecordRow>(
    'custody-transactions.page',
    sql`
      with keys as materialized (
        select ${firstSeenAt}, ${transactionId} from ${transactions}
        where ${and(shownOf(account), ...conditions(account, filter))}
        order by ${direction(firstSeenAt)}, ${direction(transactionId)}
        limit ${sql.raw(String(limit))} offset ${offset === 0 ? sql.raw('0') : offset})
      select ${record.text} as record
      from keys join ${transactions} as t on ${t.accountId} = ${frequentValue(account)} and ${t.transactionId} = keys.transaction_id ${record.joins}
      order by keys.first_seen_at, keys.transaction_id`,
  );
  return found.map((row) => row.record);
}

/** Exact, because each commit keeps the counts of what it writes (store/run/kept-counts.ts). */
async function countShown(tx: Tx, account: string): Promise<number> {
  const rows = await tx.run('custody-transactions.count', (db) =>
    db
      .select({ shown: sql`${accounts.transactionsTotal} - ${accounts.transactionsMissing}`.mapWith(Number) })
      .from(accounts)
      .where(eq(accounts.accountId, account)),
  );
  return rows[0]?.shown ?? 0;
}

function shownOf(account: string): SQL | undefined {
  return and(eq(transactions.accountId, frequentValue(account)), isNull(transactions.missingSince));
}

function conditions(account: string, filter: TransactionFilter): SQL[] {
  const given: SQL[] = [];
  const { firstSeenAt, transactionId } = transactions;
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
