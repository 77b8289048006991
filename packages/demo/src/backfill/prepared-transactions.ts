// Commits a series of readings of transactions at once: writes in a few statements the rows that
// commitTransactionPages would write one reading after the other. For a prepared past only: each reading
// shows whatever had changed since the one before it, and all of it can be read.
import { sql } from 'drizzle-orm';
import { runs } from '../../../../drizzle/runs.ts';
import { transactionRevisions, transactionStatusHistory } from '../../../../drizzle/transaction-history.ts';
import { transactions } from '../../../../drizzle/transactions.ts';
import type { Page } from '../../../../src/domain/page.ts';
import type { Transaction } from '../../../../src/domain/transaction.ts';
import { mergeObservations } from '../../../../src/store/commit/observations.ts';
import {
  decide,
  revisionColumns,
  statusChangeMembers,
  type TransactionChanges,
} from '../../../../src/store/commit/transaction-changes.ts';
import {
  overwriteTransactions,
  readRows,
  transactionColumns,
} from '../../../../src/store/commit/transaction-rows.ts';
import type { Database } from '../../../../src/store/postgres/database.ts';
import { keepCounts } from '../../../../src/store/run/accounts.ts';
import { type FencedTx, type Lease, withFence } from '../../../../src/store/run/leases.ts';
import type { Run } from '../../../../src/store/run/runs.ts';
import { columnsOf, rowsOf, textArray } from '../../../../src/store/values/bulk-rows.ts';
import { type Micros, microsToIso, selectMicros, toMicros } from '../../../../src/store/values/micros.ts';

/** One run, and the pages that it read. */
export interface PreparedReading {
  readonly run: Run;
  readonly pages: readonly Page<Transaction>[];
}

/** The readings have to follow one another in time, and all that is mirrored. */
export function commitPreparedTransactions(
  database: Database,
  lease: Lease,
  readings: readonly PreparedReading[],
): Promise<void> {
  return withFence(database, lease, 'commit-prepared-transactions', async (tx) => {
    const [first] = readings;
    if (first === undefined) return;
    const { records, undecodable } = mergeObservations(readings.flatMap(({ pages }) => pages));
    const rows = await readRows(tx, [...records.keys()]);
    const known = new Map(rows.map((row) => [row.record.transactionId, row]));
    const changes = decide(records, new Map([...records.keys()].map((key) => [key, known.get(key) ?? null])));
    if (undecodable.length + changes.stale + changes.reopened.length + changes.returned.length > 0)
      throw new Error('the prepared transactions are not those of a plain past');
    const sources = sourcesOf(readings, await lastStart(tx, first.run));
    writeRows(tx, changes, sources);
    writeHistory(tx, changes, sources);
    keepCounts(tx, { inserted: changes.newRows.length, missing: 0 });
    await countIntoRuns(tx, readings, changes, sources);
  });
}

/** The run that observed something, and the start of the run before it, which had not observed it yet. */
interface Source {
  readonly runId: string;
  readonly observedAfter: Micros;
}

/** By when something was observed. */
type SourceOf = (observedAt: Micros) => Source;

function sourcesOf(readings: readonly PreparedReading[], startBefore: Micros): SourceOf {
  const sources = new Map<Micros, Source>();
  let observedAfter = startBefore;
  for (const { run, pages } of readings) {
    for (const { arrivedAt } of pages) sources.set(toMicros(arrivedAt), { runId: run.runId, observedAfter });
    observedAfter = toMicros(run.startedAt);
  }
  return (observedAt) => {
    const source = sources.get(observedAt);
    if (source === undefined) throw new Error('a prepared change was observed by no run');
    return source;
  };
}

