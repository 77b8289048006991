// Whether the mirror is healthy, and why not, in sentences that the command, the page and the metrics share.
import { agoInWords, onOneLine } from '../domain/words.ts';
import type { HealthProblem } from '../store/query/status-health.ts';
import type { JobStatus } from '../store/query/status-jobs.ts';

export interface HealthVerdict {
  readonly healthy: boolean;
  /** One sentence each, with what to do; empty when healthy. */
  readonly reasons: readonly string[];
}

export function isHealthy({ problems, jobs, readAt }: Judged): HealthVerdict {
  const wrong = problems.filter(({ severity }) => severity !== 'note');
  const hasFailed = wrong.some(isFailure);
  const isConsequence = ({ code }: HealthProblem) => code === 'nothing-mirrored' && hasFailed;
  const reasons = [
    ...groupAlike(
      wrong.filter((problem) => !isConsequence(problem)),
      jobs,
    ).map((group) => problemInWords(group, readAt)),
    // Without its fix, which is to run the mirror: the failed runs name what to fix first.
    ...wrong.filter(isConsequence).map(({ problem }) => `${onOneLine(problem)}.`),
  ];
  return { healthy: reasons.length === 0, reasons };
}

/** The members of a status report that decide. */
interface Judged {
  readonly problems: readonly HealthProblem[];
  readonly jobs: readonly JobStatus[];
  readonly readAt: string;
}

function isFailure({ code }: HealthProblem): boolean {
  return code === 'failing' || code === 'key-refused';
}

/** One problem, and the subjects of the others that differ from it in their subject only. */
interface Alike {
  readonly first: HealthProblem;
  readonly others: readonly string[];
}

/** Groups the jobs whose last runs failed with the same code and the same fix: people read them as one problem. */
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

/** `The last run of balances failed: … (TIMEOUT) (began 12 min ago), and those of vaults and whitelist alike: check …` */
function problemInWords({ first: { problem, since, fix }, others }: Alike, now: string): string {
  const from = since === null ? '' : ` (began ${agoInWords(since, now)})`;
  const alike =
    others.length === 0 ? '' : `, and ${others.length === 1 ? 'that' : 'those'} of ${listed(others)} alike`;
  return `${onOneLine(problem)}${from}${alike}: ${onOneLine(fix)}.`;
}

function listed(names: readonly string[]): string {
  const [last = '', ...before] = [...names].map(onOneLine).reverse();
  return before.length === 0 ? last : `${before.reverse().join(', ')} and ${last}`;
}
