// The transactions that /custody shows: those that the service still shows, in the order of first_seen_at and
// transaction_id. A page is found by its keys, and only its own rows are read.
import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { type FilterColumn, filterColumns, transactions } from '../../../../drizzle/transactions.ts';
import { type Database, readOne } from '../../postgres/database.ts';
import { inlinedLiteral } from '../../postgres/inlined-literal.ts';
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
const record = transactionRecord(t);
const equals = digestFilter(transactions);

/** The texts of the records of one page. */
export async function readTransactionPage(
  database: Database,
  account: string,
  filter: TransactionFilter,
  window: Window,
): Promise<readonly string[]> {
  const found = await database.transact(
    'custody-transactions',
    (tx) =>
      tx.ask<RecordRow>(
        'custody-transactions.page',
        sql`
          with ${keysOf(account, filter, window)}
          select ${record.text} as record
          from keys join ${transactions} as t on ${t.accountId} = ${inlinedLiteral(account)} and ${t.transactionId} = keys.transaction_id ${record.joins}
          order by keys.first_seen_at, keys.transaction_id`,
      ),
    { readOnly: true },
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
    where ${and(
      eq(transactions.accountId, inlinedLiteral(account)),
      isNull(transactions.missingSince),
      ...conditions(account, filter),
    )}
    order by ${firstSeenAt}, ${transactionId}
    limit ${sql.raw(String(limit))} offset ${offset === 0 ? sql.raw('0') : offset})`;
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
