// Waits for a database that is up but accepts no connections for a while (none left, starting up, too busy to
// log anyone in): of many processes that start at once, the late ones would otherwise fail although nothing
// is wrong.
import pRetry from 'p-retry';
import type { Logger } from '../../base/logger.ts';
import { isDatabaseBusy } from '../../store/postgres/database-errors.ts';

/** How long an interactive command keeps trying. */
export const patienceOfCommandMs = 60_000;

export interface BusyRetry {
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** How long to wait for it. */
  readonly forMs: number;
}

/**
 * Does the work, and repeats it as a whole after the database refused a connection.
 *
 * @throws the refusal, when the database still refuses after that time; the signal's reason
 */
export function retryWhileBusy<Value>(
  { logger, signal, forMs }: BusyRetry,
  work: () => Promise<Value>,
): Promise<Value> {
  return pRetry(work, {
    retries: Number.POSITIVE_INFINITY,
    maxRetryTime: forMs,
    minTimeout: 500,
    // Processes that start together do not retry together.
    maxTimeout: 7_500 * (1 + Math.random()),
    randomize: true,
    signal,
    shouldRetry({ error, attemptNumber }) {
      if (!isDatabaseBusy(error)) return false;
      logger[attemptNumber > 4 ? 'error' : 'warn'](
        { err: error, refusals: attemptNumber },
        'database accepts no connections yet',
      );
      return true;
    },
  });
}
