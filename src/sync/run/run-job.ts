// One run of a job, from its row in sync.runs to its end: succeeded with a verdict, failed with an error, or
// abandoned. It never throws: the outcome holds the error, and the next run tries again.

import { inSpan } from '../../base/tracing.ts';
import { stallLimitMs, unlessStalled } from '../../base/waiting.ts';
import type { Coverage, DoubtCode } from '../../domain/doubts.ts';
import type { RequestTally, WaitingRequest } from '../../domain/endpoint.ts';
import { errorCode, errorMessage, isKeyRejected } from '../../domain/errors.ts';
import { type JobName, mirroredBy, type RunMode } from '../../domain/jobs.ts';
import type { JsonObject } from '../../domain/json.ts';
import { guardDatabase } from '../../store/postgres/database.ts';
import { finishRun, type RecordCounts, type Run, startRun } from '../../store/run/runs.ts';
import { type Verdict, verdictToJson, wasReadToEnd } from '../walk/verdict.ts';
import { type CommitPace, createCommitPace } from './commit-pace.ts';
import type { JobContext, Progress } from './context.ts';
import { createKeySet, type KeySet } from './key-set.ts';

export interface OpenRun extends JobContext {
  readonly run: Run;
  readonly pace: CommitPace;
  /** Every request of the run counts into it. */
  readonly tally: RequestTally;
  /** Counts records that the run has written or refused. */
  count(records: RecordCounts): void;
  /** Records in quarantine that the run has counted. */
  readonly quarantined: KeySet;
  /** How many records the run has refused, because an overlapping run wrote a later observation. */
  refused(): number;
  /** Records whether the run read every transaction that was open when it started. The last call counts. */
  setOpenTransactionsRead(all: boolean): void;
}

export interface JobOutcome extends Omit<Progress, 'retries'> {
  readonly status: 'succeeded' | 'failed' | 'abandoned';
  readonly verified: boolean | null;
  /** Why the run is not verified. */
  readonly doubts: readonly DoubtCode[];
  /** How much of the list a sweep of transactions read; null for other runs. */
  readonly coverage: Coverage | null;
  /** Requests that the service refused because of the rate limit. */
  readonly rateLimited: number;
  /** How many sweeps this outcome sums up; more than one when the sweep was tried again. */
  readonly attempts: number;
  readonly seconds: number;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  /** The service refused the key. */
  readonly keyRejected: boolean;
}

export interface JobKind {
  readonly job: JobName;
  readonly mode: RunMode;
}

/** `done`: the work of a job without a claim about a list. The run stores it instead of a verdict. */
type Work = (run: OpenRun) => Promise<Verdict | { readonly done: JsonObject } | null>;

type Ending =
  | { readonly status: 'succeeded'; readonly verdict: Verdict | null }
  | { readonly status: 'failed' | 'abandoned'; readonly error: unknown };

export async function runJob(context: JobContext, kind: JobKind, work: Work): Promise<JobOutcome> {
  const { lease, signal, stalledAfterMs = stallLimitMs(context.config) } = context;
  const began = performance.now();
  const progress = createProgress(context, kind.job);
  let { logger } = context;
  let run = null as Run | null;
  let ending: Ending;
  const limits = { name: `the run of ${kind.job}`, limitMs: stalledAfterMs, progress: progress.steps };
  try {
    const verdict = await unlessStalled(limits, signal, async (either, abandoned) => {
      const database = guardDatabase(context.database, abandoned, progress.step);
      run = await startRun(database, lease, kind, context.request);
      logger = logger.child({ account: lease.account, run_id: run.runId });
      return await workWithin({ ...context, database, logger, signal: either }, run, kind, progress, work);
    });
    ending = { status: 'succeeded', verdict };
  } catch (error) {
    ending = { status: signal.aborted ? 'abandoned' : 'failed', error };
    if (run !== null) await recordFailure(context, run, ending.status, progress.tally, error);
  }
  const result = outcomeOf(kind.job, progress, ending, (performance.now() - began) / 1000);
  observe({ ...context, logger }, result);
  return result;
}

/** While the database is offline, the next run, or the next holder, marks this one as abandoned. */
async function recordFailure(
  { database, lease, logger }: JobContext,
  run: Run,
  status: 'failed' | 'abandoned',
  tally: RequestTally,
  error: unknown,
): Promise<void> {
  const failure = { errorCode: errorCode(error), errorMessage: errorMessage(error) };
  const end = { status, verified: null, verdict: null, tally, ...failure };
  await finishRun(database, lease, run, end).catch((unrecorded: unknown) =>
    logger.debug({ err: unrecorded, run_id: run.runId }, 'end of a run was not recorded'),
  );
}

