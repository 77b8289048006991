// Decides what a commit writes, from the rows of the mirror and the observations of each transaction. Pure.
// It holds "never backwards": an observation counts only if its request began after the row last changed.

import { sql } from 'drizzle-orm';
import { transactionRevisions, transactionStatusHistory } from '../../../drizzle/transaction-history.ts';
import {
  columnOf,
  namesOf,
  pathsOf,
  settledStatuses,
  transactionDetails,
  transactionFields,
} from '../../domain/fields.ts';
import { jsonLeaves, type Leaves } from '../../domain/json.ts';
import {
  type Transaction,
  type TransactionDetails,
  unknownEnumerationValues,
} from '../../domain/transaction.ts';
import type { Anomaly } from '../run/anomalies.ts';
import type { FencedTx } from '../run/leases.ts';
import type { Run } from '../run/runs.ts';
import { arrayLiteral, columnsOf, rowsOf } from '../values/bulk-rows.ts';
import { type Micros, microsToIso } from '../values/micros.ts';
import { type MergedPages, observedAfter, type RecordObservation } from './observations.ts';

// What changed between two observations of a transaction, apart from the status: by column where the field
// has one, else by its path in the record. Pure. Another spelling of the same value changes the record only,
// and shows as its path.

interface TransactionRevision {
  readonly changedFields: readonly string[];
  /** JSON text of an object of the changed fields; an absent field is left out. */
  readonly before: string;
  readonly after: string;
}

type Observed = TransactionDetails & { readonly raw: string };

const detailFields = namesOf(transactionDetails);
/** For each of them, the paths in the record that it is read from. */
const paths: ReadonlyMap<string, readonly string[]> = new Map(
  detailFields.map((name) => [name, pathsOf(transactionDetails[name])]),
);
/** `timestamp` is the time of retrieval; status and identifier have columns of their own in the history. */
const { transactionId, status, sourceTimestamp } = transactionFields;
const leftOut: ReadonlySet<string> = new Set([transactionId, status, sourceTimestamp].flatMap(pathsOf));

/** @returns null when nothing but status or timestamp differs */
export function diffTransactions(before: Observed, after: Observed): TransactionRevision | null {
  const changedFields: string[] = [];
  const beforeMembers: string[] = [];
  const afterMembers: string[] = [];
  const explained = new Set<string>();
  const leavesBefore = jsonLeaves(before.raw, leftOut);
  const leavesAfter = jsonLeaves(after.raw, leftOut);
  for (const field of detailFields) {
    if (before[field] === after[field]) continue;
    const name = columnOf(field);
    changedFields.push(name);
    beforeMembers.push(member(name, JSON.stringify(before[field])));
    afterMembers.push(member(name, JSON.stringify(after[field])));
    const [own = '', ...aliases] = paths.get(field) ?? [];
    explained.add(own);
    // An alias is explained only if the field was read from it: the field's own name hides its value.
    const isRead = (leaves: Leaves, alias: string) =>
      !leaves.has(alias) || (leaves.get(own) ?? 'null') === 'null';
    for (const alias of aliases)
      if (isRead(leavesBefore, alias) && isRead(leavesAfter, alias)) explained.add(alias);
  }
  for (const path of [...new Set([...leavesBefore.keys(), ...leavesAfter.keys()])].sort()) {
    const was = leavesBefore.get(path);
    const is = leavesAfter.get(path);
    if (was === is || explained.has(path)) continue;
    const name = `raw.${path}`;
    changedFields.push(name);
    if (was !== undefined) beforeMembers.push(member(name, was));
    if (is !== undefined) afterMembers.push(member(name, is));
  }
  if (changedFields.length === 0) return null;
  return { changedFields, before: `{${beforeMembers.join()}}`, after: `{${afterMembers.join()}}` };
}

function member(name: string, json: string): string {
  return `${JSON.stringify(name)}:${json}`;
}

/** The revision of a transaction that is shown again, together with its other changes. */
function withReturn(content: TransactionRevision | null, missingSince: Micros): TransactionRevision {
  const before: unknown = JSON.parse(content?.before ?? '{}');
  const after: unknown = JSON.parse(content?.after ?? '{}');
  return {
    changedFields: [...(content?.changedFields ?? []), 'missing_since'],
    before: JSON.stringify({ ...Object(before), missing_since: microsToIso(missingSince) }),
    after: JSON.stringify({ ...Object(after), missing_since: null }),
  };
}

// The rows of a transaction's history: its changes of status, and its revisions. Rows are only ever added.

