// The rows of a transaction's history: its changes of status, and its revisions. Rows are only ever added.
import { sql } from 'drizzle-orm';
import { transactionRevisions, transactionStatusHistory } from '../../../drizzle/transaction-history.ts';
import { appendRows, arrayLiteral, columnsOf } from '../postgres/bulk-rows.ts';
import type { Tx } from '../postgres/database.ts';
import type { Lease } from '../run/leases.ts';
import type { Run } from '../run/runs.ts';
import { observedAfter } from './observed-after.ts';
import type { NumberedRevision, StatusChange } from './transaction-changes.ts';

export async function writeStatusChanges(
  tx: Tx,
  lease: Lease,
  run: Run,
  changes: readonly StatusChange[],
): Promise<void> {
  if (changes.length === 0) return;
  await tx.run('transaction-status-history.write', (db) =>
    db.execute(
      appendRows(transactionStatusHistory, {
        accountId: sql`${lease.account}`,
        ...columnsOf(changes, [
          'transactionId',
          'sequence',
          'fromStatus',
          'toStatus',
          'observedAt',
          'sourceTimestamp',
        ]),
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
  if (revisions.length === 0) return;
  await tx.run('transaction-revisions.write', (db) =>
    db.execute(
      appendRows(transactionRevisions, {
        accountId: sql`${lease.account}`,
        ...columnsOf(revisions, ['transactionId', 'revision', 'observedAt', 'before', 'after']),
        changedFields: revisions.map((revision) => arrayLiteral(revision.changedFields)),
        runId: sql`${run.runId}::bigint`,
      }),
    ),
  );
}
