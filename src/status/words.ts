// Writes a status report in sentences for people, the same on the terminal and on the pages. Pure.
import { evidenceInWords, sweepInWords } from '../domain/doubts.ts';
import { isMirrored, type JobName, jobNames, type Resource, resources } from '../domain/jobs.ts';
import { agoInWords, counted, grouped, lengthInWords, listed, onOneLine } from '../domain/words.ts';
import {
  claimOf,
  disabledResources,
  type HealthProblem,
  type JobStatus,
  type RunStatusReport,
  type StatusReport,
  type SweepStatus,
} from '../store/job-queries/status.ts';

export type { JobStatus, StatusReport };

/** The members of a run that are put into words. */
export type ReportedRun = Omit<RunStatusReport, 'runId' | 'mode' | 'requests' | 'statusChanges'>;

export type Tone = 'good' | 'note' | 'bad' | 'plain';

/** A judgement in one word, and its tone. */
export interface Judgement {
  readonly word: string;
  readonly tone: Tone;
}

/** The last run of a job as one word. */
export function runJudgement(run: Pick<ReportedRun, 'status'>): Judgement {
  const tones: Readonly<Record<string, Tone>> = { succeeded: 'good', failed: 'bad', abandoned: 'note' };
  const words: Readonly<Record<string, string>> = { abandoned: 'interrupted' };
  return { word: words[run.status] ?? run.status, tone: tones[run.status] ?? 'plain' };
}

/** Whether the last run is verified; null for a job that verifies nothing. */
export function completeness({ lastRun }: { readonly lastRun: ReportedRun }): Judgement | null {
  if (lastRun.verified === null) return null;
  return lastRun.verified ? { word: 'verified', tone: 'good' } : { word: 'not verified', tone: 'note' };
}

/** What the last run did: `read 1,234 records in 3 s: 5 new, 2 changed`. */
export function runInWords(run: ReportedRun): string {
  const took =
    run.startedAt === null || run.finishedAt === null
      ? ''
      : ` in ${spanInWords(Date.parse(run.finishedAt) - Date.parse(run.startedAt))}`;
  const parts = [
    run.recordsInserted > 0 ? `${grouped(run.recordsInserted)} new` : '',
    run.recordsChanged > 0 ? `${grouped(run.recordsChanged)} changed` : '',
    run.quarantined > 0 ? `${grouped(run.quarantined)} not readable` : '',
  ].filter((part) => part !== '');
  const changes = parts.length > 0 ? parts.join(', ') : run.status === 'succeeded' ? 'nothing changed' : '';
  const soFar = run.status === 'running' ? ' so far' : '';
  return `read ${counted(run.recordsRead, 'record')}${soFar}${took}${changes === '' ? '' : `: ${changes}`}`;
}

/** Shows tenths below ten seconds, because runs are short. */
function spanInWords(ms: number): string {
  return ms < 10_000 ? `${(Math.max(0, ms) / 1000).toFixed(1)} s` : lengthInWords(ms);
}

/** Why the last run failed or is not verified, one sentence each; empty when there is nothing to say. */
export function runRemarks({ lastRun }: { readonly lastRun: ReportedRun }): readonly string[] {
  const { status, errorCode, errorMessage, verified, verdict } = lastRun;
  const ended = status === 'failed' || status === 'abandoned';
  const failure = ended && (errorMessage !== null || errorCode !== null) ? [failureInWords(lastRun)] : [];
  const doubts = verified === false ? verdict?.['doubts'] : undefined;
  const texts = Array.isArray(doubts) ? doubts.filter((doubt) => typeof doubt === 'string') : [];
  return [...failure, ...texts.map((doubt) => `Not verified: ${asClause(doubt)}`)].map((text) => `${text}.`);
}

/** What the verdict of a run rests on, as a clause; empty where it was not recorded. */
export function runEvidence({ verified, verdict }: Pick<RunStatusReport, 'verified' | 'verdict'>): string {
  return evidenceInWords(claimOf(verified === true, verdict));
}

