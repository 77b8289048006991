// What is wrong with the mirror, as reporting.health_problems says it: the one definition of health, read for the command, the page
// and the metrics alike. Nothing is judged here.
import { sql } from 'drizzle-orm';
import { accounts } from '../../../drizzle/accounts.ts';
import { agoInWords, onOneLine } from '../../domain/words.ts';
import type { Tx } from '../postgres/database.ts';
import { selectIso } from '../postgres/micros.ts';
import type { JobStatus } from './status-jobs.ts';

/** The codes of reporting.health_problems, worst first; docs/operations.md has a row for each. */
export const healthCodes = [
  'nothing-mirrored',
  'stopped',
  'too-many-vanished',
  'clock-refused',
  'key-refused',
  'failing',
  'starting',
  'never-read',
  'stale',
  'never-verified',
  'verified-long-ago',
  'quarantine',
  'anomaly',
] as const;
export type HealthCode = (typeof healthCodes)[number];

export interface HealthProblem {
  readonly code: HealthCode;
  /** With a `note` the mirror is healthy all the same. */
  readonly severity: 'critical' | 'warning' | 'note';
  /** `account`, a job, a resource, or the kind of an anomaly. */
  readonly subject: string;
  /** ISO 8601 in UTC, as far as it is known. */
  readonly since: string | null;
  /** A sentence without its full stop. */
  readonly problem: string;
  readonly fix: string;
}

export interface HealthVerdict {
  readonly healthy: boolean;
  /** One sentence each, with what to do; empty when healthy. */
  readonly reasons: readonly string[];
}

/** Worst first. Of an account that this database does not know there is that to say. */
export async function readProblems(tx: Tx, account: string): Promise<readonly HealthProblem[]> {
  const others = await tx.run('status.accounts', (db) =>
    db.select({ account: accounts.accountId }).from(accounts).orderBy(accounts.accountId).limit(knownAtMost),
  );
  const names = others.map((other) => other.account);
  if (!names.includes(account) && names.length < knownAtMost) return [unknownAccount(account, names)];
  return await tx.run('status.problems', (db) =>
    db
      .select({
        code: sql<HealthCode>`code`,
        severity: sql<HealthProblem['severity']>`severity`,
        subject: sql<string>`subject`,
        since: selectIso(sql`since`),
        problem: sql<string>`problem`,
        fix: sql<string>`fix`,
      })
      .from(sql`reporting.health_problems`)
      .where(sql`account_id = ${account}`)
      .orderBy(sql`rank, subject`),
  );
}

const knownAtMost = 1000;

function unknownAccount(account: string, others: readonly string[]): HealthProblem {
  const named = others.slice(0, 5).map(onOneLine).join(', ');
  const check = named === '' ? '' : `check CUSTODY_ACCOUNT (this database holds ${named}), or `;
  return {
    code: 'nothing-mirrored',
    severity: 'critical',
    subject: 'account',
    since: null,
    problem: `Nothing was mirrored yet for the account ${account}`,
    fix: `${check}start custody-mirror run, or run custody-mirror sync once`,
  };
}

export function isHealthy({ problems, jobs, readAt }: Judged): HealthVerdict {
  const wrong = problems.filter(({ severity }) => severity !== 'note');
  const hasFailed = wrong.some(isFailure);
  const isConsequence = ({ code }: HealthProblem) => code === 'nothing-mirrored' && hasFailed;
  const reasons = [
    ...alikeTogether(
      wrong.filter((problem) => !isConsequence(problem)),
      jobs,
    ).map((group) => problemInWords(group, readAt)),
    // What to do stands with the cause: to run it once more is what was just done.
    ...wrong.filter(isConsequence).map(({ problem }) => `${onOneLine(problem)}.`),
  ];
  return { healthy: reasons.length === 0, reasons };
}

interface Judged {
  readonly problems: readonly HealthProblem[];
  readonly jobs: readonly JobStatus[];
  readonly readAt: string;
}

function isFailure({ code }: HealthProblem): boolean {
  return code === 'failing' || code === 'key-refused';
}

/** One problem, and the subjects of those that are the same but for their subject. */
interface Alike {
  readonly first: HealthProblem;
  readonly others: readonly string[];
}

/** Jobs whose last runs failed with the same code, and want the same to be done, are one thing to read. */
function alikeTogether(problems: readonly HealthProblem[], jobs: readonly JobStatus[]): readonly Alike[] {
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
