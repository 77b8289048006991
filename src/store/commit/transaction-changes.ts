// What a commit has to write for one transaction, given the row there is and what was seen of it, in order. Pure.
// The never-backwards guard lives here: a sighting counts only if its request began after the row last changed.
import { type Transaction, terminalStatuses } from '../../domain/transaction.ts';
import { type Micros, microsToIso } from '../postgres/micros.ts';
import type { Sighting } from './sightings.ts';
import { diffTransactions, type TransactionRevision } from './transaction-diff.ts';

/** The row of a transaction as it is known, stored or about to be. */
export interface KnownTransaction {
  /** `sourceTimestamp` is that of the sighting last written; null for a row just read, which is written only with another. */
  readonly record: Transaction;
  readonly firstSeenAt: Micros;
  readonly statusChangedAt: Micros;
  readonly changedAt: Micros;
  readonly missingSince: Micros | null;
  readonly lastSequence: number;
  readonly lastRevision: number;
}

export interface StatusChange {
  readonly transactionId: string;
  readonly sequence: number;
  readonly fromStatus: string | null;
  readonly toStatus: string;
  readonly observedAt: Micros;
  readonly sourceTimestamp: string | null;
}

export interface NumberedRevision extends TransactionRevision {
  readonly transactionId: string;
  readonly revision: number;
  readonly observedAt: Micros;
}

/** Everything a commit writes of transactions; filled one transaction at a time. */
export interface TransactionChanges {
  /** Rows to insert. */
  newRows: KnownTransaction[];
  /** Rows to write over those there are. */
  readonly changedRows: KnownTransaction[];
  statusChanges: StatusChange[];
  readonly revisions: NumberedRevision[];
  /** Sightings of a settled transaction that had moved on again. */
  readonly reopened: StatusChange[];
  /** Transactions that had been marked as missing. */
  readonly returned: string[];
  inserted: number;
  changed: number;
  unchanged: number;
  /** Sightings that were refused for their time, and the latest time for which one was. */
  stale: number;
  refusedFor: Micros;
}

export function noChanges(): TransactionChanges {
  return {
    newRows: [],
    changedRows: [],
    statusChanges: [],
    revisions: [],
    reopened: [],
    returned: [],
    inserted: 0,
    changed: 0,
    unchanged: 0,
    stale: 0,
    refusedFor: 0,
  };
}

/** Adds what the sightings of one transaction change. */
export function addChanges(
  changes: TransactionChanges,
  known: KnownTransaction | null,
  sightings: readonly Sighting<Transaction>[],
): void {
  let row = known;
  for (const sighting of sightings) {
    if (row === null) {
      row = firstSighting(changes, sighting);
      changes.inserted += 1;
    } else if (sighting.beganAt < Math.max(row.changedAt, row.missingSince ?? 0)) {
      changes.stale += 1;
      changes.refusedFor = Math.max(changes.refusedFor, row.changedAt, row.missingSince ?? 0);
    } else {
      const later = laterSighting(changes, row, sighting);
      changes[later.outcome] += 1;
      row = later.row;
    }
  }
  if (row === null || row === known) return;
  if (known === null) changes.newRows.push(row);
  else changes.changedRows.push(row);
}

function firstSighting(changes: TransactionChanges, sighting: Sighting<Transaction>): KnownTransaction {
  const { item, arrivedAt } = sighting;
  const { transactionId, status, sourceTimestamp } = item.record;
  changes.statusChanges.push({
    transactionId,
    sequence: 1,
    fromStatus: null,
    toStatus: status,
    observedAt: arrivedAt,
    sourceTimestamp,
  });
  return {
    record: item.record,
    firstSeenAt: arrivedAt,
    statusChangedAt: arrivedAt,
    changedAt: arrivedAt,
    missingSince: null,
    lastSequence: 1,
    lastRevision: 0,
  };
}

/** Gives transactions that were shown unread before, by their identifiers, the time of that as that of their first sighting. */
export function beginEarlier(changes: TransactionChanges, unread: ReadonlyMap<string, Micros>): void {
  if (unread.size === 0) return;
  changes.newRows = changes.newRows.map((row) => {
    const at = unread.get(row.record.transactionId);
    if (at === undefined) return row;
    return { ...row, firstSeenAt: at, statusChangedAt: row.lastSequence === 1 ? at : row.statusChangedAt };
  });
  changes.statusChanges = changes.statusChanges.map((change) => {
    const at = change.sequence === 1 ? unread.get(change.transactionId) : undefined;
    return at === undefined ? change : { ...change, observedAt: at };
  });
}

/** The revision of a transaction that is shown again, with what else of it changed. */
function withReturn(content: TransactionRevision | null, missingSince: Micros): TransactionRevision {
  const before: unknown = JSON.parse(content?.before ?? '{}');
  const after: unknown = JSON.parse(content?.after ?? '{}');
  return {
    changedFields: [...(content?.changedFields ?? []), 'missing_since'],
    before: JSON.stringify({ ...Object(before), missing_since: microsToIso(missingSince) }),
    after: JSON.stringify({ ...Object(after), missing_since: null }),
  };
}

/** @returns the row after the sighting: the same object where there is nothing to write */
function laterSighting(
  changes: TransactionChanges,
  row: KnownTransaction,
  { item: { record }, arrivedAt }: Sighting<Transaction>,
): { readonly row: KnownTransaction; readonly outcome: 'changed' | 'unchanged' } {
  const sameContent = record.contentHash === row.record.contentHash;
  if (sameContent && row.missingSince === null) return { row, outcome: 'unchanged' };
  const statusChanged = record.status !== row.record.status;
  const content = sameContent ? null : diffTransactions(row.record, record);
  const revision = row.missingSince === null ? content : withReturn(content, row.missingSince);
  if (!statusChanged && revision === null && row.missingSince === null) {
    // Written otherwise, but the same: only the digest is brought up to date.
    return { row: { ...row, record }, outcome: 'unchanged' };
  }
  const { transactionId } = record;
  if (statusChanged) {
    const change = {
      transactionId,
      sequence: row.lastSequence + 1,
      fromStatus: row.record.status,
      toStatus: record.status,
      observedAt: arrivedAt,
      sourceTimestamp: record.sourceTimestamp,
    };
    changes.statusChanges.push(change);
    if (terminalStatuses.includes(row.record.status)) changes.reopened.push(change);
  }
  if (revision !== null) {
    changes.revisions.push({
      ...revision,
      transactionId,
      revision: row.lastRevision + 1,
      observedAt: arrivedAt,
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
