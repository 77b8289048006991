// What this process knows of its own work without the database: what fails, how often in a row, with which
// error, and how long ago it last succeeded. Health adds it to what the database says, because a failure that
// cannot be recorded there must be reported all the same. Another fact of the process is another subject.

import { errorCode, fixForCode, MirrorError } from '../domain/errors.ts';
import type { JobName } from '../domain/jobs.ts';
import type { HealthProblem, StatusReport } from '../store/job-queries/status.ts';

/** A job, sealing, its verification, or the lease without which nothing is written. */
export type Subject = JobName | 'seal' | 'verify' | 'lease';

export interface Failing {
  readonly subject: Subject;
  readonly code: string;
  readonly message: string;
  /** In a row. */
  readonly failures: number;
  /** Since the first of them, in milliseconds. */
  readonly forMs: number;
}

export interface ProcessFacts {
  succeeded(subject: Subject): void;
  failed(subject: Subject, code: string, message: string): void;
  /** Another process does the work and has newer facts. */
  forget(): void;
  failing(): readonly Failing[];
  /** Milliseconds since each last succeeded in this process. */
  sinceSuccess(): readonly (readonly [Subject, number])[];
}

export function createProcessFacts(monotonicMs = () => performance.now()): ProcessFacts {
  const failing = new Map<Subject, Omit<Failing, 'forMs'> & { readonly since: number }>();
  const succeededAt = new Map<Subject, number>();
  return {
    succeeded(subject) {
      failing.delete(subject);
      succeededAt.set(subject, monotonicMs());
    },
    failed(subject, code, message) {
      const { failures, since } = failing.get(subject) ?? { failures: 0, since: monotonicMs() };
      failing.set(subject, { subject, code, message, failures: failures + 1, since });
    },
    forget() {
      failing.clear();
      succeededAt.clear();
    },
    failing: () =>
      [...failing.values()].map(({ since, ...fact }) => ({ ...fact, forMs: monotonicMs() - since })),
    sinceSuccess: () => [...succeededAt].map(([subject, at]) => [subject, monotonicMs() - at] as const),
  };
}

/** Code and message of an error as they may be shown: only our own messages, which name the fix. */
export function shownFault(error: unknown): readonly [code: string, message: string] {
  const code = errorCode(error);
  return [code, error instanceof MirrorError ? error.message : `it failed with ${code}`];
}

/** The report, with the facts of this process. Where both know of a failure, the database's row stays. */
export function withProcessFacts(report: StatusReport, failing: readonly Failing[]): StatusReport {
  if (failing.length === 0) return report;
  const own = failing.map((fact) => problemOf(fact, report.readAt));
  const isRecorded = ({ subject }: HealthProblem) =>
    report.problems.some((row) => row.subject === subject && /^(failing|key-refused)$/.test(row.code));
  const added = own.filter((problem) => problem.code === 'stopped' || !isRecorded(problem));
  // The row asks for a running daemon: this one runs, and knows why it cannot write.
  const isExplained = ({ code }: HealthProblem) =>
    added.some((one) => one.code === 'stopped' && one.code === code);
  return { ...report, problems: [...added, ...report.problems.filter((row) => !isExplained(row))] };
}

/** Work that has no runs. */
const unrecorded: Readonly<Partial<Record<Subject, string>>> = {
  seal: 'Sealing',
  verify: 'Verifying the sealed history',
};

const triesAgain = 'the next run tries again; custody-mirror doctor checks its prerequisites';

function problemOf({ subject, code, message, forMs }: Failing, now: string): HealthProblem {
  const since = new Date(Date.parse(now) - forMs).toISOString();
  const words = `${message.trimEnd().replace(/\.$/, '')}${message.includes(code) ? '' : ` (${code})`}`;
  if (subject === 'lease')
    return {
      code: 'stopped',
      severity: 'critical',
      subject: 'account',
      since,
      problem: `This process cannot write: ${words}`,
      fix: 'it tries again; custody-mirror doctor checks its prerequisites',
    };
  const severity = subject === 'transactions' ? 'critical' : 'warning';
  const problem = `${unrecorded[subject] ?? `The last run of ${subject}`} failed: ${words}`;
  return { code: 'failing', severity, subject, since, problem, fix: fixForCode(code) ?? triesAgain };
}
