// What /metrics reports besides the figures of the process: the status of the account of this process, from
// the reading that all viewers share, or of every account of the database, and what accounts do.

import type { Gauge } from 'prom-client';
import type { Logger } from '../base/logger.ts';
import type { Metrics } from '../base/metrics.ts';
import { shareWork, within } from '../base/waiting.ts';
import { isMirrored, resources, sweepingJobs } from '../domain/jobs.ts';
import { createLatestStatus, type LatestStatus } from '../status/latest.ts';
import type { ProcessFacts } from '../status/process-facts.ts';
import {
  type FigureName,
  type FigureQuestion,
  type FigureRow,
  figureNames,
} from '../store/job-queries/account-figures.ts';
import { disabledResources, type StatusReport } from '../store/job-queries/status.ts';

// Keeps the gauges of what accounts do, for alerts. They are read when metrics are asked for, one statement
// after the other, each at most once a minute and for at most a fiftieth of the time: the reconciliation of a
// large account takes seconds.

export interface FigureSource {
  /** The accounts that this process reports on. */
  readonly accounts: () => Promise<readonly string[]>;
  readonly readFigure: (question: FigureQuestion) => Promise<readonly FigureRow[]>;
}

interface AccountFiguresOptions extends FigureSource {
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  readonly monotonicMs?: () => number;
}

const everyMs = 60_000;
const leastPause = 50;

/**
 * @returns reads the figures that are due. An unreadable figure has no series until it can be read. It
 *   rejects when the accounts cannot be read.
 */
function createAccountFigures(options: AccountFiguresOptions): () => Promise<void> {
  const { accounts, readFigure, metrics, logger, signal } = options;
  const { monotonicMs: now = () => performance.now() } = options;
  const due = new Map<FigureName, number>();
  const failing = new Set<string>();

  const rowsOf = async (name: FigureName, account: string): Promise<readonly FigureRow[]> => {
    const which = `${name} of ${account}`;
    try {
      const rows = await readFigure({ name, account, signal });
      failing.delete(which);
      return rows.map(({ labels, value }) => ({ labels: { ...labels, account }, value }));
    } catch (error) {
      // Logged once, as long as it fails.
      const level = failing.has(which) || signal.aborted ? 'debug' : 'warn';
      logger[level]({ err: error, account, figure: name }, 'reading a figure for alerts failed');
      failing.add(which);
      return [];
    }
  };
  const readDue = async () => {
    const names = figureNames.filter((name) => now() >= (due.get(name) ?? 0));
    const known = names.length > 0 ? await accounts() : [];
    for (const name of names) {
      const began = now();
      const rows: FigureRow[] = [];
      for (const account of known) if (!signal.aborted) rows.push(...(await rowsOf(name, account)));
      metrics[name].reset();
      for (const { labels, value } of rows) (metrics[name] as Gauge).set({ ...labels }, value);
      due.set(name, now() + Math.max(everyMs, leastPause * (now() - began)));
    }
  };
  return shareWork(readDue);
}

// Sets the gauges about accounts from what the database says of them. A series is removed when its subject is
// gone.

const ofStatus = ['healthProblems', 'quarantineOpen', 'anomaliesOpen'] as const;

/**
 * Removes the values that are unknown while the status cannot be read. The times of the last success,
 * verification and reading stay, because they show their own age.
 */
function forgetStatus(metrics: Metrics, accounts: readonly string[]): void {
  for (const account of accounts) metrics.healthy.set({ account }, Number.NaN);
  for (const name of [...ofStatus, ...figureNames]) metrics[name].reset();
}

/** Nobody is called for what a retired account has left open. */
function isRetired({ problems }: Pick<StatusReport, 'problems'>): boolean {
  return problems.some(({ code }) => code === 'retired');
}

/** A replica that is behind shows everything else as it was. */
function isBehind({ problems }: Pick<StatusReport, 'problems'>): boolean {
  return problems.some(({ code }) => code === 'replica-behind');
}

/**
 * Sets the gauges of health, quarantine and anomalies, and of the last success and verification of each job,
 * of these accounts and no others. They come from the database, so they are right on a standby and after a
 * restart. Nothing awaits in between, so a scrape sees the old values or the new ones.
 */
export function observeStatus(metrics: Metrics, ...all: readonly StatusReport[]): void {
  for (const name of ofStatus) metrics[name].reset();
  // Next to processes that read the primary, outdated figures must neither raise an alert nor hide that
  // nobody knows better.
  if (all.some(isBehind)) {
    observeBehind(metrics, all);
    return;
  }
  for (const name of ['healthy', 'statusRead', 'lastSuccess', 'lastVerified'] as const) metrics[name].reset();
  for (const status of all) {
    const { account, readAt, problems, anomalies } = status;
    metrics.statusRead.set({ account }, Date.parse(readAt) / 1000);
    for (const { code, severity, subject } of problems)
      metrics.healthProblems.set({ code, severity, subject, account }, 1);
    metrics.healthy.set({ account }, problems.every(({ severity }) => severity === 'note') ? 1 : 0);
    if (!isRetired(status))
      for (const { kind, open } of anomalies) metrics.anomaliesOpen.set({ kind, account }, open);
    observeJobs(metrics, status);
  }
}

/** Sets what the process knows of its own work, whether or not the database answers. */
export function observeProcess(metrics: Metrics, facts: ProcessFacts): void {
  const { workFailures, workSuccessAge } = metrics;
  workFailures.reset();
  workSuccessAge.reset();
  for (const [subject, ms] of facts.sinceSuccess()) {
    workFailures.set({ subject }, 0);
    workSuccessAge.set({ subject }, ms / 1000);
  }
  for (const { subject, failures } of facts.failing()) workFailures.set({ subject }, failures);
}

