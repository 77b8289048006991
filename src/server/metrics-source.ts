// What /metrics reports besides the figures of the process: the status of the account of this process, from
// the reading that all viewers share, or of every account of the database, and what accounts do.
import type { Logger } from '../base/logger.ts';
import type { Metrics } from '../base/metrics.ts';
import { within } from '../base/waiting.ts';
import { createLatestStatus, type LatestStatus } from '../status/latest.ts';
import type { StatusReport } from '../store/job-queries/status.ts';
import { createAccountFigures, type FigureSource } from './account-figures.ts';
import { forgetStatus, isBehind, observeStatus } from './status-metrics.ts';

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
