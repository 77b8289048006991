// Whether a status report is that of a healthy mirror, and if not, why: pure, so that the command and the page agree.
import { leftOpenInWords } from '../domain/coverage.ts';
import type { DoubtCode } from '../domain/doubts.ts';
import { isMirrored, mirroredBy, type Resource } from '../domain/resource.ts';
import { agoInWords, counted, lengthInWords, onOneLine } from '../domain/words.ts';
import { clockRefusedKind } from './refusals.ts';
import type { StatusReport } from './status.ts';
import type { JobStatus } from './status-jobs.ts';
import { failureInWords } from './status-words.ts';

export interface HealthBounds {
  /** For a job, how long its last success may be ago, in milliseconds; jobs that are not named may be of any age. */
  readonly maxAgeMs: Readonly<Partial<Record<string, number>>>;
  /** Jobs of sync.runs that nothing starts: how their last run ended is not judged. */
  readonly jobsOff?: readonly string[];
  /** What is not mirrored (CUSTODY_RESOURCES): neither its jobs nor what lies in quarantine of it are judged. */
  readonly resourcesOff?: readonly Resource[];
}

export interface HealthVerdict {
  readonly healthy: boolean;
  /** One sentence each, with the mend where there is one; empty when healthy. */
  readonly reasons: readonly string[];
}

/** Many times the default schedules. */
export const defaultHealthBounds: HealthBounds = {
  maxAgeMs: { transactions: 15 * 60_000, balances: 30 * 60_000 },
};

/** Anomalies that put the mirror itself in doubt; the others are the service's own and change nothing here. */
const criticalAnomalies: ReadonlyMap<string, string> = new Map([
  [
    'too-many-vanished',
    'more than 5 % of the transactions (and more than three), or all of them, would have to be marked as vanished at once, so none was; check that CUSTODY_BASE_URL and the key still belong to this account',
  ],
  [
    clockRefusedKind,
    'answers are refused, because what is mirrored is of a later time than the database tells: its clock stood wrong; compare it with another one, and look into sync.anomalies for until when',
  ],
]);

/**
 * Healthy is a mirror into which something was read, whose jobs did not fail last, whose transactions and balances are
 * no older than the bounds, whose transactions a sweep has once met in full, and in which no record lies in quarantine and
 * no critical anomaly is open. Only what is mirrored counts, and of its jobs those that something starts.
 */
export function isHealthy(report: StatusReport, bounds: HealthBounds = defaultHealthBounds): HealthVerdict {
  const { jobsOff = [], resourcesOff = [] } = bounds;
  const mirroring = report.jobs.filter(({ job }) => isMirrored(job, resourcesOff));
  const judged = mirroring.filter(({ job }) => !jobsOff.includes(job));
  const reasons = mirroring.some((job) => job.lastSucceededAt !== null)
    ? [
        ...judged.flatMap((job) => failureOf(job, report.readAt)),
        ...judged.flatMap((job) => stalenessOf(job, report, bounds)),
        ...neverVerifiedOf(report, resourcesOff),
        ...quarantineOf(report, resourcesOff),
        ...criticalOf(report, resourcesOff),
      ]
    : [...judged.flatMap((job) => failureOf(job, report.readAt)), nothingMirrored(report)];
  return { healthy: reasons.length === 0, reasons };
}

function nothingMirrored({ account, lease }: StatusReport): string {
  const mend =
    lease === null ? 'start custody-mirror run, or run custody-mirror sync once' : whereToLook(lease.holder);
  return `Nothing was mirrored yet for the account ${onOneLine(account)}: ${mend}.`;
}

const whereToLook = (holder: string) => `see the log of ${onOneLine(holder)}, which holds the lease`;

function failureOf({ job, lastRun, lastSucceededAt }: JobStatus, now: string): string[] {
  if (lastRun.status !== 'failed') return [];
  const endedAt = lastRun.finishedAt ?? lastRun.startedAt;
  if (endedAt !== null && lastSucceededAt !== null && Date.parse(lastSucceededAt) >= Date.parse(endedAt))
    return [];
  const mend = fixFor(job, lastRun.errorCode ?? '');
  return [`The last run of ${job} failed ${agoInWords(endedAt, now)}: ${failureInWords(lastRun)}${mend}.`];
}

