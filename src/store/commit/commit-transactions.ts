// Commits pages of transactions in one database transaction: rows, status history, revisions, quarantine,
// anomalies, the run's counters and the resume position. The number of statements does not grow with the
// pages, and the result is that of committing the pages one by one in the order of their requests.
import type { SQL } from 'drizzle-orm';
import type { RequestTally } from '../../domain/endpoint.ts';
import { MirrorError } from '../../domain/errors.ts';
import type { Page } from '../../domain/page.ts';
import type { Transaction } from '../../domain/transaction.ts';
import type { Database } from '../postgres/database.ts';
import { isDatabaseAway, isServerTimeout } from '../postgres/database-errors.ts';
import { keepCounts } from '../run/accounts.ts';
import { resolveAnomalies, writeAnomalies } from '../run/anomalies.ts';
import { type FencedTx, withFence, withFencedStatement } from '../run/fence.ts';
import type { Lease } from '../run/leases.ts';
import { type JobPosition, writePosition } from '../run/positions.ts';
import { readOlderUnread, resolveQuarantine, writeQuarantine } from '../run/quarantine.ts';
import { countIntoRun, type Run } from '../run/runs.ts';
import { textArray } from '../values/binary-array.ts';
import { vanishedKind } from './mark-vanished.ts';
import { duplicateIds, type MergedPages, mergeObservations } from './observations.ts';
import {
  addChanges,
  anomaliesOf,
  backdateFirstSeen,
  noChanges,
  type TransactionChanges,
} from './transaction-changes.ts';
import { encodeStatusChanges, insertStatusChanges, writeRevisions } from './transaction-history-rows.ts';
import {
  type Comparison,
  type ComparisonRow,
  compareAndInsert,
  encodeTransactions,
  insertTransactions,
  type NewRows,
  overwriteTransactions,
  readKnown,
} from './transaction-rows.ts';
import type { ReadStored } from './transaction-tampering.ts';

export interface TransactionPages {
  /** Pages, or what `preparePages` made of them. */
  readonly pages: readonly Page<Transaction>[] | PreparedPages;
  /** Requests of the run so far. */
  readonly tally: RequestTally;
  /** Where the job resumes after these pages; null keeps the position there is. */
  readonly position: JobPosition | null;
  /** Left out, tampering with a row is found by its digest and status alone. */
  readonly readStored?: ReadStored;
}

/** Every item of the pages counts once in one of inserted, changed, unchanged, stale and quarantined. */
export interface TransactionCommit {
  readonly inserted: number;
  readonly changed: number;
  /** Changes of status among those changed. */
  readonly statusChanges: number;
  readonly unchanged: number;
  /** Refused, because the mirror or another answer is of a later time. */
  readonly stale: number;
  readonly quarantined: number;
  /** Transactions seen for the first time, and those whose row changed. */
  readonly insertedIds: readonly string[];
  readonly changedIds: readonly string[];
}

/** The commit took longer than its limits, and nothing of it was written: less may go through. */
export class CommitTimeout extends MirrorError {}

/** Pages with everything that can be made of them before the database is asked. */
export interface PreparedPages {
  readonly merged: MergedPages<Transaction>;
  /** Identifiers and digests of their transactions, in one order. */
  readonly keys: readonly string[];
  readonly sent: { readonly keys: SQL; readonly hashes: SQL };
  /** What is written of those that the mirror does not know; null where few such were expected. */
  readonly ifNew: NewRows | null;
  /** The tables hold so few rows that plans made now would be wrong soon. */
  readonly isYoung: boolean;
}

/** @param expectNew the mirror probably knows few of the transactions: the rows of all are made at once */
export async function preparePages(
  pages: readonly Page<Transaction>[],
  expectNew: boolean,
  isYoung = false,
): Promise<PreparedPages> {
  const merged = mergeObservations(pages);
  const keys = [...merged.records.keys()];
  // An empty digest differs from every row: where several contents were seen, the row has to be read.
  const hashes = [...merged.records.values()].map((observations) => {
    const { contentHash } = observations[0].item.record;
    return observations.every(({ item }) => item.record.contentHash === contentHash) ? contentHash : '';
  });
  const sent = { keys: textArray(keys), hashes: textArray(hashes) };
  const ifNew = expectNew && keys.length > 0 ? await rowsIfNew(merged) : null;
  return { merged, keys, sent, ifNew, isYoung };
}

async function rowsIfNew(merged: MergedPages<Transaction>): Promise<NewRows> {
  const changes = noChanges();
  for (const observations of merged.records.values()) addChanges(changes, null, observations);
  return {
    rows: await encodeTransactions(changes.newRows),
    statusChanges: await encodeStatusChanges(changes.statusChanges),
  };
}

/**
 * Commits the pages. When they hold nothing new, it writes no row of schema `custody`.
 *
 * @throws MirrorError `LEASE-LOST`, `DATABASE-UNREACHABLE`, `DATABASE-REFUSED`; nothing is written then,
 *   unless only the answer to the commit was lost
 */
