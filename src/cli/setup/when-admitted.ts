// A database that runs and lets nobody in for a while (no connection left, starting up) is waited for: of
// many processes that start at once, those that come too late would end although nothing is wrong with them.
import pRetry from 'p-retry';
import type { Logger } from '../../base/logger.ts';
import { sqlState } from '../../store/postgres/database-errors.ts';

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const tooManyConnections = '53300';
const cannotConnectNow = '57P03';

/** A command that somebody waits for tries for so long. */
export const patienceOfCommandMs = 60_000;

export interface Admission {
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** How long it is waited for. */
  readonly forMs: number;
}

/**
 * Does the work, all of it again after the database took no connection.
 *
 * @throws the refusal, when the database still refuses after that time; the signal's reason
 */
export function whenAdmitted<Value>(
  { logger, signal, forMs }: Admission,
  work: () => Promise<Value>,
): Promise<Value> {
  return pRetry(work, {
    retries: Number.POSITIVE_INFINITY,
    maxRetryTime: forMs,
    minTimeout: 500,
    // Those that start together do not come back together.
    maxTimeout: 7_500 * (1 + Math.random()),
    randomize: true,
    signal,
    shouldRetry({ error, attemptNumber }) {
      const state = sqlState(error);
      if (state !== tooManyConnections && state !== cannotConnectNow) return false;
      logger[attemptNumber > 4 ? 'error' : 'warn'](
        { err: error, refusals: attemptNumber },
        'database takes no connections yet',
      );
      return true;
    },
  });
}
