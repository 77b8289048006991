// One run of a job, from its row in sync.runs to its end: succeeded with a verdict, failed with an error, or
// abandoned. It never throws: the outcome holds the error, and the next run tries again.
import { inSpan } from '../../base/tracing.ts';
import type { Coverage } from '../../domain/coverage.ts';
import type { DoubtCode } from '../../domain/doubts.ts';
import type { RequestTally } from '../../domain/endpoint.ts';
import { errorCode, errorMessage, isKeyRejected } from '../../domain/errors.ts';
import { type JobName, mirroredBy, type RunMode } from '../../domain/jobs.ts';
import type { JsonObject } from '../../domain/json.ts';
import { finishRun, type Run, startRun } from '../../store/run/runs.ts';
import { isReadWhole, type Verdict, verdictToJson } from '../walk/verdict.ts';
import type { JobContext } from './context.ts';
import { closeFailedRun } from './unrecorded-runs.ts';

export interface OpenRun extends JobContext {
  readonly run: Run;
  /** Every request of the run counts into it. */
  readonly tally: RequestTally;
  /** Counts records that the run has written or refused. */
  count(records: RecordCounts): void;
  /** How many records the run has refused, because the mirror holds a later time: of a run that overlaps. */
  refused(): number;
  /** Records whether the run read every transaction that was open when it started. The last call counts. */
  setOpenTransactionsRead(all: boolean): void;
}

export interface RecordCounts {
  readonly inserted: number;
  readonly changed: number;
  readonly unchanged: number;
  /** Refused: the mirror, or another answer, is of a later time. */
  readonly stale?: number;
  readonly quarantined: number;
}

export interface JobOutcome {
  readonly job: JobName;
  readonly status: 'succeeded' | 'failed' | 'abandoned';
  readonly verified: boolean | null;
  /** Why the run is not verified. */
  readonly doubts: readonly DoubtCode[];
  /** How much of the list a sweep of transactions met; null for other runs. */
  readonly coverage: Coverage | null;
  readonly records: number;
  readonly inserted: number;
  readonly changed: number;
  readonly quarantined: number;
  readonly requests: number;
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

type Totals = { -readonly [Name in 'records' | 'inserted' | 'changed' | 'quarantined']: JobOutcome[Name] };

export interface JobKind {
  readonly job: JobName;
  readonly mode: RunMode;
}

/** `done`: what a job did that claims nothing about a list. The run stores it in the place of a verdict. */
type Work = (run: OpenRun) => Promise<Verdict | { readonly done: JsonObject } | null>;

type Ending =
  | { readonly status: 'succeeded'; readonly verdict: Verdict | null }
  | { readonly status: 'failed' | 'abandoned'; readonly error: unknown };

export async function runJob(context: JobContext, kind: JobKind, work: Work): Promise<JobOutcome> {
  const { database, lease, clock, signal } = context;
  const began = performance.now();
  const progress = createProgress(context, kind.job);
  let { logger } = context;
  let run: Run | null = null;
  let ending: Ending;
  try {
    await context.unrecorded?.record({ database, lease, clock });
    run = await startRun(database, lease, kind);
    logger = logger.child({ account: lease.account, run_id: run.runId });
    const verdict = await workWithin({ ...context, logger }, run, kind, progress, work);
    ending = { status: 'succeeded', verdict };
  } catch (error) {
    ending = { status: signal.aborted ? 'abandoned' : 'failed', error };
    const why =
      run === null ? error : await closeFailedRun(context, run, ending.status, progress.tally, error);
    context.unrecorded?.note({ ...kind, run, beganMs: began, error: why });
  }
  const result = outcomeOf(kind.job, progress, ending, (performance.now() - began) / 1000);
  observe({ ...context, logger }, result);
  return result;
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
  const opened = { ...context, run, tally, count, refused, setOpenTransactionsRead };
  const named = { 'custody.account': lease.account, 'custody.job': job, 'custody.run_id': run.runId };
  const ended = await inSpan(`${job} ${mode}`, named, () => work(opened));
  const verdict = ended === null || 'done' in ended ? null : ended;
  await facts.save(lease);
  await finishRun(database, lease, run, {
    status: 'succeeded',
    verified: verdict?.verified ?? null,
    verdict: ended === null ? null : 'done' in ended ? ended.done : verdictToJson(ended),
    openTransactionsRead,
    listReadWhole: verdict !== null && isReadWhole(verdict),
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

type RunProgress = Pick<OpenRun, 'tally' | 'count' | 'refused'> & { readonly totals: Totals };

/** Counts what a run does, for its outcome, the metrics and `onProgress`. */
function createProgress({ metrics, onProgress }: JobContext, job: JobName): RunProgress {
  const tally: RequestTally = { requests: 0, retries: 0, rateLimited: 0 };
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
  return { tally, totals, count, refused: () => stale };
}

function observe({ logger, metrics, failing, signal }: JobContext, result: JobOutcome): void {
  const { job, status } = result;
  if (status === 'failed') failing?.add(job);
  const recovered = status === 'succeeded' && failing?.delete(job) === true;
  metrics.runs.inc({ mirror_job: job, status });
  metrics.runSeconds.observe({ mirror_job: job }, result.seconds);
  const { records, inserted, changed, quarantined, requests, verified, doubts, coverage } = result;
  const fields = { job, records, inserted, changed, quarantined, requests, verified };
  if (status === 'failed')
    logger.error({ ...fields, code: result.errorCode, reason: result.errorMessage }, 'run failed');
  else if (status === 'abandoned')
    logger[errorCode(signal.reason) === 'LEASE-LOST' ? 'warn' : 'info'](
      { ...fields, code: result.errorCode, reason: result.errorMessage },
      'run abandoned',
    );
  else if (doubts.length > 0)
    logger.warn({ ...fields, ...coverage, doubts }, 'run succeeded without being verified');
  else if (recovered) logger.info(fields, 'run succeeded again');
  else if (inserted + changed + quarantined > 0) logger.info(fields, 'run succeeded');
  else logger.debug(fields, 'run succeeded');
}
