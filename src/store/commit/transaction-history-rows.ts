// The rows of a transaction's history: its changes of status, and its revisions. Rows are only ever added.

import { sql } from 'drizzle-orm';
import { transactionRevisions, transactionStatusHistory } from '../../../drizzle/transaction-history.ts';
import { appendRows, arrayLiteral, columnsOf } from '../postgres/bulk-rows.ts';
import type { FencedTx } from '../run/fence.ts';
import type { Run } from '../run/runs.ts';
import { observedAfter } from './observed-after.ts';
import type { NumberedRevision, StatusChange } from './transaction-changes.ts';

export async function writeStatusChanges(
  tx: FencedTx,
  run: Run,
  changes: readonly StatusChange[],
): Promise<void> {
  if (changes.length === 0) return;
  await tx.run('transaction-status-history.write', (db) =>
    db.execute(
      appendRows(transactionStatusHistory, {
        accountId: sql`${tx.lease.account}`,
        ...columnsOf(changes, [
          'transactionId',
          'sequence',
          'fromStatus',
          'toStatus',
          'observedAt',
          'sourceTimestamp',
        ]),
        runId: sql`${run.runId}::bigint`,
        observedAfter: observedAfter(tx.lease, run, changes),
      }),
    ),
  );
}

export async function writeRevisions(
  tx: FencedTx,
  run: Run,
  revisions: readonly NumberedRevision[],
): Promise<void> {
  if (revisions.length === 0) return;
  await tx.run('transaction-revisions.write', (db) =>
    db.execute(
      appendRows(transactionRevisions, {
        accountId: sql`${tx.lease.account}`,
        ...columnsOf(revisions, ['transactionId', 'revision', 'observedAt', 'before', 'after']),
        changedFields: revisions.map((revision) => arrayLiteral(revision.changedFields)),
        runId: sql`${run.runId}::bigint`,
      }),
    ),
  );
}
