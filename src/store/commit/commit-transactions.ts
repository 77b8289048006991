// Commits pages of transactions in one database transaction: rows, status history, revisions, quarantine,
// anomalies, the run's counters and the resume position. The number of statements does not grow with the
// pages, and the result is that of committing the pages one by one in the order of their requests.
import { sql } from 'drizzle-orm';
import type { RequestTally } from '../../domain/endpoint.ts';
import { MirrorError } from '../../domain/errors.ts';
import type { Page } from '../../domain/page.ts';
import type { Transaction } from '../../domain/transaction.ts';
import type { Database } from '../postgres/database.ts';
import { isDatabaseOffline, isServerTimeout } from '../postgres/database-errors.ts';
import { keepCounts } from '../run/accounts.ts';
import { resolveAnomalies, writeAnomalies } from '../run/anomalies.ts';
import { type JobPosition, writePosition } from '../run/learned.ts';
import { type FencedTx, type FenceRow, type Lease, withFence, withFencedStatement } from '../run/leases.ts';
import { keysInQuarantine, readOlderUnread, resolveQuarantine, writeQuarantine } from '../run/quarantine.ts';
import { countIntoRun, type RecordCounts, type Run } from '../run/runs.ts';
import { missingKind } from './mark-missing.ts';
import { duplicateIds, type MergedPages, mergeObservations } from './observations.ts';
import {
  anomaliesOf,
  decide,
  type KnownTransaction,
  type TransactionChanges,
  writeRevisions,
  writeStatusChanges,
} from './transaction-changes.ts';
import {
  type Comparison,
  compareWithMirror,
  insertTransactions,
  overwriteTransactions,
  type ReadStored,
  readKnown,
} from './transaction-rows.ts';

export interface TransactionPages {
  readonly pages: readonly Page<Transaction>[];
  /** Requests of the run so far. */
  readonly tally: RequestTally;
  /** Where the job resumes after these pages; null keeps the stored position. */
  readonly position: JobPosition | null;
  /** Records in quarantine that the run has counted; these are added. A list read twice shows each twice. */
  readonly counted?: { has(key: string): boolean; add(key: string): unknown };
  /** If left out, an altered row is recognised only by its digest, status and moments. */
  readonly readStored?: ReadStored;
}

export interface TransactionCommit extends RecordCounts {
  /** Status changes among the changes. */
  readonly statusChanges: number;
  /** Transactions seen for the first time, and those whose row changed. */
  readonly insertedIds: readonly string[];
  readonly changedIds: readonly string[];
}

/** The commit was more than its limits allow, and nothing of it was written: less may go through. */
export class CommitTooLarge extends MirrorError {}

/** The most bytes of known records that are read at once, to be compared with new ones. */
const mostKnown = 2 ** 23;

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
  { pages, tally, position, counted = new Set(), readStored }: TransactionPages,
): Promise<TransactionCommit> {
  const merged = mergeObservations(pages);
  const newlyQuarantined = [...keysInQuarantine(merged.undecodable)].filter((key) => !counted.has(key));
  let mayBeWritten = false;
  const commit = async (tx: FencedTx, compared: Comparison) => {
    mayBeWritten = false;
    const { changes, altered, hasForeign } = await decideUnderFence(tx, merged, compared, readStored);
    if (compared.tableIsSmall) replanForeignKeys(tx, changes);
    insertTransactions(tx, run, changes.newRows, { ...compared, hasForeign });
    overwriteTransactions(tx, changes.changedRows);
    writeStatusChanges(tx, run, changes.statusChanges, compared.wereQuarantined);
    keepCounts(tx, { inserted: changes.newRows.length, missing: -changes.returned.length });
    writeRevisions(tx, run, changes.revisions);
    writeQuarantineOf(tx, run, merged, compared.openQuarantine);
    writeAnomalies(tx, [...duplicateIds(merged, 'transactions'), ...altered, ...anomaliesOf(changes)]);
    resolveAnomalies(tx, missingKind, 'transactions', changes.returned);
    const written = {
      inserted: changes.newRows.length,
      changed: changes.changed,
      statusChanges: changes.statusChanges.filter((change) => change.fromStatus !== null).length,
      unchanged: changes.unchanged + merged.repeated,
      stale: changes.stale + merged.superseded,
      quarantined: newlyQuarantined.length,
      insertedIds: idsOf(changes.newRows),
      changedIds: idsOf(changes.changedRows),
    };
    countIntoRun(tx, run, { read: merged.read, ...written }, tally);
    if (position !== null) writePosition(tx, position);
    mayBeWritten = true;
    return written;
  };
  const noted = (written: TransactionCommit) => {
    for (const key of newlyQuarantined) counted.add(key);
    return written;
  };
  const label = 'commit-transactions';
  try {
    if (merged.records.size === 0)
      return noted(await withFence(database, lease, label, (tx) => commit(tx, nothingCompared)));
    const first = compareWithMirror(lease, [...merged.records.keys()], hashesOf(merged));
    return noted(
      await withFencedStatement<Comparison & FenceRow, TransactionCommit>(
        database,
        lease,
        label,
        first,
        commit,
      ),
    );
  } catch (error) {
    const isTimeout = isServerTimeout(error) || (isDatabaseOffline(error) && !mayBeWritten);
    if (isTimeout && error instanceof MirrorError)
      throw new CommitTooLarge(error.code, error.message, { cause: error });
    throw error;
  }
}

const nothingCompared: Comparison = {
  unknown: [],
  different: [],
  differentBytes: 0,
  wereQuarantined: false,
  openQuarantine: false,
  tableIsSmall: false,
};

/**
 * Discards the cached plans of the session. A plan of a foreign key made while the table had few rows scans
 * all rows of the account for each row of history, until the table is analysed.
 */
function replanForeignKeys(tx: FencedTx, { newRows }: TransactionChanges): void {
  if (newRows.length > 0) tx.send('plans.discard', () => sql`discard plans`);
}

const idsOf = (rows: readonly KnownTransaction[]) => rows.map(({ record }) => record.transactionId);

function hashesOf({ records }: MergedPages<Transaction>): string[] {
  // An empty digest differs from every row: where several contents were seen, the row has to be read.
  return [...records.values()].map((observations) => {
    const { contentHash } = observations[0].item.record;
    return observations.every(({ item }) => item.record.contentHash === contentHash) ? contentHash : '';
  });
}

/** Reads the rows that differ, and decides what to write. */
async function decideUnderFence(
  tx: FencedTx,
  { records }: MergedPages<Transaction>,
  { unknown, different, differentBytes, wereQuarantined }: Comparison,
  readStored?: ReadStored,
) {
  if (differentBytes > mostKnown && different.length > 1)
    throw new CommitTooLarge('DATABASE-REFUSED', `the rows that differ hold ${differentBytes} bytes`);
  const ids = [...records.keys()];
  const idsAt = (positions: readonly number[]) => positions.flatMap((position) => ids[position] ?? []);
  const shown = (id: string) => records.get(id)?.[0].item.record;
  const { known, altered, hasForeign } = await readKnown(tx, idsAt(different), shown, readStored);
  const found = new Map(idsAt([...unknown, ...different]).map((id) => [id, known.get(id) ?? null]));
  const unread = wereQuarantined ? await readOlderUnread(tx, idsAt(unknown)) : undefined;
  return { changes: decide(records, found, unread), altered, hasForeign };
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
