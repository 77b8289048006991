// One run of a job, from its row in sync.runs to its end: succeeded with a verdict, failed with a reason, or abandoned.
// A job never throws for what it met; the outcome says it, and the next run tries again.

import { inSpan } from '../../base/tracing.ts';
import type { Coverage } from '../../domain/coverage.ts';
import type { DoubtCode } from '../../domain/doubts.ts';
import { errorCode, errorMessage, isKeyRejected, MirrorError } from '../../domain/errors.ts';
import { type JobName, mirroredBy } from '../../domain/jobs.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { RequestTally, RunMode } from '../../domain/resource.ts';
import { alignClock } from '../../store/postgres/database.ts';
import { guardDatabase } from '../../store/postgres/guard-database.ts';
import { finishRun, type Run, startRun } from '../../store/run/runs.ts';
import { isReadWhole, type Verdict, verdictToJson } from '../walk/verdict.ts';
import type { JobContext } from './context.ts';

export interface OpenRun extends JobContext {
  readonly run: Run;
  /** Counted into by every request made for the run. */
  readonly tally: RequestTally;
  /** Adds to what the run has done, for progress, metrics and the outcome. */
  count(records: RecordCounts): void;
  /** How many records the run had to refuse so far, because what is stored is of a later time. */
  refused(): number;
  /** Says whether every transaction that was open when the run began was read by it; what was said last counts. */
  tellOpenRead(all: boolean): void;
}

export interface RecordCounts {
  readonly inserted: number;
  readonly changed: number;
  readonly unchanged: number;
  /** Refused: what is stored, or another answer, is of a later time. */
  readonly stale?: number;
  readonly quarantined: number;
}

export interface JobOutcome {
  readonly job: JobName;
  readonly status: 'succeeded' | 'failed' | 'abandoned';
  readonly verified: boolean | null;
  /** Why the run is not verified. */
  readonly doubts: readonly DoubtCode[];
  /** How much of the list a sweep of transactions met; null for any other run. */
  readonly coverage: Coverage | null;
  readonly records: number;
  readonly inserted: number;
  readonly changed: number;
  readonly quarantined: number;
  readonly requests: number;
  /** Of the requests, those that the service refused for their rate. */
  readonly rateLimited: number;
  /** Sweeps that came to this outcome together: one, unless it was tried again. */
  readonly attempts: number;
  readonly seconds: number;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  /** The service refused the key. */
  readonly keyRejected: boolean;
}

/** What a job did that claims nothing about a list. It stands with the run where the verdict of the others does. */
export interface Deeds {
  readonly done: JsonObject;
}

type Totals = { -readonly [Name in 'records' | 'inserted' | 'changed' | 'quarantined']: JobOutcome[Name] };

export interface JobKind {
  readonly job: JobName;
  readonly mode: RunMode;
}

export async function runJob(
  context: JobContext,
  { job, mode }: JobKind,
  work: (run: OpenRun) => Promise<Verdict | Deeds | null>,
): Promise<JobOutcome> {
  const { lease, clock, signal } = context;
  let { logger } = context;
  const began = performance.now();
  const tally: RequestTally = { requests: 0, retries: 0, rateLimited: 0 };
  const { totals, count, refused } = createTotals(context, job, tally);
  let run: Run | null = null;
  let openTransactionsRead: boolean | null = null;

  const tellOpenRead = (all: boolean) => {
    openTransactionsRead = all;
  };
  const outcome = (
    status: JobOutcome['status'],
    verdict: Verdict | null,
    failure: { readonly errorCode: string; readonly errorMessage: string } | null,
    keyRejected = false,
  ): JobOutcome => ({
    job,
    status,
    verified: verdict?.verified ?? null,
    doubts: verdict?.doubts ?? [],
    coverage: verdict?.coverage ?? null,
    ...totals,
    requests: tally.requests,
    rateLimited: tally.rateLimited,
    attempts: 1,
    seconds: (performance.now() - began) / 1000,
    errorCode: failure?.errorCode ?? null,
    errorMessage: failure?.errorMessage ?? null,
    keyRejected,
  });

  let result: JobOutcome;
  let release = () => {};
  let setBack: MirrorError | null = null;
  // What a run timed before the clock was set back would pass for later than what is read now.
  const database = guardDatabase(context.database, () => setBack);
  try {
    const setBackMs = Math.round(await alignClock(database, clock));
    if (setBackMs > 0) logger.warn({ set_back_ms: setBackMs }, 'clock was set back: runs under way end');
    release = clock.keepOrder(() => {
      setBack = clockSetBack();
    });
    run = await startRun(database, lease, { job, mode });
    logger = logger.child({ account: lease.account, run_id: run.runId });
    const opened = { ...context, database, logger, run, tally, count, refused, tellOpenRead };
    const named = { 'custody.account': lease.account, 'custody.job': job, 'custody.run_id': run.runId };
    const ended = await inSpan(`${job} ${mode}`, named, () => work(opened));
    const verdict = ended === null || 'done' in ended ? null : ended;
    await context.facts.save(lease);
    await finishRun(database, lease, run, {
      status: 'succeeded',
      verified: verdict?.verified ?? null,
      verdict: ended === null ? null : 'done' in ended ? ended.done : verdictToJson(ended),
      openTransactionsRead,
      listReadWhole: verdict !== null && isReadWhole(verdict),
      seenUntil: clock.now(),
      tally,
    });
    result = outcome('succeeded', verdict, null);
  } catch (error) {
    const failure = { errorCode: errorCode(error), errorMessage: errorMessage(error) };
    const status = signal.aborted ? 'abandoned' : 'failed';
    if (run !== null) await closeFailedRun(context, run, status, tally, failure);
    result = outcome(status, null, failure, isKeyRejected(error));
  } finally {
    release();
  }
  observe({ ...context, logger }, result);
  return result;
}