/** interface.md 5 promises the viewer role transactions and balances, and nothing else. */
function fixFor(job: string, code: string): string {
  if (code === 'ERR-02' && (job === 'vaults' || job === 'whitelist'))
    return `; check CUSTODY_API_KEY and that its role reaches ${job}, or leave ${job} out of CUSTODY_RESOURCES`;
  return mends.get(code) ?? '';
}

const mends: ReadonlyMap<string, string> = new Map([
  ['ERR-02', '; check CUSTODY_API_KEY and that the key has the viewer role'],
  ['ERR-03', '; set CUSTODY_RATE_LIMIT lower if it stays so'],
  ['TIMEOUT', '; the next run tries again, and CUSTODY_TIMEOUT_MS sets how long an answer is waited for'],
  ['NETWORK', '; check that this machine reaches CUSTODY_BASE_URL'],
  ['BAD-BODY', '; check that CUSTODY_BASE_URL is the address of the service itself'],
]);

function stalenessOf({ job, lastSucceededAt }: JobStatus, report: StatusReport, bounds: HealthBounds) {
  const maxAgeMs = Object.hasOwn(bounds.maxAgeMs, job) ? bounds.maxAgeMs[job] : undefined;
  if (maxAgeMs === undefined) return [];
  if (lastSucceededAt === null)
    return [`No run of ${job} has succeeded yet: see the log of custody-mirror run.`];
  const ageMs = Date.parse(report.readAt) - Date.parse(lastSucceededAt);
  if (!(ageMs > maxAgeMs)) return [];
  const mend =
    report.lease === null
      ? 'no process holds the lease of this account: start custody-mirror run'
      : whereToLook(report.lease.holder);
  return [
    `The last success of ${job} was ${agoInWords(lastSucceededAt, report.readAt)}, more than the ${lengthInWords(maxAgeMs)} allowed; ${mend}.`,
  ];
}

/** While no sweep has been verified, nobody knows whether the mirror holds every transaction. */
function neverVerifiedOf(
  { jobs, lease, transactions: { lastSweep } }: StatusReport,
  resourcesOff: readonly Resource[],
): string[] {
  const sweeping = jobs.filter(({ job }) => mirroredBy(job) === 'transactions');
  const isVerified = sweeping.some(({ lastVerifiedAt }) => lastVerifiedAt !== null);
  const isRead = sweeping.some(({ lastSucceededAt }) => lastSucceededAt !== null);
  if (isVerified || !isRead || !isMirrored('transactions', resourcesOff)) return [];
  const last = lastSweep === null ? '' : ` The last one: ${leftOpenInWords(lastSweep)}.`;
  const fix =
    lease === null
      ? 'Run custody-mirror sync --full, or start custody-mirror run, which tries again'
      : `The process ${onOneLine(lease.holder)} tries again`;
  return [
    `No sweep of transactions has ever been verified: some may be missing from the mirror.${last} ${fix}${fixForDoubts(lastSweep?.doubts ?? [])}.`,
  ];
}

/** What further sweeps alone may not cure. */
function fixForDoubts(doubts: readonly DoubtCode[]): string {
  const has = (...codes: readonly DoubtCode[]) => codes.some((code) => doubts.includes(code));
  if (has('order-settled', 'order-unsettled'))
    return ', and if it stays so, ask the operator of the service for a list that keeps its order';
  if (has('offset-ignored'))
    return ', and if it stays so, ask the operator of the service why GET /transactions ignores the offset';
  if (has('end-cut', 'overlap-too-short', 'short-settled'))
    return ', and if it stays so, set CUSTODY_PAGE_SIZE to another number and ask the operator of the service how far GET /transactions can be paged';
  return '';
}

function quarantineOf({ quarantine }: StatusReport, resourcesOff: readonly Resource[]): string[] {
  return quarantine
    .filter(({ open, resource }) => open > 0 && isMirrored(resource, resourcesOff))
    .map(
      ({ resource, open }) =>
        `${counted(open, 'record')} of ${resource} could not be read and ${open === 1 ? 'lies' : 'lie'} in quarantine: sync.quarantine holds the text and the reason.`,
    );
}

/** What is critical concerns transactions alone. */
function criticalOf({ anomalies }: StatusReport, resourcesOff: readonly Resource[]): string[] {
  if (!isMirrored('transactions', resourcesOff)) return [];
  return anomalies.flatMap(({ kind, open }) => {
    const explanation = criticalAnomalies.get(kind);
    return open > 0 && explanation !== undefined ? [`An anomaly is open (${kind}): ${explanation}.`] : [];
  });
}