/** The members that a change of status gives its row. */
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
  const after = observedAfter(tx.lease, run, { areFirst, wereQuarantined });
  const { names, rows } = rowsOf(transactionStatusHistory, columnsOf(changes, statusChangeMembers));
  tx.send(
    'transaction-status-history.write',
    () => sql`
      insert into ${transactionStatusHistory} (account_id, run_id, observed_after, ${names})
      select ${tx.lease.account}, ${run.runId}::bigint, ${after}, r.* from ${rows} as r`,
  );
}

/** The columns of revisions. */
export function revisionColumns(revisions: readonly NumberedRevision[]) {
  return {
    ...columnsOf(revisions, ['transactionId', 'revision', 'observedAt', 'before', 'after', 'contentHash']),
    changedFields: revisions.map(({ changedFields }) => arrayLiteral(changedFields)),
  };
}

export function writeRevisions(tx: FencedTx, run: Run, revisions: readonly NumberedRevision[]): void {
  if (revisions.length === 0) return;
  const { names, rows } = rowsOf(transactionRevisions, revisionColumns(revisions));
  tx.send(
    'transaction-revisions.write',
    () => sql`
      insert into ${transactionRevisions} (account_id, run_id, ${names})
      select ${tx.lease.account}, ${run.runId}::bigint, r.* from ${rows} as r`,
  );
}

/** The row of a transaction, as it was read or as it will be written. */
export interface KnownTransaction {
  /**
   * `sourceTimestamp` is null in a row that was read: a row is written only with that of a later observation.
   */
  readonly record: Transaction;
  readonly firstSeenAt: Micros;
  readonly statusChangedAt: Micros;
  readonly changedAt: Micros;
  readonly missingSince: Micros | null;
  readonly lastSequence: number;
  readonly lastRevision: number;
  /** The row was altered in the database: all is as history has it, and the content before is unknown. */
  readonly isAltered?: boolean;
}

interface StatusChange {
  readonly transactionId: string;
  readonly sequence: number;
  readonly fromStatus: string | null;
  readonly toStatus: string;
  readonly observedAt: Micros;
  /** When its record was first read, if later because it was in quarantine. */
  readonly readAt: Micros | null;
  readonly sourceTimestamp: string | null;
  readonly contentHash: string;
}

interface NumberedRevision extends TransactionRevision {
  readonly transactionId: string;
  readonly revision: number;
  readonly observedAt: Micros;
  readonly contentHash: string;
}

/** Everything that a commit writes about transactions. */
export interface TransactionChanges {
  /** Rows to insert. */
  readonly newRows: KnownTransaction[];
  /** Rows to overwrite, or to restore if somebody deleted them. */
  readonly changedRows: KnownTransaction[];
  readonly statusChanges: StatusChange[];
  readonly revisions: NumberedRevision[];
  /** Changes of a settled status. */
  readonly reopened: StatusChange[];
  /** Transactions that were marked as missing and are shown again. */
  readonly returned: string[];
  /** How many observations changed something, changed nothing, or were older than their row. */
  changed: number;
  unchanged: number;
  stale: number;
}

const noChanges = (): TransactionChanges => ({
  newRows: [],
  changedRows: [],
  statusChanges: [],
  revisions: [],
  reopened: [],
  returned: [],
  changed: 0,
  unchanged: 0,
  stale: 0,
});

/**
 * Decides what a group of observations changes.
 *
 * @param found the rows that differ, by id; null for a transaction that the mirror does not have
 * @param quarantinedSince when each of the transactions that were in quarantine entered it
 */
export function decide(
  records: MergedPages<Transaction>['records'],
  found: ReadonlyMap<string, KnownTransaction | null>,
  quarantinedSince: ReadonlyMap<string, Micros> = new Map(),
): TransactionChanges {
  const changes = noChanges();
  for (const [key, observations] of records) {
    const known = found.get(key);
    if (known === undefined) changes.unchanged += observations.length;
    else addChanges(changes, known, observations, quarantinedSince.get(key));
  }
  return changes;
}

/**
 * Adds what the observations of one transaction change.
 *
 * @param quarantinedSince when it entered the quarantine: it was listed then already
 */