/** Does the work and records its success. */
async function workWithin(
  context: JobContext,
  run: Run,
  { job, mode }: JobKind,
  { tally, count, refused }: RunProgress,
  work: Work,
): Promise<Verdict | null> {
  const { database, lease, facts } = context;
  let openTransactionsRead: boolean | null = null;
  const setOpenTransactionsRead = (all: boolean) => {
    openTransactionsRead = all;
  };
  const { pace = createCommitPace() } = context;
  const quarantined = createKeySet();
  const opened = { ...context, run, tally, count, quarantined, refused, setOpenTransactionsRead, pace };
  const named = { 'custody.account': lease.account, 'custody.job': job, 'custody.run_id': run.runId };
  const ended = await inSpan(`${job} ${mode}`, named, () => work(opened));
  const verdict = ended === null || 'done' in ended ? null : ended;
  await facts.save(lease);
  await finishRun(database, lease, run, {
    status: 'succeeded',
    verified: verdict?.verified ?? null,
    verdict: ended === null ? null : 'done' in ended ? ended.done : verdictToJson(ended),
    openTransactionsRead,
    listReadWhole: verdict !== null && wasReadToEnd(verdict),
    tally,
  });
  return verdict;
}

function outcomeOf(
  job: JobName,
  { totals, tally }: RunProgress,
  ending: Ending,
  seconds: number,
): JobOutcome {
  const verdict = ending.status === 'succeeded' ? ending.verdict : null;
  const failure = ending.status === 'succeeded' ? null : ending;
  return {
    job,
    status: ending.status,
    verified: verdict?.verified ?? null,
    doubts: verdict?.doubts ?? [],
    coverage: verdict?.coverage ?? null,
    ...totals,
    requests: tally.requests,
    rateLimited: tally.rateLimited,
    attempts: 1,
    seconds,
    errorCode: failure && errorCode(failure.error),
    errorMessage: failure && errorMessage(failure.error),
    keyRejected: failure !== null && isKeyRejected(failure.error),
  };
}

function observe({ logger, metrics, failing, signal }: JobContext, result: JobOutcome): void {
  const { job, status } = result;
  if (status === 'failed') failing?.add(job);
  const recovered = status === 'succeeded' && failing?.delete(job) === true;
  metrics.runs.inc({ mirror_job: job, status });
  metrics.runSeconds.observe({ mirror_job: job }, result.seconds);
  const { records, inserted, changed, quarantined, requests, verified, doubts, coverage } = result;
  const fields = { job, records, inserted, changed, quarantined, requests, verified };
  // A refused key was already logged as an error, once for all jobs.
  if (status === 'failed')
    logger[result.keyRejected ? 'info' : 'error'](
      { ...fields, code: result.errorCode, reason: result.errorMessage },
      'run failed',
    );
  else if (status === 'abandoned')
    logger[errorCode(signal.reason) === 'LEASE-LOST' ? 'warn' : 'info'](
      { ...fields, code: result.errorCode, reason: result.errorMessage },
      'run abandoned',
    );
  else if (doubts.length > 0)
    logger.warn({ ...fields, ...coverage, doubts }, 'run succeeded but was not verified');
  else if (recovered) logger.info(fields, 'run succeeded again');
  else if (inserted + changed + quarantined > 0) logger.info(fields, 'run succeeded');
  else logger.debug(fields, 'run succeeded');
}

type RunProgress = ReturnType<typeof createProgress>;

/** Counts what a run does, for its outcome, the metrics, `onProgress` and the stall limit. */
function createProgress({ metrics, onProgress }: JobContext, job: JobName) {
  const waiting = new Set<WaitingRequest>();
  const tally: RequestTally = { requests: 0, retries: 0, rateLimited: 0, waiting };
  const totals = { records: 0, inserted: 0, changed: 0, quarantined: 0 };
  const resource = mirroredBy(job) ?? job;
  let stale = 0;
  let statements = 0;
  const count = (counts: RecordCounts) => {
    stale += counts.stale;
    totals.inserted += counts.inserted;
    totals.changed += counts.changed;
    totals.quarantined += counts.quarantined;
    for (const outcome of ['inserted', 'changed', 'unchanged', 'stale', 'quarantined'] as const) {
      const records = counts[outcome];
      totals.records += records;
      if (records > 0) metrics.records.inc({ resource, outcome }, records);
    }
    onProgress?.({ job, ...totals, requests: tally.requests, retries: tally.retries });
  };
  return {
    tally,
    totals,
    count,
    /** How many records were refused, because the mirror holds a later observation. */
    refused: () => stale,
    /** A transaction or statement began. */
    step() {
      statements += 1;
    },
    /** Changes with each step, request and slot of the limiter, and while the limiter knows that it waits. */
    steps() {
      const turns = [...waiting].map((request) => Math.min(performance.now(), request.movesUntil()));
      return statements + totals.records + tally.requests + tally.retries + Math.max(0, ...turns);
    },
  };
}
