// The rows of custody.transactions and their history: what is read to compare, and what is written in bulk.
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { transactionRevisions, transactionStatusHistory } from '../../../drizzle/transaction-history.ts';
import { transactions } from '../../../drizzle/transactions.ts';
import { type Decimal, parseDecimal } from '../../domain/decimal.ts';
import { textArray } from '../postgres/binary-array.ts';
import { appendRows, arrayLiteral, excludedColumns, selectRows } from '../postgres/bulk-rows.ts';
import type { Tx } from '../postgres/database.ts';
import { selectMicros, selectMicrosOrNull } from '../postgres/micros.ts';
import type { Lease } from '../run/leases.ts';
import { hasOpenQuarantine } from '../run/quarantine.ts';
import type { Run } from '../run/runs.ts';
import { firstSeenAfter, observedAfter } from './observed-after.ts';
import type { KnownTransaction, NumberedRevision, StatusChange } from './transaction-changes.ts';

export interface Comparison {
  /** Positions, in what was given, of transactions that have no row. */
  readonly unknown: readonly number[];
  /** Positions of those whose row differs. */
  readonly different: readonly number[];
  readonly openQuarantine: boolean;
}

/** Tells which transactions are unknown or different, by their digests: one statement, and one lookup by the key for each. */
export async function compareTransactions(
  tx: Tx,
  account: string,
  ids: readonly string[],
  hashes: readonly string[],
): Promise<Comparison> {
  const compared = await tx.run('transactions.compare', (db) =>
    db.execute<{ unknown: number[] | null; different: number[] | null; open_quarantine: boolean }>(sql`
      select
        array_agg(i.position::int - 1) filter (where t.transaction_id is null) as unknown,
        array_agg(i.position::int - 1) filter (where t.transaction_id is not null) as different,
        ${hasOpenQuarantine(account, 'transactions')} as open_quarantine
      from unnest(${textArray(ids)}, ${textArray(hashes)}) with ordinality as i(id, hash, position)
      left join lateral (
        select ${transactions.transactionId}, ${transactions.contentHash}, ${transactions.missingSince}
        from ${transactions}
        where ${transactions.accountId} = ${account} and ${transactions.transactionId} = i.id
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

/** The rows of the given transactions, by identifier, with the numbers of their last history rows. */
export async function readKnown(
  tx: Tx,
  account: string,
  ids: readonly string[],
): Promise<Map<string, KnownTransaction>> {
  const t = transactions;
  const rows = await tx.run('transactions.read', (db) =>
    db
      .select({
        transactionId: t.transactionId,
        status: t.status,
        transactionType: t.transactionType,
        assetId: t.assetId,
        assetName: t.assetName,
        networkId: t.networkId,
        networkName: t.networkName,
        amount: t.amount,
        fee: t.fee,
        sourceType: t.sourceType,
        sourceId: t.sourceId,
        sourceName: t.sourceName,
        sourceAddress: t.sourceAddress,
        destinationType: t.destinationType,
        destinationId: t.destinationId,
        destinationName: t.destinationName,
        destinationAddress: t.destinationAddress,
        destinationMemo: t.destinationMemo,
        txnHash: t.txnHash,
        blockexplorerLink: t.blockexplorerLink,
        note: t.note,
        contentHash: t.contentHash,
        raw: sql<string>`${t.raw}::text`,
        firstSeenAt: selectMicros(t.firstSeenAt),
        statusChangedAt: selectMicros(t.statusChangedAt),
        changedAt: selectMicros(t.changedAt),
        missingSince: selectMicrosOrNull(t.missingSince),
        // Drizzle leaves the table's name away in a select from one table: inside the parentheses the columns of this one
        // would be taken for those of the other. So it is spelled out.
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
      .where(and(eq(t.accountId, account), sql`${t.transactionId} = any(${textArray(ids)})`)),
  );
  const known = new Map<string, KnownTransaction>();
  for (const row of rows) {
    const { firstSeenAt, statusChangedAt, changedAt, missingSince, lastSequence, lastRevision, ...record } =
      row;
    known.set(row.transactionId, {
      record: {
        ...record,
        amount: storedDecimal(row.amount),
        fee: storedDecimal(row.fee),
        sourceTimestamp: null,
      },
      firstSeenAt,
      statusChangedAt,
      changedAt,
      missingSince,
      lastSequence,
      lastRevision,
    });
  }
  return known;
}

function storedDecimal(text: string | null): Decimal | null {
  return text === null ? null : (parseDecimal(text)?.value ?? null);
}

/** Inserts rows that the fence guarantees nobody else inserts, which spares the search for a conflict. */
export async function insertTransactions(
  tx: Tx,
  lease: Lease,
  run: Run,
  rows: readonly KnownTransaction[],
): Promise<void> {
  const firstAfter = firstSeenAfter(lease, run, sql`r.first_seen_at`);
  await tx.run('transactions.insert', (db) =>
    db.insert(transactions).select(transactionRows(lease, rows, firstAfter)),
  );
}

/** Writes over rows that are there, but for when they were first seen. */
export async function overwriteTransactions(
  tx: Tx,
  lease: Lease,
  rows: readonly KnownTransaction[],
): Promise<void> {
  await tx.run('transactions.overwrite', (db) =>
    db
      .insert(transactions)
      .select(transactionRows(lease, rows, sql`null::timestamptz`))
      .onConflictDoUpdate({
        target: [transactions.accountId, transactions.transactionId],
        set: excludedColumns(transactions, ['accountId', 'transactionId', 'firstSeenAt', 'firstSeenAfter']),
      }),
  );
}

function transactionRows(lease: Lease, rows: readonly KnownTransaction[], firstAfter: SQL): SQL {
  const records = rows.map((row) => row.record);
  return selectRows(transactions, {
    accountId: sql`${lease.account}`,
    transactionId: records.map((record) => record.transactionId),
    status: records.map((record) => record.status),
    transactionType: records.map((record) => record.transactionType),
    assetId: records.map((record) => record.assetId),
    assetName: records.map((record) => record.assetName),
    networkId: records.map((record) => record.networkId),
    networkName: records.map((record) => record.networkName),
    amount: records.map((record) => record.amount),
    fee: records.map((record) => record.fee),
    sourceType: records.map((record) => record.sourceType),
    sourceId: records.map((record) => record.sourceId),
    sourceName: records.map((record) => record.sourceName),
    sourceAddress: records.map((record) => record.sourceAddress),
    destinationType: records.map((record) => record.destinationType),
    destinationId: records.map((record) => record.destinationId),
    destinationName: records.map((record) => record.destinationName),
    destinationAddress: records.map((record) => record.destinationAddress),
    destinationMemo: records.map((record) => record.destinationMemo),
    txnHash: records.map((record) => record.txnHash),
    blockexplorerLink: records.map((record) => record.blockexplorerLink),
    note: records.map((record) => record.note),
    sourceTimestamp: records.map((record) => record.sourceTimestamp),
    firstSeenAt: rows.map((row) => row.firstSeenAt),
    statusChangedAt: rows.map((row) => row.statusChangedAt),
    changedAt: rows.map((row) => row.changedAt),
    missingSince: sql`null::timestamptz`,
    contentHash: records.map((record) => record.contentHash),
    raw: records.map((record) => record.raw),
    firstSeenAfter: firstAfter,
  });
}

export async function writeStatusChanges(
  tx: Tx,
  lease: Lease,
  run: Run,
  changes: readonly StatusChange[],
): Promise<void> {
  await tx.run('transaction-status-history.write', (db) =>
    db.execute(
      appendRows(transactionStatusHistory, {
        accountId: sql`${lease.account}`,
        transactionId: changes.map((change) => change.transactionId),
        sequence: changes.map((change) => change.sequence),
        fromStatus: changes.map((change) => change.fromStatus),
        toStatus: changes.map((change) => change.toStatus),
        observedAt: changes.map((change) => change.observedAt),
        sourceTimestamp: changes.map((change) => change.sourceTimestamp),
        runId: sql`${run.runId}::bigint`,
        observedAfter: observedAfter(lease, run, changes),
      }),
    ),
  );
}

export async function writeRevisions(
  tx: Tx,
  lease: Lease,
  run: Run,
  revisions: readonly NumberedRevision[],
): Promise<void> {
  await tx.run('transaction-revisions.write', (db) =>
    db.execute(
      appendRows(transactionRevisions, {
        accountId: sql`${lease.account}`,
        transactionId: revisions.map((revision) => revision.transactionId),
        revision: revisions.map((revision) => revision.revision),
        observedAt: revisions.map((revision) => revision.observedAt),
        changedFields: revisions.map((revision) => arrayLiteral(revision.changedFields)),
        before: revisions.map((revision) => revision.before),
        after: revisions.map((revision) => revision.after),
        runId: sql`${run.runId}::bigint`,
      }),
    ),
  );
}
