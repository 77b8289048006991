// The record of what each job did: begun, counted up with every commit in the same transaction, and finished.

import { and, desc, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { accounts } from '../../../drizzle/accounts.ts';
import { runs } from '../../../drizzle/runs.ts';
import { transactions } from '../../../drizzle/transactions.ts';
import { type DoubtCode, doubtSentences } from '../../domain/doubts.ts';
import { type Instant, instantToIso } from '../../domain/instant.ts';
import { sweepingJobs } from '../../domain/jobs.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { RequestTally, RunMode } from '../../domain/resource.ts';
import type { Database, Tx } from '../postgres/database.ts';
import { microsToInstant, selectMicros } from '../postgres/micros.ts';
import { withFence } from './fence.ts';
import type { Lease } from './leases.ts';
import { resolveRefusals } from './refusals.ts';

export interface Run {
  /** Decimal text. */
  readonly runId: string;
  readonly job: string;
  readonly startedAt: Instant;
}

export interface RunEnd {
  readonly status: 'succeeded' | 'failed' | 'abandoned';
  /** Null where the job claims nothing about completeness. */
  readonly verified: boolean | null;
  /** What `verified` rests on, or why it is not. */
  readonly verdict: JsonObject | null;
  /** Whether it read every transaction that was open when it began; null where that is not its job. */
  readonly openTransactionsRead?: boolean | null;
  /** Whether it read its list from one end to the other; a sweep may do so and be in doubt of something else. */
  readonly listReadWhole?: boolean;
  /** A moment after its last answer, on the clock of the answers; left out where it read nothing. */
  readonly seenUntil?: Instant;
  readonly tally: RequestTally;
  readonly errorCode?: string;
  readonly errorMessage?: string;
}

/** What one commit adds to the counters of its run. */
export interface RunCounts {
  readonly read: number;
  readonly inserted: number;
  readonly changed: number;
  readonly statusChanges: number;
  readonly quarantined: number;
}

/**
 * Begins a run. If the one before it of the same job still counts as running, its end could not be recorded (the database
 * was away or refused it): it is abandoned.
 */
export function startRun(
  database: Database,
  lease: Lease,
  { job, mode }: { readonly job: string; readonly mode: RunMode },
): Promise<Run> {
  return withFence(database, lease, 'start-run', async (tx) => {
    await tx.run('runs.abandon-last', (db) =>
      db
        .update(runs)
        .set({ status: 'abandoned', finishedAt: sql`clock_timestamp()` })
        .where(
          and(
            eq(runs.accountId, lease.account),
            eq(runs.status, 'running'),
            inArray(runs.runId, lastRunOf(db, lease.account, job)),
          ),
        ),
    );
    const started = await tx.run('runs.start', (db) =>
      db
        .insert(runs)
        .values({
          accountId: lease.account,
          job,
          mode,
          status: 'running',
          startedAt: sql`clock_timestamp()`,
        })
        .returning({ runId: runs.runId, startedAt: selectMicros(runs.startedAt) }),
    );
    const row = started[0];
    if (row === undefined) throw new Error('the run was not recorded');
    return { runId: row.runId.toString(), job, startedAt: microsToInstant(row.startedAt) };
  });
}

/** Says that the run does otherwise than it was begun for: an increment that has nothing to rest on sweeps. */
export async function changeMode(database: Database, lease: Lease, run: Run, mode: RunMode): Promise<void> {
  await withFence(database, lease, 'change-mode', (tx) =>
    tx.run('runs.change-mode', (db) => db.update(runs).set({ mode }).where(ofRun(lease, run))),
  );
}

function lastRunOf(db: NodePgDatabase, account: string, job: string) {
  return db
    .select({ runId: runs.runId })
    .from(runs)
    .where(and(eq(runs.accountId, account), eq(runs.job, job)))
    .orderBy(desc(runs.startedAt))
    .limit(1);
}

/**
 * Ends the run. A run that was abandoned meanwhile is left as it is. The first sweep of transactions that read the list
 * from end to end sets from when on transactions that appear are new ones.
 */
export async function finishRun(database: Database, lease: Lease, run: Run, end: RunEnd): Promise<void> {
  await withFence(database, lease, 'finish-run', async (tx) => {
    const finished = await tx.run('runs.finish', (db) =>
      db
        .update(runs)
        .set({
          status: end.status,
          finishedAt: sql`clock_timestamp()`,
          verified: end.verified,
          verdict: end.verdict,
          openTransactionsRead: end.openTransactionsRead ?? null,
          errorCode: end.errorCode ?? null,
          errorMessage: end.errorMessage ?? null,
          ...tallyColumns(end.tally),
        })
        .where(and(ofRun(lease, run), eq(runs.status, 'running')))
        .returning({ mode: runs.mode }),
    );
    await resolveRefusals(tx, lease);
    const isSweep = sweepingJobs.some((job) => job === run.job) && finished[0]?.mode === 'full';
    if (isSweep && end.status === 'succeeded' && end.listReadWhole)
      await setTransactionsSince(tx, lease, run, end.seenUntil ?? null);
  });
}

/**
 * What is mirrored by then is older than the mirror. It is told by the clock of the answers, with which it will be compared:
 * a run's end is of the database's own clock, which may be behind it.
 */
async function setTransactionsSince(
  tx: Tx,
  lease: Lease,
  run: Run,
  seenUntil: Instant | null,
): Promise<void> {
  const ended = sql`(select ${runs.finishedAt} from ${runs} where ${ofRun(lease, run)})`;
  const until = seenUntil === null ? ended : sql`${instantToIso(seenUntil)}::timestamptz`;
  const lastSeen = sql`(select max(t.first_seen_at) from ${transactions} t where t.account_id = ${lease.account})`;
  await tx.run('accounts.transactions-since', (db) =>
    db
      .update(accounts)
      .set({ transactionsSince: sql`greatest(${until}, ${lastSeen})` })
      .where(and(eq(accounts.accountId, lease.account), isNull(accounts.transactionsSince))),
  );
}

/**
 * Marks every run of the account that still counts as running. Called by a new holder of the lease before its first run:
 * whoever began them is gone.
 *
 * @returns how many there were
 */
export function abandonRuns(database: Database, lease: Lease): Promise<number> {
  return withFence(database, lease, 'abandon-runs', async (tx) => {
    const abandoned = await tx.run('runs.abandon', (db) =>
      db
        .update(runs)
        .set({ status: 'abandoned', finishedAt: sql`clock_timestamp()` })
        .where(and(eq(runs.accountId, lease.account), eq(runs.status, 'running')))
        .returning({ runId: runs.runId }),
    );
    return abandoned.length;
  });
}

/** Adds to the run's counters; the tally of requests is that of the whole run so far. */
export async function countIntoRun(
  tx: Tx,
  lease: Lease,
  run: Run,
  counts: RunCounts,
  tally: RequestTally,
): Promise<void> {
  await tx.run('runs.count', (db) =>
    db
      .update(runs)
      .set({
        recordsRead: sql`${runs.recordsRead} + ${counts.read}`,
        recordsInserted: sql`${runs.recordsInserted} + ${counts.inserted}`,
        recordsChanged: sql`${runs.recordsChanged} + ${counts.changed}`,
        statusChanges: sql`${runs.statusChanges} + ${counts.statusChanges}`,
        quarantined: sql`${runs.quarantined} + ${counts.quarantined}`,
        ...tallyColumns(tally),
      })
      .where(ofRun(lease, run)),
  );
}

function tallyColumns(tally: RequestTally) {
  return { requests: tally.requests, retries: tally.retries, rateLimited: tally.rateLimited };
}

function ofRun(lease: Lease, run: Run) {
  return and(eq(runs.accountId, lease.account), eq(runs.runId, BigInt(run.runId)));
}

/** When each job of the account last began what it also ended, by job: a run that was abandoned is still to be done. */
export async function readLastStarts(
  database: Database,
  account: string,
): Promise<ReadonlyMap<string, Date>> {
  const rows = await database.transact('last-starts', (tx) =>
    tx.run('runs.last-starts', (db) =>
      db
        .select({ job: runs.job, startedAt: selectMicros(sql`max(${runs.startedAt})`) })
        .from(runs)
        .where(and(eq(runs.accountId, account), inArray(runs.status, ['succeeded', 'failed'])))
        .groupBy(runs.job),
    ),
  );
  return new Map(rows.map((row) => [row.job, new Date(microsToInstant(row.startedAt))]));
}

const undecodable = 'undecodable' satisfies DoubtCode;

/**
 * Whether a sweep of transactions ever met everything: from then on the mirror is known to have been whole once. Records that
 * were met and could not be decoded do not count against it.
 */
export async function hasWholeSweep(database: Database, account: string): Promise<boolean> {
  const sweep = and(eq(runs.accountId, account), inArray(runs.job, sweepingJobs));
  // By its index; only while there is none, the runs are looked through.
  const isVerified = sql`${runs.verified}`;
  const isButUndecodable = sql`(${runs.verdict}->'doubt_codes' = jsonb_build_array(${undecodable}::text)
    or ${runs.verdict}->'doubts' = jsonb_build_array(${doubtSentences[undecodable]}::text))`;
  return await database.transact('whole-sweep', async (tx) => {
    for (const condition of [isVerified, isButUndecodable]) {
      const rows = await tx.run('runs.whole-sweep', (db) =>
        db.select({ runId: runs.runId }).from(runs).where(and(sweep, condition)).limit(1),
      );
      if (rows.length > 0) return true;
    }
    return false;
  });
}
