// The rows of a transaction's history: its changes of status, and its revisions. Rows are only ever added.

import { type SQL, sql } from 'drizzle-orm';
import { transactionRevisions, transactionStatusHistory } from '../../../drizzle/transaction-history.ts';
import type { FencedTx } from '../run/fence.ts';
import type { Lease } from '../run/leases.ts';
import type { Run } from '../run/runs.ts';
import { appendRows, arrayLiteral, columnsOf, encodeColumns } from '../values/bulk-rows.ts';
import { observedAfter } from './observed-after.ts';
import type { NumberedRevision, StatusChange } from './transaction-changes.ts';

export type StatusChangeColumns = Awaited<ReturnType<typeof encodeStatusChanges>>;

const members = [
  'transactionId',
  'sequence',
  'fromStatus',
  'toStatus',
  'observedAt',
  'sourceTimestamp',
  'contentHash',
] as const;

/** What is written of the changes, as it is sent, and whether all are first observations. */
export async function encodeStatusChanges(changes: readonly StatusChange[]) {
  const columns = await encodeColumns(transactionStatusHistory, columnsOf(changes, members));
  return { columns, areFirst: changes.every((change) => change.fromStatus === null) };
}

/** The statement that adds the changes. Parameters as `insertTransactions`. */
export function insertStatusChanges(
  lease: Lease,
  run: Run,
  { columns, areFirst }: StatusChangeColumns,
  wereQuarantined: boolean,
  which?: SQL,
): SQL {
  const values = {
    accountId: sql`${lease.account}`,
    ...columns,
    runId: sql`${run.runId}::bigint`,
    observedAfter: observedAfter(lease, run, { areFirst, wereQuarantined }),
  };
  return appendRows(transactionStatusHistory, values, which);
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
