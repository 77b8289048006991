// The status as viewers see it: the last report that was read, why there is no younger one, and what this
// process knows of itself.
import { Late, within } from '../../base/waiting.ts';
import { errorCode, MirrorError } from '../../domain/errors.ts';
import type { LatestStatus } from '../../status/latest.ts';
import type { Failing } from '../../status/process-facts.ts';
import { readStatus, type StatusReport } from '../../store/job-queries/status.ts';
import type { Database } from '../../store/postgres/database.ts';
import { Refused } from './refusal.ts';

export interface ProcessState {
  /** True while it does its work, as writer or as standby. */
  readonly ready: boolean;
  /** Why it is not ready, one sentence each. */
  readonly reasons: readonly string[];
  /** `writer` holds the account's lease; `standby` waits for it; `reader` serves, and mirrors nothing. */
  readonly role: 'writer' | 'standby' | 'reader' | 'starting' | 'stopping';
  /** The name under which this process takes the lease. */
  readonly holder: string;
  /** The failures of its work, as far as it knows by itself; left out where it does none. */
  readonly failing?: readonly Failing[];
}

/** Why the status could not be read. */
export interface StatusFault {
  readonly code: string;
  readonly message: string;
}

export interface CachedStatus {
  /** The last report that was read; null before the first. */
  readonly known: {
    readonly report: StatusReport;
    /** The present time on the clock of the report's `readAt`, ISO 8601. Ages count from it. */
    readonly now: string;
  } | null;
  /** While there is one, the state of the mirror is unknown. */
  readonly fault: StatusFault | null;
  /** What this process knows of itself; null where it mirrors, and mirrors another account. */
  readonly process: ProcessState | null;
  /** The account that this process mirrors. */
  readonly processAccount: string;
}

export interface StatusSource {
  /**
   * The status of the process's account, shared by all viewers. Answers within three seconds, in any state of
   * the database.
   */
  own(): Promise<CachedStatus>;
  /**
   * The status of any account, from a database that a reader may use.
   *
   * @throws Refused for an account that is not mirrored, and what the database throws
   */
  of(account: string, database: Database): Promise<CachedStatus>;
}

interface StatusSourceOptions {
  readonly status: LatestStatus;
  readonly health: () => ProcessState;
  readonly account: string;
}

const maxAgeMs = 1_000;
const statusWaitMs = 3_000;

export function createStatusSource({ status, health, account }: StatusSourceOptions): StatusSource {
  const own = async (): Promise<CachedStatus> => {
    const fault = await within(statusWaitMs, status.read(maxAgeMs)).then(
      () => null,
      (error: unknown) => faultOf(error, statusWaitMs),
    );
    const { report, ageMs = 0 } = status.known ?? {};
    const known = report && { report, now: new Date(Date.parse(report.readAt) + ageMs).toISOString() };
    return { known: known ?? null, fault, process: health(), processAccount: account };
  };
  return {
    own,
    async of(asked, database) {
      if (asked === account) return await own();
      const report = await readStatus(database, asked);
      if (report.baseUrl === null)
        throw new Refused({
          kind: 'account-not-found',
          detail: 'no account of this name is mirrored here, or this reader has no access to it',
        });
      const known = { report, now: report.readAt };
      const process = health();
      return {
        known,
        fault: null,
        process: process.role === 'reader' ? process : null,
        processAccount: account,
      };
    },
  };
}

/**
 * Shows the message of our own errors only; of other errors it shows the code, and the log holds the rest.
 */
export function faultOf(error: unknown, waitedMs: number): StatusFault {
  if (error instanceof Late)
    return {
      code: 'DATABASE-UNREACHABLE',
      message: `the database did not answer within ${waitedMs / 1000} s`,
    };
  const code = errorCode(error);
  const message = error instanceof MirrorError ? error.message : `reading the status failed (${code})`;
  return { code, message };
}
