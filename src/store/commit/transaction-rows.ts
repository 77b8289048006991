// The rows of custody.transactions: compares pages with them, reads those that differ, and writes in bulk.

import { and, eq, getTableColumns, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { transactionRevisions, transactionStatusHistory } from '../../../drizzle/transaction-history.ts';
import { transactions } from '../../../drizzle/transactions.ts';
import { unseenAccount } from '../postgres/unseen-account.ts';
import type { FencedTx } from '../run/fence.ts';
import type { Lease } from '../run/leases.ts';
import { type Attempt, markOf, setMark } from '../run/marks.ts';
import { hasOpenQuarantine, wereInQuarantine } from '../run/quarantine.ts';
import type { Run } from '../run/runs.ts';
import { textArray } from '../values/binary-array.ts';
import { columnsOf, encodeColumns, excludedColumns, selectRows } from '../values/bulk-rows.ts';
import { selectDecimal } from '../values/decimals.ts';
import { selectMicros, selectMicrosOrNull } from '../values/micros.ts';
import { firstSeenAfter } from './observed-after.ts';
import type { KnownTransaction } from './transaction-changes.ts';
import { detailFields } from './transaction-diff.ts';

export interface Comparison {
  /** Positions, in what was given, of transactions that have no row. */
  readonly unknown: readonly number[];
  /** Positions of those whose row differs. */
  readonly different: readonly number[];
  /** Whether one of the transactions was ever in quarantine. */
  readonly wereUnread: boolean;
  /** Whether any transaction is in quarantine now. */
  readonly openQuarantine: boolean;
  /** Whether the rows that were sent ahead are being written, but for those of transactions that have one. */
  readonly areWritten: boolean;
}

type ComparisonRow = {
  readonly unknown: number[] | null;
  readonly different: number[] | null;
  readonly were_unread: boolean;
  readonly open_quarantine: boolean;
  readonly are_written: boolean;
};

/**
 * Lets the rows of the statements that follow, at which their triggers look, stay in memory: with PostgreSQL's default those of
 * a group of pages go through a file. More that an administrator set stays.
 */
const roomForTriggers = sql`set_config('work_mem',
  greatest(pg_size_bytes(current_setting('work_mem')) / 1024, 32768)::text, true) as work_mem`;

/**
 * The transactions whose rows are not to be written, where those that were sent ahead are the right ones: a changed row takes other
 * ones, and a transaction that was in quarantine may have been seen before.
 */
const knownOnes = (attempt: Attempt): SQL => sql`case when ${markOf('fenced', attempt)} is not null
  and different is null and not were_unread then coalesce(known, '{}')::text end`;

/** For rows that are sent ahead: only where the comparison said so, and only those that it did not name. */
function unlessKnown(attempt: Attempt): SQL {
  const known = markOf('known', attempt);
  // Not `<> all`, for which the server would go through the whole array for each row.
  return sql`${known} is not null and r.transaction_id not in (select unnest((${known})::text[]))`;
}

/**
 * Tells which transactions are unknown or different, by their digests: one statement, with one lookup by key for each.
 *
 * @param ids and `hashes`: arrays of text, of one length
 * @param ahead rows of all of them follow before the answer is known: it tells by a mark which of them to write, or none where the
 * answer shows that others have to be written
 */
export async function compareTransactions(
  tx: FencedTx,
  ids: SQL,
  hashes: SQL,
  ahead: boolean,
): Promise<Comparison> {
  const isOther = sql`t.content_hash <> i.hash or t.missing_since is not null`;
  const [row] = await tx.ask<ComparisonRow>(
    'transactions.compare',
    sql`
      with compared as materialized (
        select
          array_agg(i.position::int - 1) filter (where t.transaction_id is null) as unknown,
          array_agg(i.position::int - 1) filter (where ${isOther}) as different,
          ${ahead ? sql`array_agg(i.id) filter (where t.transaction_id is not null)` : sql`null::text[]`} as known,
          ${wereInQuarantine(tx.lease.account, 'transactions', ids)} as were_unread,
          ${hasOpenQuarantine(tx.lease.account, 'transactions')} as open_quarantine,
          ${roomForTriggers}
        from unnest(${ids}, ${hashes}) with ordinality as i(id, hash, position)
        left join lateral (
          select ${transactions.transactionId}, ${transactions.contentHash}, ${transactions.missingSince}
          from ${transactions}
          where ${transactions.accountId} = ${unseenAccount(tx.lease.account)} and ${transactions.transactionId} = i.id
          offset 0
        ) as t on true
        ${ahead ? sql`` : sql`where t.transaction_id is null or ${isOther}`}
      )
      select unknown, different, were_unread, open_quarantine, ${ahead ? setMark('known', tx.attempt, knownOnes(tx.attempt)) : sql`false`} as are_written
      from compared`,
  );
  return {
    unknown: row?.unknown ?? [],
    different: row?.different ?? [],
    wereUnread: row?.were_unread ?? false,
    openQuarantine: row?.open_quarantine ?? false,
    areWritten: row?.are_written ?? false,
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

const recordMembers = [
  'transactionId',
  'status',
  ...detailFields,
  'sourceTimestamp',
  'contentHash',
  'raw',
] as const;

/** How rows are sent. */
export interface Sending {
  /** Whether one of the transactions was ever in quarantine. */
  readonly wereUnread: boolean;
  /** Before the answer of the comparison is known, which tells by its mark what to write of them. */
  readonly ahead: boolean;
}

export type TransactionColumns = Awaited<ReturnType<typeof encodeTransactions>>;

/** What is written of the rows, in the form in which it is sent. */
export async function encodeTransactions(rows: readonly KnownTransaction[]) {
  const records = rows.map((row) => row.record);
  return await encodeColumns(transactions, {
    ...columnsOf(records, recordMembers),
    ...columnsOf(rows, ['firstSeenAt', 'statusChangedAt', 'changedAt']),
  });
}

/** Inserts rows. The fence guarantees that nobody else inserts them, so that no conflict has to be looked for. */
export function insertTransactions(
  tx: FencedTx,
  run: Run,
  columns: TransactionColumns,
  { wereUnread, ahead }: Sending,
): void {
  const firstAfter = firstSeenAfter(tx.lease, run, sql`r.first_seen_at`, wereUnread);
  sendRows(
    tx,
    ahead,
    'transactions.insert',
    (which) => (db) => db.insert(transactions).select(transactionRows(tx.lease, columns, firstAfter, which)),
  );
}

/** Sends a statement that writes rows `r`, which it takes as a condition where not all of them may be meant. */
export function sendRows(
  tx: FencedTx,
  ahead: boolean,
  label: string,
  statement: (which: SQL | undefined) => (db: NodePgDatabase) => SQLWrapper,
): void {
  if (ahead) tx.sendAhead(label, statement(unlessKnown(tx.attempt)));
  else tx.send(label, statement(undefined));
}

/** Writes over rows that exist; they keep when they were first seen. */
export async function overwriteTransactions(tx: FencedTx, rows: readonly KnownTransaction[]): Promise<void> {
  if (rows.length === 0) return;
  const columns = await encodeTransactions(rows);
  tx.send('transactions.overwrite', (db) =>
    db
      .insert(transactions)
      .select(transactionRows(tx.lease, columns, sql`null::timestamptz`))
      .onConflictDoUpdate({
        target: [transactions.accountId, transactions.transactionId],
        set: excludedColumns(transactions, ['accountId', 'transactionId', 'firstSeenAt', 'firstSeenAfter']),
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