/** The error of a run with its code, which is not repeated, without a full stop. */
export function failureInWords({
  errorCode,
  errorMessage,
}: Pick<RunStatusReport, 'errorCode' | 'errorMessage'>): string {
  const code = errorCode ?? 'UNEXPECTED';
  const words = asClause(errorMessage ?? 'no reason was recorded');
  return words.includes(code) ? words : `${words} (${code})`;
}

function asClause(text: string): string {
  return onOneLine(text).trimEnd().replace(/\.$/, '');
}

/** The learned facts about the service, without the counts by which the mirror learns them. */
export function learnedInWords({ learned }: StatusReport): StatusReport['learned'] {
  return learned.filter(({ fact }) => !counters.test(fact));
}

const counters = /:evidence$/;

/** Requests per second that an endpoint was found to accept. */
export interface LearnedRate {
  readonly endpoint: string;
  /** Decimal text. */
  readonly perSecond: string;
  readonly updatedAt: string | null;
}

const rateFact = 'request_rate.';

export function learnedRates({ learned }: Pick<StatusReport, 'learned'>): readonly LearnedRate[] {
  return learned
    .filter(({ fact }) => fact.startsWith(rateFact))
    .map(({ fact, value, updatedAt }) => ({
      endpoint: fact.slice(rateFact.length),
      perSecond: value,
      updatedAt,
    }));
}

/** What a verified run has shown. */
export const whatVerifiedMeans =
  'A run is verified when it provably read every record that stayed in the list during the run. A run that reads only new records verifies nothing.';

const jobExplanations: Readonly<Record<JobName, string>> = {
  transactions: 'reads new and unsettled transactions',
  balances: 'reads all balances',
  vaults: 'reads all vaults',
  whitelist: 'reads the whole whitelist',
  reconcile: 'sweeps all transactions',
  maintenance: 'removes expired data',
};

/** Describes a job; null for a job of another version. */
export function jobInWords(job: string): string | null {
  return Object.hasOwn(jobExplanations, job) ? jobExplanations[job as JobName] : null;
}

/** The jobs in the order in which people look for them. */
export function jobsInOrder(report: StatusReport): readonly JobStatus[] {
  const place = ({ job }: JobStatus) => {
    const known = (jobNames as readonly string[]).indexOf(job);
    return known < 0 ? jobNames.length : known;
  };
  return [...report.jobs].sort((a, b) => place(a) - place(b) || (a.job < b.job ? -1 : 1));
}

/** What is mirrored, resource by resource. */
export interface Mirrored {
  readonly resource: string;
  /** Null while it is unknown; a remark says so. */
  readonly count: number | null;
  readonly remarks: readonly string[];
}

/** An unknown count is not shown as zero. */
export function countInWords({ count }: Pick<Mirrored, 'count'>): string {
  return count === null ? 'unknown' : grouped(count);
}

/** @param now the time from which ages count, ISO 8601 */
export function mirroredInWords(report: StatusReport, now = report.readAt): readonly Mirrored[] {
  const resourcesOff = disabledResources(report);
  return countsInWords(report, now).map((mirrored) => {
    if (!isMirrored(mirrored.resource, resourcesOff))
      return { ...mirrored, remarks: ['not mirrored: left out of CUSTODY_RESOURCES', ...mirrored.remarks] };
    const unknown = mirrored.count === null ? [unknownInWords(report, mirrored.resource)] : [];
    return { ...mirrored, remarks: [...unknown, ...mirrored.remarks] };
  });
}

/** A run can leave the count unknown: an empty list has to be confirmed, or nothing was readable. */
function unknownInWords({ jobs }: StatusReport, resource: string): string {
  const wasRead = jobs.some(({ job, lastSucceededAt }) => job === resource && lastSucceededAt !== null);
  return wasRead ? 'not known yet: a later run has to confirm it' : 'never read';
}

