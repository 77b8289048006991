// Marks transactions that the service no longer shows, and lists those that it should show. A mark changes no
// other field, is a revision of its own, and is taken back when the transaction is seen again
// (transaction-changes.ts).
import { and, asc, eq, gt, isNull, lt, sql } from 'drizzle-orm';
import { transactionRevisions } from '../../../drizzle/transaction-history.ts';
import { transactions } from '../../../drizzle/transactions.ts';
import { type Instant, instantToIso } from '../../domain/instant.ts';
import { type Database, readOne } from '../postgres/database.ts';
import { hiddenFromPlanner } from '../postgres/hidden-from-planner.ts';
import { keepCounts } from '../run/accounts.ts';
import { writeAnomalies } from '../run/anomalies.ts';
import { type Lease, withFence } from '../run/leases.ts';
import type { Run } from '../run/runs.ts';
import { textArray } from '../values/bulk-rows.ts';

/** The anomaly of each transaction marked as missing. */
export const missingKind = 'missing';

const idsPerPart = 20_000;

/**
 * Identifiers of transactions that were mirrored before `seenBefore` and are not marked as missing, in order,
 * in parts.
 */
export async function* readPresentIds(
  database: Database,
  account: string,
  seenBefore: Instant,
): AsyncGenerator<readonly string[]> {
  const after = (id: string) =>
    readOne(database, 'transactions.present', (db) =>
      db
        .select({ transactionId: transactions.transactionId })
        .from(transactions)
        .where(
          and(
            eq(transactions.accountId, account),
            gt(transactions.transactionId, id),
            isNull(transactions.missingSince),
            lt(transactions.firstSeenAt, sql`${instantToIso(seenBefore)}::timestamptz`),
          ),
        )
        .orderBy(asc(transactions.transactionId))
        .limit(idsPerPart),
    );
  for (let last: string | undefined = ''; last !== undefined; ) {
    const ids: readonly string[] = (await after(last)).map((row) => row.transactionId);
    yield ids;
    last = ids.length < idsPerPart ? undefined : ids.at(-1);
  }
}

/**
 * Marks transactions as missing, with a revision and an anomaly each. A transaction that changed after
 * `asked` stays as it is.
 *
 * @param asked when the first request began that did not find them
 * @returns how many were marked
 */
export function markMissingTransactions(
  database: Database,
  lease: Lease,
  run: Run,
  {
    ids,
    asked,
    missingSince,
  }: { readonly ids: readonly string[]; readonly asked: Instant; readonly missingSince: Instant },
): Promise<number> {
  const since = instantToIso(missingSince);
  return withFence(database, lease, 'mark-missing', async (tx) => {
    const marked = await tx.run('transactions.mark-missing', (db) =>
      db
        .update(transactions)
        .set({ missingSince: sql`${since}::timestamptz` })
        .where(
          and(
            eq(transactions.accountId, hiddenFromPlanner(lease.account)),
            sql`${transactions.transactionId} = any(${textArray(ids)})`,
            isNull(transactions.missingSince),
            sql`${transactions.changedAt} <= ${instantToIso(asked)}::timestamptz`,
          ),
        )
        .returning({ transactionId: transactions.transactionId }),
    );
    const markedIds = marked.map((row) => row.transactionId);
    if (markedIds.length === 0) return 0;
    keepCounts(tx, { missing: markedIds.length });
    tx.send(
      'transaction-revisions.mark-missing',
      () => sql`
        insert into ${transactionRevisions}
          (account_id, transaction_id, revision, observed_at, changed_fields, before, after, run_id)
        select ${lease.account}, r.id,
          1 + coalesce((select max(v.revision) from ${transactionRevisions} v
            where v.account_id = ${hiddenFromPlanner(lease.account)} and v.transaction_id = r.id), 0),
          ${since}::timestamptz, array['missing_since'], '{"missing_since": null}',
          jsonb_build_object('missing_since', ${since}::text), ${run.runId}::bigint
        from unnest(${textArray(markedIds)}) as r(id)`,
    );
    writeAnomalies(
      tx,
      markedIds.map((resourceId) => ({
        kind: missingKind,
        resource: 'transactions',
        resourceId,
        details: { meaning: 'two sweeps in a row did not show it, and its id is answered with TXN-04' },
      })),
    );
    return markedIds.length;
  });
}
