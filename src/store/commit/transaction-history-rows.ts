// The rows of a transaction's history: its changes of status, and its revisions. Rows are only ever added.

import { sql } from 'drizzle-orm';
import { transactionRevisions, transactionStatusHistory } from '../../../drizzle/transaction-history.ts';
import type { FencedTx } from '../run/fence.ts';
import type { Run } from '../run/runs.ts';
import { appendRows, arrayLiteral, columnsOf } from '../values/bulk-rows.ts';
import { observedAfter } from './observed-after.ts';
import type { NumberedRevision, StatusChange } from './transaction-changes.ts';

/** What a change of status brings to its row. */
export const statusChangeMembers = [
  'transactionId',
  'sequence',
  'fromStatus',
  'toStatus',
  'observedAt',
  'readAt',
  'sourceTimestamp',
  'contentHash',
] as const;

/** @param wereQuarantined whether one of the transactions was ever in quarantine */
export function writeStatusChanges(
  tx: FencedTx,
  run: Run,
  changes: readonly StatusChange[],
  wereQuarantined: boolean,
): void {
  if (changes.length === 0) return;
  const areFirst = changes.every((change) => change.fromStatus === null);
  tx.send('transaction-status-history.write', () =>
    appendRows(transactionStatusHistory, {
      accountId: sql`${tx.lease.account}`,
      ...columnsOf(changes, statusChangeMembers),
      runId: sql`${run.runId}::bigint`,
      observedAfter: observedAfter(tx.lease, run, { areFirst, wereQuarantined }),
    }),
  );
}

export function writeRevisions(tx: FencedTx, run: Run, revisions: readonly NumberedRevision[]): void {
  if (revisions.length === 0) return;
  tx.send('transaction-revisions.write', () =>
    appendRows(transactionRevisions, {
      accountId: sql`${tx.lease.account}`,
      ...columnsOf(revisions, ['transactionId', 'revision', 'observedAt', 'before', 'after', 'contentHash']),
      changedFields: revisions.map((revision) => arrayLiteral(revision.changedFields)),
      runId: sql`${run.runId}::bigint`,
    }),
  );
}