function countsInWords(report: StatusReport, now: string): readonly Mirrored[] {
  const { transactions, vaults, whitelist } = report;
  const open = transactions.open.reduce((sum, { count }) => sum + count, 0);
  const byStatus = transactions.open.map(({ status, count }) => `${grouped(count)} ${onOneLine(status)}`);
  const gone = (count: number) => (count > 0 ? [`${grouped(count)} no longer listed by the service`] : []);
  const counts: Readonly<Record<Resource, Omit<Mirrored, 'resource'>>> = {
    transactions: {
      count: transactions.total,
      remarks: [
        ...(open > 0 ? [`${grouped(open)} not settled: ${byStatus.join(', ')}`] : []),
        ...gone(transactions.missing),
        ...(transactions.lastSweep === null ? [] : [lastSweepInWords(transactions.lastSweep, now)]),
      ],
    },
    balances: balancesInWords(report, now),
    vaults: { count: vaults.present, remarks: gone(vaults.missing) },
    whitelist: { count: whitelist.present, remarks: gone(whitelist.missing) },
  };
  return resources.map((resource) => ({ resource, ...counts[resource] }));
}

/** How far the history is sealed, and what its verification on schedule found; empty if nothing is sealed. */
export function sealedInWords({ sealed, readAt }: StatusReport): readonly string[] {
  if (sealed === null) return [];
  const { rows, signedAt, verifiedAt, verifiedRows, finding } = sealed;
  const verified =
    verifiedAt === null
      ? 'never verified on schedule (SCHEDULE_VERIFY); custody-mirror verify leaves no record'
      : finding === null
        ? `verified ${agoInWords(verifiedAt, readAt)}: ${counted(verifiedRows ?? 0, 'row')} as they were sealed`
        : `not as it was sealed, found ${agoInWords(verifiedAt, readAt)}: ${onOneLine(finding)}`;
  return [`${counted(rows, 'row')} sealed, the last ${agoInWords(signedAt ?? readAt, readAt)}`, verified];
}

function lastSweepInWords(sweep: SweepStatus, now: string): string {
  return `last sweep of the list ${agoInWords(sweep.finishedAt, now)} ${sweepInWords(sweep)}`;
}

function balancesInWords({ balances }: StatusReport, now: string): Omit<Mirrored, 'resource'> {
  const all = balances.find(({ vaultType }) => vaultType === 'all');
  const others = balances.filter(({ vaultType }) => vaultType !== 'all');
  const unreadable = balances.reduce((sum, { quarantined }) => sum + quarantined, 0);
  return {
    count: all?.assets ?? null,
    remarks: [
      ...(all === undefined ? [] : [`assets, as of ${agoInWords(all.snapshotAt, now)}`]),
      ...(others.length > 0
        ? [`of them ${others.map((other) => inVaults(other, all, now)).join(', ')}`]
        : []),
      ...(unreadable > 0 ? [`${counted(unreadable, 'record')} not readable${ofAssets(balances)}`] : []),
    ],
  };
}

/** ` (BTC, ETH, and 3 more assets)`; empty when no record names its asset. */
function ofAssets(balances: StatusReport['balances']): string {
  const assets = [...new Set(balances.flatMap(({ unreadableAssets }) => unreadableAssets))].sort();
  const more = assets.length > maxNamed ? [`and ${counted(assets.length - maxNamed, 'more asset')}`] : [];
  const named = [...assets.slice(0, maxNamed).map(onOneLine), ...more];
  return named.length === 0 ? '' : ` (${named.join(', ')})`;
}

const maxNamed = 5;

/** Says when, if it was observed at another time than the balances of all vaults. */
function inVaults(
  { vaultType, assets, snapshotAt }: StatusReport['balances'][number],
  all: StatusReport['balances'][number] | undefined,
  now: string,
): string {
  const when = snapshotAt === all?.snapshotAt ? '' : ` (${agoInWords(snapshotAt, now)})`;
  return `${grouped(assets)} in ${vaultType} vaults${when}`;
}

