// The rows of custody.transactions: compares pages with them, reads those that differ, and writes in bulk.

import { and, eq, getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm';
import { transactionStatusHistory } from '../../../drizzle/transaction-history.ts';
import { transactions } from '../../../drizzle/transactions.ts';
import { namesOf, transactionFields } from '../../domain/fields.ts';
import { hiddenFromPlanner } from '../postgres/hidden-from-planner.ts';
import type { FencedStatement, FencedTx, Lease } from '../run/leases.ts';
import { hasOpenQuarantine, wereInQuarantine } from '../run/quarantine.ts';
import type { Run } from '../run/runs.ts';
import { columnsOf, excludedColumns, selectRows, textArray } from '../values/bulk-rows.ts';
import { selectMicros, selectMicrosOrNull } from '../values/micros.ts';
import {
  foreignRow,
  historyOf,
  type ReadStored,
  type TransactionHistory,
  withoutAlterations,
} from './altered-transactions.ts';
import { firstSeenAfter } from './observations.ts';
import type { KnownTransaction } from './transaction-changes.ts';

/** How a group compares with the mirror, by positions in it. The rest is unchanged. */
export interface Comparison {
  readonly unknown: readonly number[];
  readonly different: readonly number[];
  /** The bytes of the records of the rows that differ. */
  readonly differentBytes: number;
  /** Whether one of the transactions was ever in quarantine. */
  readonly wereQuarantined: boolean;
  /** Whether any transaction is in quarantine now. */
  readonly openQuarantine: boolean;
  /** By PostgreSQL's statistics, which know nothing of a table that was never analysed. */
  readonly tableIsSmall: boolean;
}

/** From this many rows on, the server plans as for any number. */
const smallTable = 5_000;

/** Compares digests under the fence, with one lookup by key for each transaction. */
export function compareWithMirror(
  lease: Lease,
  ids: readonly string[],
  hashes: readonly string[],
): FencedStatement {
  const sent = textArray(ids);
  const isOther = sql`t.content_hash <> i.hash or t.missing_since is not null`;
  const statement = (fence: SQL) => sql`
    with ${fence}
    select fence.*, coalesce(unknown, '{}') as unknown, coalesce(different, '{}') as different,
      coalesce(bytes, 0)::float8 as "differentBytes",
      ${wereInQuarantine(lease.account, 'transactions', sent)} as "wereQuarantined",
      ${hasOpenQuarantine(lease.account, 'transactions')} as "openQuarantine",
      (select reltuples < ${smallTable} from pg_class
        where oid = ${`custody.${getTableName(transactions)}`}::regclass) as "tableIsSmall"
    from fence, lateral (
      select
        array_agg(i.position::int - 1) filter (where t.transaction_id is null) as unknown,
        array_agg(i.position::int - 1) filter (where ${isOther}) as different,
        sum(octet_length(t.raw::text)) filter (where ${isOther}) as bytes
      from unnest(${sent}, ${textArray(hashes)}) with ordinality as i(id, hash, position)
      left join lateral (
        select ${transactions.transactionId}, ${transactions.contentHash}, ${transactions.missingSince}, ${transactions.raw}
        from ${transactions}
        where ${transactions.accountId} = ${hiddenFromPlanner(lease.account)} and ${transactions.transactionId} = i.id
        offset 0
      ) as t on true
      where t.transaction_id is null or ${isOther}
    ) as compared`;
  return { label: 'transactions.compare', statement };
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
  if (ids.length === 0) return new Map();
  const t = transactions;
  const rows = await tx.run('transactions.read', (db) =>
    db
      .select({
        record: { ...recordColumns, raw: sql<string>`${t.raw}::text` },
        firstSeenAt: selectMicros(firstSeenAt),
        statusChangedAt: selectMicros(statusChangedAt),
        changedAt: selectMicros(changedAt),
        missingSince: selectMicrosOrNull(missingSince),
        // The outer table is spelled out: in a select from one table drizzle omits its name.
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
      const isForeign = history === null;
      return [
        record.transactionId,
        isForeign ? foreignRow(known) : withoutAlterations(known, history, readStored),
      ];
    }),
  );
}

/** What the histories of these transactions say of their rows; nothing of one without history. */
export async function readHistories(
  tx: FencedTx,
  ids: readonly string[],
): Promise<Map<string, TransactionHistory>> {
  const account = sql`${hiddenFromPlanner(tx.lease.account)}`;
  const { rows } = await tx.run('transactions.histories', (db) =>
    db.execute<{ id: string; history: TransactionHistory | null }>(
      sql`select i.id, ${historyOf(account, sql`i.id`)} as history from unnest(${textArray(ids)}) as i(id)`,
    ),
  );
  return new Map(rows.flatMap(({ id, history }) => (history === null ? [] : [[id, history] as const])));
}

const recordMembers = [...namesOf(transactionFields), 'contentHash', 'raw'] as const;

/** The columns that rows bring with them. */
export function transactionColumns(rows: readonly KnownTransaction[]) {
  const records = rows.map((row) => row.record);
  return {
    ...columnsOf(records, recordMembers),
    ...columnsOf(rows, ['firstSeenAt', 'statusChangedAt', 'changedAt']),
  };
}

/**
 * Inserts rows. Under the fence nobody else inserts them, so no conflict can occur.
 *
 * @param wereQuarantined whether one of the transactions was ever in quarantine
 */
export function insertTransactions(
  tx: FencedTx,
  run: Run,
  rows: readonly KnownTransaction[],
  wereQuarantined: boolean,
): void {
  if (rows.length === 0) return;
  const firstAfter = firstSeenAfter(tx.lease, run, sql`r.first_seen_at`, wereQuarantined);
  tx.send('transactions.insert', (db) =>
    db.insert(transactions).select(transactionRows(tx.lease, rows, firstAfter)),
  );
}

/**
 * Overwrites rows, and restores those that were deleted. Their `first_seen_after` comes from their history; a
 * row that somebody added has none yet.
 */
export function overwriteTransactions(
  tx: FencedTx,
  run: Run,
  rows: readonly KnownTransaction[],
  wereQuarantined: boolean,
): void {
  if (rows.length === 0) return;
  // '-infinity' stands for no bound.
  const ofHistory = sql`(select coalesce(h.observed_after, '-infinity') from ${transactionStatusHistory} h
    where h.account_id = ${hiddenFromPlanner(tx.lease.account)} and h.transaction_id = r.transaction_id and h.sequence = 1)`;
  const ofAdded = firstSeenAfter(tx.lease, run, sql`r.first_seen_at`, wereQuarantined);
  tx.send('transactions.overwrite', (db) =>
    db
      .insert(transactions)
      .select(transactionRows(tx.lease, rows, sql`nullif(coalesce(${ofHistory}, ${ofAdded}), '-infinity')`))
      .onConflictDoUpdate({
        target: [transactions.accountId, transactions.transactionId],
        set: excludedColumns(transactions, ['accountId', 'transactionId']),
      }),
  );
}

function transactionRows(lease: Lease, rows: readonly KnownTransaction[], firstAfter: SQL): SQL {
  return selectRows(transactions, {
    accountId: sql`${lease.account}`,
    ...transactionColumns(rows),
    missingSince: sql`null::timestamptz`,
    firstSeenAfter: firstAfter,
  });
}