function addChanges(
  changes: TransactionChanges,
  known: KnownTransaction | null,
  observations: readonly RecordObservation<Transaction>[],
  quarantinedSince: Micros | undefined,
): void {
  let row = known;
  for (const observation of observations) {
    if (row === null) {
      row = firstObservation(changes, observation, quarantinedSince ?? observation.arrivedAt);
    } else if (observation.beganAt < Math.max(row.changedAt, row.missingSince ?? 0)) {
      changes.stale += 1;
    } else {
      const later = laterObservation(changes, row, observation);
      changes[later.outcome] += 1;
      row = later.row;
    }
  }
  if (row === null || row === known) return;
  if (known === null) changes.newRows.push(row);
  else changes.changedRows.push(row);
}

function firstObservation(
  changes: TransactionChanges,
  { item, arrivedAt }: RecordObservation<Transaction>,
  firstSeenAt: Micros,
): KnownTransaction {
  const { transactionId, status, sourceTimestamp, contentHash } = item.record;
  changes.statusChanges.push({
    transactionId,
    sequence: 1,
    fromStatus: null,
    toStatus: status,
    observedAt: firstSeenAt,
    readAt: arrivedAt === firstSeenAt ? null : arrivedAt,
    sourceTimestamp,
    contentHash,
  });
  return {
    record: item.record,
    firstSeenAt,
    statusChangedAt: firstSeenAt,
    changedAt: arrivedAt,
    missingSince: null,
    lastSequence: 1,
    lastRevision: 0,
  };
}

/** @returns null where the status alone changed */
function contentRevision(row: KnownTransaction, record: Transaction): TransactionRevision | null {
  const after = `{"raw":${record.raw}}`;
  if (row.isAltered) return { changedFields: ['raw'], before: '{}', after };
  const revision = diffTransactions(row.record, record);
  if (revision !== null || record.status !== row.record.status) return revision;
  // The same content in another spelling. Each digest has its row of the history.
  return { changedFields: ['raw'], before: `{"raw":${row.record.raw}}`, after };
}

/** @returns the row after the observation; the same object when there is nothing to write */
function laterObservation(
  changes: TransactionChanges,
  row: KnownTransaction,
  { item: { record }, arrivedAt }: RecordObservation<Transaction>,
): { readonly row: KnownTransaction; readonly outcome: 'changed' | 'unchanged' } {
  const sameContent = record.contentHash === row.record.contentHash;
  if (sameContent && row.missingSince === null)
    return { row: row.isAltered ? { ...row, record, isAltered: false } : row, outcome: 'unchanged' };
  const statusChanged = record.status !== row.record.status;
  const content = sameContent ? null : contentRevision(row, record);
  const revision = row.missingSince === null ? content : withReturn(content, row.missingSince);
  const { transactionId, contentHash } = record;
  if (statusChanged) {
    const change = {
      transactionId,
      sequence: row.lastSequence + 1,
      fromStatus: row.record.status,
      toStatus: record.status,
      observedAt: arrivedAt,
      readAt: null,
      sourceTimestamp: record.sourceTimestamp,
      contentHash,
    };
    changes.statusChanges.push(change);
    if (settledStatuses.includes(row.record.status)) changes.reopened.push(change);
  }
  if (revision !== null) {
    changes.revisions.push({
      ...revision,
      transactionId,
      revision: row.lastRevision + 1,
      observedAt: arrivedAt,
      contentHash,
    });
  }
  if (row.missingSince !== null) changes.returned.push(transactionId);
  const after = {
    record,
    firstSeenAt: row.firstSeenAt,
    statusChangedAt: statusChanged ? arrivedAt : row.statusChangedAt,
    changedAt: arrivedAt,
    missingSince: null,
    lastSequence: row.lastSequence + (statusChanged ? 1 : 0),
    lastRevision: row.lastRevision + (revision === null ? 0 : 1),
  };
  return { row: after, outcome: 'changed' };
}

/** The anomalies that the changes show. */
export function anomaliesOf({ reopened, ...written }: TransactionChanges): readonly Anomaly[] {
  const anomaly = (kind: Anomaly['kind'], resourceId: string, details: Anomaly['details']) =>
    ({ kind, resource: 'transactions', resourceId, details }) as const;
  const unknownValues = new Map<string, string>();
  for (const { record } of [...written.newRows, ...written.changedRows])
    for (const value of unknownEnumerationValues(record)) unknownValues.set(value, record.transactionId);
  return [
    ...reopened.map(({ transactionId, fromStatus, toStatus }) =>
      anomaly('settled-status-left', transactionId, { from: fromStatus, to: toStatus }),
    ),
    ...[...unknownValues].map(([value, id]) => anomaly('unknown-value', value, { transaction_id: id })),
  ];
}