// The sentences of health that the command, the page and the metrics share. sql/health/health_problems.sql
// defines problems.

/** @returns also why not: one sentence each, with what to do; empty when healthy */
export function isHealthy(report: Judged) {
  const reasons = problemsInWords(report)
    .filter(({ severity }) => severity !== 'note')
    .map((problem) => reasonInWords(problem, report.readAt));
  return { healthy: reasons.length === 0, reasons };
}

/** What a healthy mirror holds: `Everything but vaults`. */
export function mirroredResources(report: StatusReport): string {
  const resourcesOff = disabledResources(report);
  return resourcesOff.length === 0 ? 'Everything' : `Everything but ${resourcesOff.join(' and ')}`;
}

/** One problem in words, without full stops. */
export interface ProblemInWords {
  readonly code: string;
  readonly severity: HealthProblem['severity'];
  /** The account, a job, a resource, or the kind of an anomaly. */
  readonly subject: string;
  readonly problem: string;
  readonly since: string | null;
  /** `those of vaults and whitelist alike`: the jobs that failed in the same way; empty for none. */
  readonly alike: string;
  /** What to do; null where the other problems name what to fix first. */
  readonly fix: string | null;
}

/** Worst first, notes last. Jobs that fail alike are one problem. */
export function problemsInWords({ problems, jobs }: Omit<Judged, 'readAt'>): readonly ProblemInWords[] {
  const wrong = problems.filter(({ severity }) => severity !== 'note');
  const hasFailed = wrong.some(isFailure);
  const isConsequence = ({ code }: HealthProblem) => code === 'nothing-mirrored' && hasFailed;
  const alone = (first: HealthProblem) => inWords({ first, others: [] });
  return [
    ...groupAlike(
      wrong.filter((problem) => !isConsequence(problem)),
      jobs,
    ).map(inWords),
    // Without its fix, which is to run the mirror: the failed runs name what to fix first.
    ...wrong.filter(isConsequence).map((problem) => ({ ...alone(problem), since: null, fix: null })),
    ...problems.filter(({ severity }) => severity === 'note').map(alone),
  ];
}

/** The members of a status report that decide health. */
type Judged = Pick<StatusReport, 'problems' | 'jobs' | 'readAt'>;

function isFailure({ code }: HealthProblem): boolean {
  return code === 'failing' || code === 'key-refused';
}

/** One problem, and the subjects of the others that differ from it only in their subject. */
interface Alike {
  readonly first: HealthProblem;
  readonly others: readonly string[];
}

/** Groups the jobs whose last runs failed with one code and one fix: people read them as one problem. */
function groupAlike(problems: readonly HealthProblem[], jobs: readonly JobStatus[]): readonly Alike[] {
  const groups = new Map<string, { first: HealthProblem; others: string[] }>();
  for (const problem of problems) {
    const { code, subject, fix } = problem;
    const cause = jobs.find(({ job }) => job === subject)?.lastRun.errorCode ?? null;
    const key = JSON.stringify(isFailure(problem) && cause !== null ? [code, cause, fix] : [code, subject]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { first: problem, others: [] });
    else group.others.push(subject);
  }
  return [...groups.values()];
}

function inWords({ first: { code, severity, subject, problem, since, fix }, others }: Alike): ProblemInWords {
  const alike =
    others.length === 0
      ? ''
      : `${others.length === 1 ? 'that' : 'those'} of ${listed(others.map(onOneLine))} alike`;
  return {
    code,
    severity,
    subject,
    problem: onOneLine(problem),
    since,
    alike,
    fix: onOneLine(fix),
  };
}

/** `The last run of balances failed: … (TIMEOUT) (began 12 min ago), and those of vaults alike: check …` */
function reasonInWords({ problem, since, alike, fix }: ProblemInWords, now: string): string {
  const from = since === null ? '' : ` (began ${agoInWords(since, now)})`;
  return `${problem}${from}${alike === '' ? '' : `, and ${alike}`}${fix === null ? '' : `: ${fix}`}.`;
}
