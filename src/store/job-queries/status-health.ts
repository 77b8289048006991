// Reads the problems of the mirror from reporting.health_problems, the one definition of health, for the
// command, the page and the metrics.
import { sql } from 'drizzle-orm';
import { accounts } from '../../../drizzle/accounts.ts';
import { onOneLine } from '../../domain/words.ts';
import type { Tx } from '../postgres/transaction.ts';
import { selectIso } from '../values/micros.ts';

/** The codes of reporting.health_problems, worst first; docs/operations.md has a row for each. */
export const healthCodes = [
  'replica-behind',
  'nothing-mirrored',
  'stopped',
  'history-altered',
  'sealing-stopped',
  'too-many-missing',
  'key-refused',
  'failing',
  'starting',
  'never-read',
  'stale',
  'never-verified',
  'verified-long-ago',
  'clock-behind',
  'quarantine',
  'anomaly',
  'retired',
] as const;
export type HealthCode = (typeof healthCodes)[number];

export interface HealthProblem {
  readonly code: HealthCode;
  /** A mirror that has only problems of severity `note` is healthy. */
  readonly severity: 'critical' | 'warning' | 'note';
  /** `account`, a job, a resource, or the kind of an anomaly. */
  readonly subject: string;
  /** ISO 8601 in UTC; null if unknown. */
  readonly since: string | null;
  /** A sentence without the full stop. */
  readonly problem: string;
  readonly fix: string;
}

/** Worst first. An account unknown to the database has one problem: `nothing-mirrored`. */
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
    problem: `Nothing has been mirrored yet for the account ${account}`,
    fix: `${check}start custody-mirror run, or run custody-mirror sync once`,
  };
}