function observeBehind(metrics: Metrics, all: readonly StatusReport[]): void {
  for (const name of figureNames) metrics[name].reset();
  for (const { account, problems } of all) {
    metrics.healthy.set({ account }, 0);
    for (const { code, severity, subject } of problems)
      if (code === 'replica-behind') metrics.healthProblems.set({ code, severity, subject, account }, 1);
  }
}

/**
 * A scheduled job has the value 0 before its first success, because an alert needs a series. A resource that
 * is not mirrored has no series, so that no alert judges it.
 */
function observeJobs(metrics: Metrics, status: StatusReport): void {
  const { account, expected, jobs, quarantine } = status;
  const resourcesOff = disabledResources(status);
  for (const resource of resources)
    if (isMirrored(resource, resourcesOff)) metrics.quarantineOpen.set({ resource, account }, 0);
  for (const { resource, open } of isRetired(status) ? [] : quarantine)
    if (isMirrored(resource, resourcesOff)) metrics.quarantineOpen.set({ resource, account }, open);

  const jobsOff = expected.filter(({ isScheduled }) => !isScheduled).map(({ job }) => job);
  const isJudged = (job: string) => isMirrored(job, resourcesOff) && !jobsOff.includes(job);
  const neverYet = (job: string, mark: 'lastSucceededAt' | 'lastVerifiedAt') =>
    isJudged(job) && jobs.every((known) => known.job !== job || known[mark] === null);
  for (const job of resources)
    if (neverYet(job, 'lastSucceededAt')) metrics.lastSuccess.set({ mirror_job: job, account }, 0);
  for (const job of sweepingJobs)
    if (neverYet(job, 'lastVerifiedAt')) metrics.lastVerified.set({ mirror_job: job, account }, 0);
  for (const { job, lastSucceededAt, lastVerifiedAt } of jobs) {
    if (!isMirrored(job, resourcesOff)) continue;
    if (lastSucceededAt !== null)
      metrics.lastSuccess.set({ mirror_job: job, account }, Date.parse(lastSucceededAt) / 1000);
    if (lastVerifiedAt !== null)
      metrics.lastVerified.set({ mirror_job: job, account }, Date.parse(lastVerifiedAt) / 1000);
  }
}

export interface MetricsSourceOptions {
  /** The account of this process. */
  readonly account: string;
  readonly readStatus: () => Promise<StatusReport>;
  /** Of all accounts, if the process reports more than its own. */
  readonly readAllStatus?: () => Promise<readonly StatusReport[]>;
  /** Left out where metrics are open to everybody: it reports what accounts do. */
  readonly figures?: FigureSource;
  /** Called before the metrics are written. */
  readonly onScrape?: () => void;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly monotonicMs?: () => number;
}

export interface MetricsSource {
  /** Of the account of this process, shared by all viewers. */
  readonly status: LatestStatus;
  /** The text of the metrics; waits for the database for less than a second. */
  scrape(): Promise<string>;
}

const statusMaxAgeMs = 15_000;
/**
 * A reading can take long without failing. After this time the last report counts as unknown, as after a
 * failure. Twice as long as the usual time between two scrapes, or two readings while nobody asks: a read
 * that is only slow is reported by the next scrape.
 */
const unknownAfterMs = 120_000;
/** How long a scrape waits for the database: shorter than its usual timeout. */
const quickMs = 800;

export function createMetricsSource(options: MetricsSourceOptions, signal: AbortSignal): MetricsSource {
  const { account, readStatus, readAllStatus, figures, metrics, logger, monotonicMs } = options;
  const clock = monotonicMs ? { monotonicMs } : {};
  let observed: readonly string[] = [];
  /** False on a replica that is behind: what accounts do is reported as it is, or not at all. */
  let isCurrent = true;
  const observe = (all: readonly StatusReport[]) => {
    observed = all.map((one) => one.account);
    isCurrent = !all.some(isBehind);
    observeStatus(metrics, ...all);
  };
  const forget = () => forgetStatus(metrics, observed);
  const all =
    readAllStatus &&
    createLatestStatus({
      ...clock,
      readStatus: readAllStatus,
      ...logOnTransition(logger, observe, forget),
    });
  const observeOwn = (report: StatusReport) => (all ? undefined : observe([report]));
  const forgetOwn = () => (all ? undefined : forget());
  const own = createLatestStatus({ ...clock, readStatus, ...logOnTransition(logger, observeOwn, forgetOwn) });
  if (all === undefined) {
    // An alert needs a series, also of an account whose status was never read.
    observed = [account];
    metrics.statusRead.set({ account }, 0);
    forget();
  }
  const readFigures =
    figures &&
    createAccountFigures({
      ...figures,
      accounts: async () => (isCurrent ? await figures.accounts() : []),
      ...clock,
      metrics,
      logger,
      signal,
    });
  return {
    status: own,
    async scrape() {
      const status = all ?? own;
      const reading = Promise.allSettled([status.read(statusMaxAgeMs), readFigures?.()]);
      await within(quickMs, reading).catch(nothing);
      const { known } = status;
      if (known === null || known.ageMs > unknownAfterMs) forget();
      options.onScrape?.();
      return await metrics.registry.metrics();
    },
  };
}

const nothing = () => undefined;

/** Viewers ask often: a lasting failure is logged once. */
function logOnTransition<Report>(logger: Logger, observe: (report: Report) => void, forget: () => void) {
  let failing = false;
  return {
    onRead(report: Report) {
      observe(report);
      if (failing) logger.info('status was read again');
      failing = false;
    },
    onFailure(error: unknown) {
      forget();
      logger[failing ? 'debug' : 'warn']({ err: error }, 'reading the status failed');
      failing = true;
    },
  };
}
