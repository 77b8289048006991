// All metrics of the process, in one registry. Names follow Prometheus; labels come from closed sets.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export type Metrics = ReturnType<typeof createMetrics>;

const prefix = 'custody_mirror_';

/** Buckets of short times, in seconds. */
const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * How often the event loop is sampled. Sampling every 100 ms would be a third of an idle process's load. The
 * measured lag includes this interval; the threshold of CustodyMirrorEventLoopSlow allows for it.
 */
const eventLoopSampleMs = 500;

/**
 * A process that mirrors labels every series with its account (`registry.setDefaultLabels`). Series read from
 * the database have the label anyway, because `serve` reports on every account.
 *
 * @param processMetrics adds figures of the process itself: memory, handles, event loop
 */
export function createMetrics(processMetrics = false) {
  const registry = new Registry();
  if (processMetrics)
    collectDefaultMetrics({ register: registry, prefix, eventLoopMonitoringPrecision: eventLoopSampleMs });
  const make = instruments(registry);
  return {
    registry,
    ...serviceMetrics(make),
    ...jobMetrics(make),
    ...accountMetrics(make),
    ...databaseMetrics(make),
    ...httpMetrics(make),
  };
}

type Instruments = ReturnType<typeof instruments>;

function instruments(registry: Registry) {
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Counter({ name: prefix + name, help, labelNames, registers });
  const gauge = <Label extends string>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Gauge({ name: prefix + name, help, labelNames, registers });
  const histogram = <Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    buckets: number[],
  ) => new Histogram({ name: prefix + name, help, labelNames, buckets, registers });
  return { counter, gauge, histogram };
}

/** Metrics of the requests to the custody service. */
function serviceMetrics({ counter, gauge, histogram }: Instruments) {
  return {
    /** Attempts at the custody service; outcome is `ok`, `empty`, or a fault kind of domain/errors.ts. */
    requests: counter('requests_total', 'Requests sent to the custody service', ['endpoint', 'outcome']),
    requestSeconds: histogram(
      'request_duration_seconds',
      'Time from sending a request to its whole answer',
      ['endpoint'],
      seconds,
    ),
    retries: counter('request_retries_total', 'Requests sent again after a fault', ['endpoint']),
    tolerated: counter('tolerated_total', 'Tolerated deviations from the documented interface', [
      'endpoint',
      'deviation',
    ]),
    limiterWaiting: gauge('limiter_waiting_requests', 'Requests waiting for their turn in the limiter', [
      'endpoint',
    ]),
    limiterRate: gauge(
      'limiter_rate_per_second',
      'Requests per second the limiter allows; absent while unbounded',
      ['endpoint'],
    ),
    keyRejected: gauge('key_rejected', '1 while the custody service refuses the key at the endpoint', [
      'endpoint',
    ]),
  };
}

/** Metrics of the jobs of this process. */
function jobMetrics({ counter, gauge, histogram }: Instruments) {
  return {
    logLinesDropped: counter(
      'log_lines_dropped_total',
      'Log lines that could not be written and were dropped',
    ),
    accessLinesDropped: counter(
      'access_lines_dropped_total',
      'Lines of the access trail that could not be written and were dropped',
    ),
    records: counter('records_total', 'Records read, by outcome', ['resource', 'outcome']),
    runs: counter('runs_total', 'Finished runs', ['mirror_job', 'status']),
    runSeconds: histogram(
      'run_duration_seconds',
      'Length of a run',
      ['mirror_job'],
      [0.1, 0.5, 1, 5, 15, 60, 300, 1800, 7200],
    ),
    /** Failed runs that were recorded count in `runs`. */
    consecutiveFailures: gauge(
      'schedule_consecutive_failures',
      'Consecutive errors of scheduled work outside of a run',
      ['schedule'],
    ),
    // What the process knows by itself (src/status/process-facts.ts).
    workFailures: gauge(
      'work_consecutive_failures',
      'Consecutive failures of a job, of sealing or of taking the lease in this process',
      ['subject'],
    ),
    workSuccessAge: gauge(
      'work_success_age_seconds',
      'Time since a job, sealing or taking the lease last succeeded in this process',
      ['subject'],
    ),
    leaseHeld: gauge('lease_held', '1 while this process may write for the account'),
  };
}

/** Per-account figures from the database. */
function accountMetrics({ gauge }: Instruments) {
  const ofAccount = <Label extends string>(name: string, help: string, labels: readonly Label[] = []) =>
    gauge(name, help, [...labels, 'account']);
  return {
    lastSuccess: ofAccount('last_success_timestamp_seconds', 'When a job last succeeded', ['mirror_job']),
    lastVerified: ofAccount('last_verified_timestamp_seconds', 'When a sweep was last verified', [
      'mirror_job',
    ]),
    quarantineOpen: ofAccount('quarantine_open_records', 'Records in quarantine that are not resolved', [
      'resource',
    ]),
    anomaliesOpen: ofAccount('anomalies_open', 'Anomalies that are not resolved', ['kind']),
    /** 1 for each row of reporting.health_problems; the labels are from closed sets. */
    healthProblems: ofAccount('health_problem', '1 for each problem of the mirror, and for each notice', [
      'code',
      'severity',
      'subject',
    ]),
    healthy: ofAccount('healthy', '1 while the mirror is healthy, as last read from the database'),
    statusRead: ofAccount('status_read_timestamp_seconds', 'When the status was last read from the database'),
    // Account activity, for alerts: read at most once a minute (src/server/metrics-source.ts).
    openSince: ofAccount(
      'open_since_timestamp_seconds',
      'When the oldest transaction that is still open was first seen',
      ['transaction_type'],
    ),
    paymentsOffWhitelist: ofAccount(
      'payments_non_whitelisted',
      'Withdrawals of the last seven days, completed or open, whose destination the whitelist certainly did not hold',
    ),
    unexplainedDifferences: ofAccount(
      'unexplained_differences',
      'Days of the last seven, by asset, with a balance change that no transaction explains',
    ),
    movedValue: ofAccount(
      'moved_value_last_hour',
      'Value of the movements completed in the last hour that have a price, in units of the currency; rounded, for alerts only',
      ['direction', 'currency'],
    ),
  };
}

/** Metrics of the connection to the database. */
function databaseMetrics({ gauge, histogram }: Instruments) {
  return {
    databaseConnections: gauge('database_connections', 'Connections to the database, by pool and state', [
      'pool',
      'state',
    ]),
    databaseWaiting: gauge('database_waiting_transactions', 'Transactions that wait for a connection', [
      'pool',
    ]),
    statementSeconds: histogram(
      'statement_duration_seconds',
      'Length of a database statement',
      ['statement'],
      // Few buckets: a hundred statements each have a series per bucket.
      [0.05, 0.5, 5],
    ),
  };
}

/** Metrics of the requests that this process answers. */
function httpMetrics({ counter, histogram }: Instruments) {
  return {
    /** Routes are patterns such as `/api/v1/transactions/:id`, never paths. */
    httpRequests: counter('http_requests_total', 'Requests to this process, by route and HTTP status', [
      'route',
      'status',
    ]),
    httpSeconds: histogram(
      'http_request_duration_seconds',
      'Time from the head of a request to the end of its answer',
      ['route'],
      [0.01, 0.05, 0.25, 1, 5, 30, 120],
    ),
    httpCuts: counter('http_cuts_total', 'Answers that were cut before their end, by reason', ['reason']),
  };
}
