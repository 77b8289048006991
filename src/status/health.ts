// The sentences of health that the command, the page and the metrics share. sql/health/health_problems.sql
// defines problems.
import { agoInWords, listed, onOneLine } from '../domain/words.ts';
import type { HealthProblem, JobStatus } from '../store/job-queries/status.ts';
import { disabledResources, type StatusReport } from '../store/job-queries/status.ts';

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
