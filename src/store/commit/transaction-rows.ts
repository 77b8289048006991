// The rows of custody.transactions: compares pages with them, reads those that differ, and writes in bulk.

import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import { transactionRevisions, transactionStatusHistory } from '../../../drizzle/transaction-history.ts';
import { transactions } from '../../../drizzle/transactions.ts';
import { textArray } from '../postgres/binary-array.ts';
import { columnsOf, excludedColumns, selectRows } from '../postgres/bulk-rows.ts';
import { selectDecimal } from '../postgres/decimals.ts';
import { selectMicros, selectMicrosOrNull } from '../postgres/micros.ts';
import { unseenAccount } from '../postgres/unseen-account.ts';
import type { FencedTx } from '../run/fence.ts';
import type { Lease } from '../run/leases.ts';
import { hasOpenQuarantine } from '../run/quarantine.ts';
import type { Run } from '../run/runs.ts';
import { firstSeenAfter } from './observed-after.ts';
import type { KnownTransaction } from './transaction-changes.ts';
import { detailFields } from './transaction-diff.ts';

export interface Comparison {
  /** Positions, in what was given, of transactions that have no row. */
  readonly unknown: readonly number[];
  /** Positions of those whose row differs. */
  readonly different: readonly number[];
  readonly openQuarantine: boolean;
}

/** Tells which transactions are unknown or different, by their digests: one statement, with one lookup by key for each. */
export async function compareTransactions(
  tx: FencedTx,
  ids: readonly string[],
  hashes: readonly string[],
): Promise<Comparison> {
  const compared = await tx.run('transactions.compare', (db) =>
    db.execute<{ unknown: number[] | null; different: number[] | null; open_quarantine: boolean }>(sql`
      select
        array_agg(i.position::int - 1) filter (where t.transaction_id is null) as unknown,
        array_agg(i.position::int - 1) filter (where t.transaction_id is not null) as different,
        ${hasOpenQuarantine(tx.lease.account, 'transactions')} as open_quarantine
      from unnest(${textArray(ids)}, ${textArray(hashes)}) with ordinality as i(id, hash, position)
      left join lateral (
        select ${transactions.transactionId}, ${transactions.contentHash}, ${transactions.missingSince}
        from ${transactions}
        where ${transactions.accountId} = ${unseenAccount(tx.lease.account)} and ${transactions.transactionId} = i.id
        offset 0
      ) as t on true
      where t.transaction_id is null or t.content_hash <> i.hash or t.missing_since is not null`),
  );
  const row = compared.rows[0];
  return {
    unknown: row?.unknown ?? [],
    different: row?.different ?? [],
    openQuarantine: row?.open_quarantine ?? false,
  };
}

const { accountId, sourceTimestamp, firstSeenAfter: _, ...readColumns } = getTableColumns(transactions);

/** The rows of the given transactions, by identifier, with the numbers of their last history rows. */
export async function readKnown(
  tx: FencedTx,
  ids: readonly string[],
): Promise<Map<string, KnownTransaction>> {
  const t = transactions;
  const rows = await tx.run('transactions.read', (db) =>
    db
      .select({
        ...readColumns,
        amount: selectDecimal(t.amount),
        fee: selectDecimal(t.fee),
        raw: sql<string>`${t.raw}::text`,
        firstSeenAt: selectMicros(t.firstSeenAt),
        statusChangedAt: selectMicros(t.statusChangedAt),
        changedAt: selectMicros(t.changedAt),
        missingSince: selectMicrosOrNull(t.missingSince),
        // The outer table is spelled out: in a select from one table drizzle leaves its name away, and inside the
        // parentheses a bare column would be one of the inner table.
        lastSequence: sql`(
          select max(h.sequence) from ${transactionStatusHistory} h
          where h.account_id = transactions.account_id and h.transaction_id = transactions.transaction_id
        )`.mapWith(Number),
        lastRevision: sql`coalesce((
          select max(v.revision) from ${transactionRevisions} v
          where v.account_id = transactions.account_id and v.transaction_id = transactions.transaction_id
        ), 0)`.mapWith(Number),
      })
      .from(t)
      .where(
        and(
          eq(t.accountId, unseenAccount(tx.lease.account)),
          sql`${t.transactionId} = any(${textArray(ids)})`,
        ),
      ),
  );
  return new Map(
    rows.map((row) => {
      const {
        firstSeenAt,
        statusChangedAt,
        changedAt,
        missingSince,
        lastSequence,
        lastRevision,
        ...content
      } = row;
      const record = { ...content, sourceTimestamp: null };
      return [
        row.transactionId,
        { record, firstSeenAt, statusChangedAt, changedAt, missingSince, lastSequence, lastRevision },
      ];
    }),
  );
}

/** Inserts rows. The fence guarantees that nobody else inserts them, so that no conflict has to be looked for. */
export async function insertTransactions(
  tx: FencedTx,
  run: Run,
  rows: readonly KnownTransaction[],
): Promise<void> {
  if (rows.length === 0) return;
  const firstAfter = firstSeenAfter(tx.lease, run, sql`r.first_seen_at`);
  await tx.run('transactions.insert', (db) =>
    db.insert(transactions).select(transactionRows(tx.lease, rows, firstAfter)),
  );
}

/** Writes over rows that exist; they keep when they were first seen. */
export async function overwriteTransactions(tx: FencedTx, rows: readonly KnownTransaction[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.run('transactions.overwrite', (db) =>
    db
      .insert(transactions)
      .select(transactionRows(tx.lease, rows, sql`null::timestamptz`))
      .onConflictDoUpdate({
        target: [transactions.accountId, transactions.transactionId],
        set: excludedColumns(transactions, ['accountId', 'transactionId', 'firstSeenAt', 'firstSeenAfter']),
      }),
  );
}

const recordMembers = [
  'transactionId',
  'status',
  ...detailFields,
  'sourceTimestamp',
  'contentHash',
  'raw',
] as const;

function transactionRows(lease: Lease, rows: readonly KnownTransaction[], firstAfter: SQL): SQL {
  const records = rows.map((row) => row.record);
  return selectRows(transactions, {
    accountId: sql`${lease.account}`,
    ...columnsOf(records, recordMembers),
    ...columnsOf(rows, ['firstSeenAt', 'statusChangedAt', 'changedAt']),
    missingSince: sql`null::timestamptz`,
    firstSeenAfter: firstAfter,
  });
}
