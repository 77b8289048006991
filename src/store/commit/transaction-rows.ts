// The rows of custody.transactions: compares pages with them, reads those that differ, and writes in bulk.

import { and, eq, getTableColumns, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { transactions } from '../../../drizzle/transactions.ts';
import { namesOf } from '../../domain/field.ts';
import { transactionFields } from '../../domain/fields.ts';
import { hiddenFromPlanner } from '../postgres/hidden-from-planner.ts';
import type { FencedStatement, FencedTx, FenceRow } from '../run/fence.ts';
import type { Lease } from '../run/leases.ts';
import { hasOpenQuarantine, wereInQuarantine } from '../run/quarantine.ts';
import type { Run } from '../run/runs.ts';
import { textArray } from '../values/binary-array.ts';
import { columnsOf, encodeColumns, excludedColumns, selectRows } from '../values/bulk-rows.ts';
import { selectMicros, selectMicrosOrNull } from '../values/micros.ts';
import { firstSeenAfter } from './observed-after.ts';
import type { KnownTransaction } from './transaction-changes.ts';
import { insertStatusChanges, type StatusChangeColumns } from './transaction-history-rows.ts';
import {
  historyOf,
  type ReadStored,
  type TransactionHistory,
  withoutTampering,
} from './transaction-tampering.ts';

/** Which of the transactions of a group are unknown or different, by their positions in it. */
export interface Comparison {
  readonly unknown: readonly number[];
  readonly different: readonly number[];
  /** Whether one of the transactions was ever in quarantine. */
  readonly wereQuarantined: boolean;
  /** Whether any transaction is in quarantine now. */
  readonly openQuarantine: boolean;
}

export type ComparisonRow = FenceRow & Comparison;

/** New rows in the form in which they are sent. */
export interface NewRows {
  readonly rows: TransactionColumns;
  readonly statusChanges: StatusChangeColumns;
}

/**
 * Under the fence, compares a group with the mirror by digests, with one lookup by key for each transaction,
 * and inserts those that are unknown; unless one of them was in quarantine and may have been observed before.
 * One statement.
 *
 * @param sent arrays of text, of one length
 * @param ifNew what is inserted of all of them, were they unknown; null to insert nothing
 */
export function compareAndInsert(
  lease: Lease,
  run: Run,
  sent: { readonly keys: SQL; readonly hashes: SQL },
  ifNew: NewRows | null,
): FencedStatement['statement'] {
  const isOther = sql`t.content_hash <> i.hash or t.missing_since is not null`;
  return (fence, db) => sql`
    with ${fence},
    compared as materialized (
      select
        array_agg(i.position::int - 1) filter (where t.transaction_id is null) as unknown,
        array_agg(i.position::int - 1) filter (where ${isOther}) as different,
        array_agg(i.id) filter (where t.transaction_id is null) as unknown_ids,
        ${wereInQuarantine(lease.account, 'transactions', sent.keys)} as were_quarantined,
        ${hasOpenQuarantine(lease.account, 'transactions')} as open_quarantine
      from fence, unnest(${sent.keys}, ${sent.hashes}) with ordinality as i(id, hash, position)
      left join lateral (
        select ${transactions.transactionId}, ${transactions.contentHash}, ${transactions.missingSince}
        from ${transactions}
        where ${transactions.accountId} = ${hiddenFromPlanner(lease.account)} and ${transactions.transactionId} = i.id
        offset 0
      ) as t on true
      where t.transaction_id is null or ${isOther}
    )
    ${ifNew === null ? sql`` : sql`, ${insertUnknown(lease, run, ifNew, db)}`}
    select fence.*, coalesce(unknown, '{}') as unknown, coalesce(different, '{}') as different,
      were_quarantined as "wereQuarantined", open_quarantine as "openQuarantine" from fence, compared`;
}

function insertUnknown(lease: Lease, run: Run, ifNew: NewRows, db: NodePgDatabase): SQL {
  // Not `= any`, for which the server would go through the whole array for each row.
  const isUnknown = sql`r.transaction_id in (select unnest(unknown_ids) from compared where not were_quarantined)`;
  return sql`
    new_transactions as ${insertTransactions(lease, run, ifNew.rows, false, isUnknown)(db)},
    new_statuses as (${insertStatusChanges(lease, run, ifNew.statusChanges, false, isUnknown)})`;
}

const {
  accountId,
  sourceTimestamp,
  firstSeenAfter: _,
  firstSeenAt,
  statusChangedAt,
  changedAt,
  missingSince,
  ...recordColumns
} = getTableColumns(transactions);

/**
 * The rows of the given transactions by identifier, as their history has them, with the numbers of its last
 * rows.
 */
export async function readKnown(
  tx: FencedTx,
  ids: readonly string[],
  readStored?: ReadStored,
): Promise<Map<string, KnownTransaction>> {
  const t = transactions;
  const rows = await tx.run('transactions.read', (db) =>
    db
      .select({
        record: { ...recordColumns, raw: sql<string>`${t.raw}::text` },
        firstSeenAt: selectMicros(firstSeenAt),
        statusChangedAt: selectMicros(statusChangedAt),
        changedAt: selectMicros(changedAt),
        missingSince: selectMicrosOrNull(missingSince),
        // The outer table is spelled out: in a select from one table drizzle leaves its name away.
        history: sql<TransactionHistory | null>`${historyOf(sql`transactions.account_id`, sql`transactions.transaction_id`)}`,
      })
      .from(t)
      .where(
        and(
          eq(t.accountId, hiddenFromPlanner(tx.lease.account)),
          sql`${t.transactionId} = any(${textArray(ids)})`,
        ),
      ),
  );
  return new Map(
    rows.map(({ history, ...row }) => {
      const record = { ...row.record, sourceTimestamp: null };
      const { lastSequence = 0, lastRevision = 0 } = history ?? {};
      const known = { ...row, record, lastSequence, lastRevision };
      return [record.transactionId, history === null ? known : withoutTampering(known, history, readStored)];
    }),
  );
}

const recordMembers = [...namesOf(transactionFields), 'contentHash', 'raw'] as const;

export type TransactionColumns = Awaited<ReturnType<typeof encodeTransactions>>;

/** What is written of the rows, in the form in which it is sent. */
export async function encodeTransactions(rows: readonly KnownTransaction[]) {
  const records = rows.map((row) => row.record);
  return await encodeColumns(transactions, {
    ...columnsOf(records, recordMembers),
    ...columnsOf(rows, ['firstSeenAt', 'statusChangedAt', 'changedAt']),
  });
}

/**
 * Inserts rows. The fence guarantees that nobody else inserts them, so that no conflict has to be looked for.
 *
 * @param wereQuarantined whether one of the transactions was ever in quarantine
 * @param which a condition on `r`, the row of the values given; all rows when left out
 */
export function insertTransactions(
  lease: Lease,
  run: Run,
  columns: TransactionColumns,
  wereQuarantined: boolean,
  which?: SQL,
): (db: NodePgDatabase) => SQLWrapper {
  const firstAfter = firstSeenAfter(lease, run, sql`r.first_seen_at`, wereQuarantined);
  return (db) => db.insert(transactions).select(transactionRows(lease, columns, firstAfter, which));
}

/** Writes over rows that exist; they keep the lower bound of when they were first seen. */
export async function overwriteTransactions(tx: FencedTx, rows: readonly KnownTransaction[]): Promise<void> {
  if (rows.length === 0) return;
  const columns = await encodeTransactions(rows);
  tx.send('transactions.overwrite', (db) =>
    db
      .insert(transactions)
      .select(transactionRows(tx.lease, columns, sql`null::timestamptz`))
      .onConflictDoUpdate({
        target: [transactions.accountId, transactions.transactionId],
        set: excludedColumns(transactions, ['accountId', 'transactionId', 'firstSeenAfter']),
      }),
  );
}

function transactionRows(lease: Lease, columns: TransactionColumns, firstAfter: SQL, which?: SQL): SQL {
  const values = {
    accountId: sql`${lease.account}`,
    ...columns,
    missingSince: sql`null::timestamptz`,
    firstSeenAfter: firstAfter,
  };
  return selectRows(transactions, values, which);
}
