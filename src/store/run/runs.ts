// The record of each run of a job (sync.runs): started, counted up by each commit, and finished; and what
// past runs show: when each job last started, and whether a sweep ever read every transaction.
import { and, eq, exists, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { accounts } from '../../../drizzle/accounts.ts';
import { runs } from '../../../drizzle/runs.ts';
import type { DoubtCode } from '../../domain/doubts.ts';
import type { RequestTally } from '../../domain/endpoint.ts';
import type { Instant } from '../../domain/instant.ts';
import { type RunMode, sweepingJobs } from '../../domain/jobs.ts';
import type { JsonObject } from '../../domain/json.ts';
import { type Database, readOne } from '../postgres/database.ts';
import { microsToInstant, selectMicros } from '../values/micros.ts';
import { type FencedTx, type Lease, withFence, writeFenced } from './leases.ts';
import { addRun, type TakenRequest } from './sync-requests.ts';

export interface Run {
  /** Decimal text. */
  readonly runId: string;
  readonly job: string;
  readonly startedAt: Instant;
}

export interface RunEnd {
  readonly status: 'succeeded' | 'failed' | 'abandoned';
  /** Null when the job claims nothing about completeness. */
  readonly verified: boolean | null;
  /** The evidence for `verified`, or why it is false. */
  readonly verdict: JsonObject | null;
  /** Whether it read every transaction that was open when it started; null when that is not its job. */
  readonly openTransactionsRead?: boolean | null;
  /** Whether it read its list from one end to the other. A sweep may do so and have other doubts. */
  readonly listReadWhole?: boolean;
  readonly tally: RequestTally;
  readonly errorCode?: string;
  readonly errorMessage?: string;
}

/** Every record counts once. */
export interface RecordCounts {
  readonly inserted: number;
  readonly changed: number;
  readonly unchanged: number;
  /** Refused, because the mirror or another answer has a later time. */
  readonly stale: number;
  readonly quarantined: number;
}

/** What one commit adds to the counters of its run. */
interface RunCounts extends Omit<RecordCounts, 'unchanged' | 'stale'> {
  readonly read: number;
  readonly statusChanges?: number;
}

/** Starts a run. A run of the same job still recorded as running was never finished: it is abandoned. */
export function startRun(
  database: Database,
  lease: Lease,
  { job, mode }: { readonly job: string; readonly mode: RunMode },
  request: TakenRequest | null = null,
): Promise<Run> {
  return withFence(database, lease, 'start-run', async (tx) => {
    // Only the last run can be running; looked up by index, however many runs there are.
    const last = sql`${runs.runId} = (select l.run_id from ${runs} l
      where l.account_id = ${lease.account} and l.job = ${job} order by l.started_at desc limit 1)`;
    tx.send('runs.abandon-last', (db) => abandon(db, tx, last));
    const started = await tx.run('runs.start', (db) =>
      db
        .insert(runs)
        .values({
          accountId: lease.account,
          job,
          mode,
          status: 'running',
          startedAt: tx.at,
          requestedBy: request?.requestedBy ?? null,
        })
        .returning({ runId: runs.runId, startedAt: selectMicros(runs.startedAt) }),
    );
    const row = started[0];
    if (row === undefined) throw new Error('the run was not recorded');
    if (request !== null) addRun(tx, request, row.runId);
    return { runId: row.runId.toString(), job, startedAt: microsToInstant(row.startedAt) };
  });
}

/** Changes the mode of a run: an increment without a basis becomes a sweep. */
export async function changeMode(database: Database, lease: Lease, run: Run, mode: RunMode): Promise<void> {
  await writeFenced(database, lease, 'runs.change-mode', (db) =>
    db.update(runs).set({ mode }).where(ofRun(lease, run)),
  );
}

/**
 * Ends the run, unless it was abandoned. The first sweep that reads the whole list of transactions also sets
 * `transactions_since`: what appears later is new.
 */
export async function finishRun(database: Database, lease: Lease, run: Run, end: RunEnd): Promise<void> {
  await withFence(database, lease, 'finish-run', async (tx) => {
    tx.send('runs.finish', (db) =>
      db
        .update(runs)
        .set({
          status: end.status,
          finishedAt: tx.at,
          verified: end.verified,
          verdict: end.verdict,
          openTransactionsRead: end.openTransactionsRead ?? null,
          errorCode: end.errorCode ?? null,
          errorMessage: end.errorMessage ?? null,
          ...tallyColumns(end.tally),
        })
        .where(and(ofRun(lease, run), eq(runs.status, 'running'))),
    );
    const mayBeFirst = sweepingJobs.some((job) => job === run.job) && end.listReadWhole === true;
    if (mayBeFirst && end.status === 'succeeded') setTransactionsSince(tx, run);
  });
}

/** Whatever was mirrored by then is older than the mirror. */
function setTransactionsSince(tx: FencedTx, run: Run): void {
  const isSweep = and(ofRun(tx.lease, run), eq(runs.mode, 'full'), eq(runs.status, 'succeeded'));
  tx.send('accounts.transactions-since', (db) =>
    db
      .update(accounts)
      .set({ transactionsSince: tx.at })
      .where(
        and(
          eq(accounts.accountId, tx.lease.account),
          isNull(accounts.transactionsSince),
          exists(db.select({ runId: runs.runId }).from(runs).where(isSweep)),
        ),
      ),
  );
}

/**
 * Abandons every run of the account that still counts as running. A new holder of the lease calls it before
 * its first run: the process that started them is gone.
 *
 * @returns how many there were
 */
export function abandonRuns(database: Database, lease: Lease): Promise<number> {
  return withFence(database, lease, 'abandon-runs', async (tx) => {
    const abandoned = await tx.run('runs.abandon', (db) => abandon(db, tx).returning({ runId: runs.runId }));
    return abandoned.length;
  });
}

function abandon(db: NodePgDatabase, { lease, at }: FencedTx, condition?: SQL) {
  return db
    .update(runs)
    .set({ status: 'abandoned', finishedAt: at })
    .where(and(eq(runs.accountId, lease.account), eq(runs.status, 'running'), condition));
}

/** Adds to the run's counters. The tally is that of the whole run so far. */
export function countIntoRun(tx: FencedTx, run: Run, counts: RunCounts, tally: RequestTally): void {
  tx.send('runs.count', (db) =>
    db
      .update(runs)
      .set({
        recordsRead: sql`${runs.recordsRead} + ${counts.read}`,
        recordsInserted: sql`${runs.recordsInserted} + ${counts.inserted}`,
        recordsChanged: sql`${runs.recordsChanged} + ${counts.changed}`,
        statusChanges: sql`${runs.statusChanges} + ${counts.statusChanges ?? 0}`,
        quarantined: sql`${runs.quarantined} + ${counts.quarantined}`,
        ...tallyColumns(tally),
      })
      .where(ofRun(tx.lease, run)),
  );
}

function tallyColumns(tally: RequestTally) {
  return { requests: tally.requests, retries: tally.retries, rateLimited: tally.rateLimited };
}

function ofRun(lease: Lease, run: Run) {
  return and(eq(runs.accountId, lease.account), eq(runs.runId, BigInt(run.runId)));
}

/** When the last run of each job that succeeded or failed started. An abandoned run must be repeated. */
export async function readLastStarts(
  database: Database,
  account: string,
): Promise<ReadonlyMap<string, Date>> {
  const { rows } = await readOne(database, 'runs.last-starts', (db) =>
    db.execute<{ job: string; startedAt: string }>(sql`
      select j.job, ${selectMicros(sql`l.started_at`)} as "startedAt" from internal.jobs j
      cross join lateral (select r.started_at from ${runs} r
        where r.account_id = ${account} and r.job = j.job and r.status in ('succeeded', 'failed')
        order by r.started_at desc limit 1) as l`),
  );
  return new Map(rows.map((row) => [row.job, new Date(microsToInstant(Number(row.startedAt)))]));
}

const undecodable = 'undecodable' satisfies DoubtCode;

/** Whether a sweep of transactions ever read every record, including those it could not decode. */
export async function hasWholeSweep(database: Database, account: string): Promise<boolean> {
  const sweep = and(eq(runs.accountId, account), inArray(runs.job, sweepingJobs));
  // Asked first, because it has an index; the other condition reads all sweeps.
  const isVerified = sql`${runs.verified}`;
  const isButUndecodable = sql`${runs.verdict}->'doubt_codes' = jsonb_build_array(${undecodable}::text)`;
  for (const condition of [isVerified, isButUndecodable]) {
    const rows = await readOne(database, 'runs.whole-sweep', (db) =>
      db.select({ runId: runs.runId }).from(runs).where(and(sweep, condition)).limit(1),
    );
    if (rows.length > 0) return true;
  }
  return false;
}