/** When the last run began that read all transactions, or all that had changed, before this one. */
async function lastStart(tx: FencedTx, first: Run): Promise<Micros> {
  const { rows } = await tx.run('prepared-transactions.last-start', (db) =>
    db.execute<{ at: string }>(sql`select ${selectMicros(sql`max(r.started_at)`)} as at from ${runs} r
      where r.account_id = ${tx.lease.account} and r.job in ('transactions', 'reconcile')
        and r.status = 'succeeded' and r.started_at < ${microsToIso(toMicros(first.startedAt))}::timestamptz`),
  );
  return Number(rows[0]?.at);
}

function writeRows(tx: FencedTx, { newRows, changedRows }: TransactionChanges, sourceOf: SourceOf): void {
  const { names, rows } = rowsOf(transactions, {
    ...transactionColumns(newRows),
    firstSeenAfter: newRows.map(({ firstSeenAt }) => sourceOf(firstSeenAt).observedAfter),
  });
  if (newRows.length > 0)
    tx.send(
      'prepared-transactions.insert',
      () =>
        sql`insert into ${transactions} (account_id, ${names}) select ${tx.lease.account}, r.* from ${rows} as r`,
    );
  overwriteTransactions(tx, changedRows);
}

function writeHistory(
  tx: FencedTx,
  { statusChanges, revisions }: TransactionChanges,
  sourceOf: SourceOf,
): void {
  const observed = <Change extends { readonly observedAt: Micros }>(changes: readonly Change[]) =>
    changes
      .map((change) => ({ ...change, ...sourceOf(change.observedAt) }))
      .sort((a, b) => a.observedAt - b.observedAt);
  const { account } = tx.lease;
  if (statusChanges.length > 0) {
    const columns = columnsOf(observed(statusChanges), [...statusChangeMembers, 'runId', 'observedAfter']);
    const { names, rows } = rowsOf(transactionStatusHistory, columns);
    tx.send(
      'prepared-statuses.write',
      () =>
        sql`insert into ${transactionStatusHistory} (account_id, ${names}) select ${account}, r.* from ${rows} as r`,
    );
  }
  if (revisions.length > 0) {
    const inOrder = observed(revisions);
    const columns = { ...revisionColumns(inOrder), ...columnsOf(inOrder, ['runId']) };
    const { names, rows } = rowsOf(transactionRevisions, columns);
    tx.send(
      'prepared-revisions.write',
      () =>
        sql`insert into ${transactionRevisions} (account_id, ${names}) select ${account}, r.* from ${rows} as r`,
    );
  }
}

async function countIntoRuns(
  tx: FencedTx,
  readings: readonly PreparedReading[],
  { statusChanges, revisions }: TransactionChanges,
  sourceOf: SourceOf,
): Promise<void> {
  const counts = new Map(
    readings.map(({ run, pages }) => [
      run.runId,
      {
        read: pages.flatMap(({ items }) => items).length,
        inserted: 0,
        statuses: 0,
        changed: new Set<string>(),
      },
    ]),
  );
  for (const change of [...statusChanges, ...revisions]) {
    const count = counts.get(sourceOf(change.observedAt).runId);
    if (count === undefined) continue;
    if ('sequence' in change && change.sequence === 1) count.inserted += 1;
    else {
      if ('sequence' in change) count.statuses += 1;
      count.changed.add(change.transactionId);
    }
  }
  const column = (of: (count: NonNullable<ReturnType<(typeof counts)['get']>>) => number) =>
    textArray([...counts.values()].map((count) => String(of(count))));
  await tx.run('prepared-runs.count-transactions', (db) =>
    db.execute(sql`update ${runs} r set records_read = c.read::bigint, records_inserted = c.inserted::bigint,
        records_changed = c.changed::bigint, status_changes = c.statuses::bigint
      from unnest(${textArray([...counts.keys()])}, ${column((count) => count.read)},
        ${column((count) => count.inserted)}, ${column((count) => count.changed.size)},
        ${column((count) => count.statuses)}) as c(run_id, read, inserted, changed, statuses)
      where r.account_id = ${tx.lease.account} and r.run_id = c.run_id::bigint`),
  );
}