const clockSetBack = () =>
  new MirrorError(
    'CLOCK-SET-BACK',
    'the clock of the database was set back while the run was under way: what it had read is dated wrong and was not written; the next run reads it again',
  );

/** What a run has done so far: counted for its outcome, the metrics, and who watches its progress. */
function createTotals(
  { metrics, onProgress }: JobContext,
  job: JobName,
  tally: RequestTally,
): { readonly totals: Totals; readonly count: OpenRun['count']; readonly refused: OpenRun['refused'] } {
  const totals: Totals = { records: 0, inserted: 0, changed: 0, quarantined: 0 };
  const resource = mirroredBy(job) ?? job;
  let stale = 0;
  const count = (counts: RecordCounts) => {
    stale += counts.stale ?? 0;
    totals.inserted += counts.inserted;
    totals.changed += counts.changed;
    totals.quarantined += counts.quarantined;
    for (const outcome of ['inserted', 'changed', 'unchanged', 'stale', 'quarantined'] as const) {
      const records = counts[outcome] ?? 0;
      totals.records += records;
      if (records > 0) metrics.records.inc({ resource, outcome }, records);
    }
    onProgress?.({ job, ...totals, requests: tally.requests, retries: tally.retries });
  };
  return { totals, count, refused: () => stale };
}

async function closeFailedRun(
  { database, lease, logger }: JobContext,
  run: Run,
  status: 'failed' | 'abandoned',
  tally: RequestTally,
  failure: { readonly errorCode: string; readonly errorMessage: string },
): Promise<void> {
  try {
    await finishRun(database, lease, run, { status, verified: null, verdict: null, tally, ...failure });
  } catch (error) {
    // The run stays `running` until the next of its job, or the next holder of the lease, abandons it.
    logger.debug({ err: error, run_id: run.runId }, 'end of a run was not recorded');
  }
}

function observe({ logger, metrics, clock, failing }: JobContext, result: JobOutcome): void {
  const { job, status } = result;
  if (status === 'failed') failing?.add(job);
  const recovered = status === 'succeeded' && failing?.delete(job) === true;
  metrics.runs.inc({ mirror_job: job, status });
  metrics.runSeconds.observe({ mirror_job: job }, result.seconds);
  if (status === 'succeeded') {
    metrics.lastSuccess.set({ mirror_job: job }, clock.now() / 1000);
    if (result.verified) metrics.lastVerified.set({ mirror_job: job }, clock.now() / 1000);
  }
  const { records, inserted, changed, quarantined, requests, verified, doubts, coverage } = result;
  const fields = { job, records, inserted, changed, quarantined, requests, verified };
  if (status === 'failed')
    logger.error({ ...fields, code: result.errorCode, reason: result.errorMessage }, 'run failed');
  else if (status === 'abandoned') logger.info({ ...fields, reason: result.errorMessage }, 'run abandoned');
  else if (doubts.length > 0)
    logger.warn({ ...fields, ...coverage, doubts }, 'run succeeded without being verified');
  else if (recovered) logger.info(fields, 'run succeeded again');
  else if (inserted + changed + quarantined > 0) logger.info(fields, 'run succeeded');
  else logger.debug(fields, 'run succeeded');
}