export async function commitTransactionPages(
  database: Database,
  lease: Lease,
  run: Run,
  { pages, tally, position, readStored }: TransactionPages,
): Promise<TransactionCommit> {
  const prepared = 'merged' in pages ? pages : await preparePages(pages, false);
  const { merged, keys, sent, ifNew, isYoung } = prepared;
  let mayBeWritten = false;
  const commit = async (tx: FencedTx, compared: Comparison) => {
    mayBeWritten = false;
    const changes = await writeChanges(tx, run, prepared, compared, readStored);
    keepCounts(tx, { inserted: changes.newRows.length, missing: -changes.returned.length });
    writeRevisions(tx, run, changes.revisions);
    writeQuarantineOf(tx, run, merged, compared.openQuarantine);
    writeAnomalies(tx, [...duplicateIds(merged, 'transactions'), ...anomaliesOf(changes)]);
    resolveAnomalies(tx, vanishedKind, 'transactions', changes.returned);
    const written = {
      inserted: changes.inserted,
      changed: changes.changed,
      statusChanges: changes.statusChanges.filter((change) => change.fromStatus !== null).length,
      unchanged: changes.unchanged + merged.repeated,
      stale: changes.stale + merged.superseded,
      quarantined: merged.undecodable.length,
      insertedIds: changes.newRows.map((row) => row.record.transactionId),
      changedIds: changes.changedRows.map((row) => row.record.transactionId),
    };
    countIntoRun(tx, run, { read: merged.read, ...written }, tally);
    if (position !== null) writePosition(tx, position);
    mayBeWritten = true;
    return written;
  };
  const label = 'commit-transactions';
  try {
    if (keys.length === 0)
      return await withFence(database, lease, label, (tx) => commit(tx, nothingCompared));
    const statement = compareAndInsert(lease, run, sent, ifNew);
    const first = { label: 'transactions.compare', statement, freshPlans: isYoung };
    return await withFencedStatement<ComparisonRow, TransactionCommit>(database, lease, label, first, commit);
  } catch (error) {
    const isTimeout = isServerTimeout(error) || (isDatabaseAway(error) && !mayBeWritten);
    if (isTimeout && error instanceof MirrorError)
      throw new CommitTimeout(error.code, error.message, { cause: error });
    throw error;
  }
}

const nothingCompared: Comparison = {
  unknown: [],
  different: [],
  wereQuarantined: false,
  openQuarantine: false,
};

/** Writes the rows that are new or differ, but for those that came with the comparison. */
async function writeChanges(
  tx: FencedTx,
  run: Run,
  { merged, keys, ifNew }: PreparedPages,
  compared: Comparison,
  readStored?: ReadStored,
): Promise<TransactionChanges> {
  const changes = noChanges();
  const byPosition = [...merged.records.values()];
  const { unknown, wereQuarantined } = compared;
  for (const position of unknown) addChanges(changes, null, byPosition[position] ?? []);
  const areInserted = ifNew !== null && !wereQuarantined;
  const written = areInserted ? changes.statusChanges.length : 0;
  if (changes.newRows.length > 0 && wereQuarantined) {
    const ids = changes.newRows.map((row) => row.record.transactionId);
    backdateFirstSeen(changes, await readOlderUnread(tx, ids));
  }
  const different = compared.different.flatMap((position) => keys[position] ?? []);
  if (different.length > 0) {
    const known = await readKnown(tx, different, readStored);
    for (const key of different) addChanges(changes, known.get(key) ?? null, merged.records.get(key) ?? []);
  }
  changes.unchanged += unchangedIn(byPosition, compared);

  const { newRows, changedRows, statusChanges } = changes;
  if (newRows.length > 0 && !areInserted) {
    const columns = await encodeTransactions(newRows);
    tx.send('transactions.insert', insertTransactions(tx.lease, run, columns, wereQuarantined));
  }
  await overwriteTransactions(tx, changedRows);
  if (statusChanges.length > written) {
    const columns = await encodeStatusChanges(statusChanges.slice(written));
    tx.send('transaction-status-history.write', () =>
      insertStatusChanges(tx.lease, run, columns, wereQuarantined),
    );
  }
  return changes;
}

function unchangedIn(
  observations: readonly (readonly unknown[])[],
  { unknown, different }: Comparison,
): number {
  const others = new Set([...unknown, ...different]);
  return observations.reduce((sum, ofOne, position) => sum + (others.has(position) ? 0 : ofOne.length), 0);
}

/** A key that was readable and unreadable in the same pages stays in quarantine. */
function writeQuarantineOf(
  tx: FencedTx,
  run: Run,
  merged: MergedPages<Transaction>,
  openQuarantine: boolean,
): void {
  if (openQuarantine) {
    const unreadable = new Set(merged.undecodable.map((observation) => observation.item.key));
    const readable = [...merged.records.keys()].filter((key) => !unreadable.has(key));
    resolveQuarantine(tx, 'transactions', readable);
  }
  writeQuarantine(tx, run, 'transactions', merged.undecodable);
}
