// A database that runs and lets nobody in for a while (no connection left, starting up) is waited for: of
// many processes that start at once, those that come too late would end although nothing is wrong with them.
import type { Logger } from '../../base/logger.ts';
import { backoffMs, sleep } from '../../base/loop.ts';
import { sqlState } from '../../store/postgres/database-errors.ts';

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const tooManyConnections = '53300';
const cannotConnectNow = '57P03';

const bounds = { minMs: 500, maxMs: 15_000 };

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
export async function whenAdmitted<Value>(
  { logger, signal, forMs }: Admission,
  work: () => Promise<Value>,
): Promise<Value> {
  const began = performance.now();
  for (let refusals = 0; ; refusals += 1) {
    try {
      return await work();
    } catch (error) {
      const state = sqlState(error);
      const isWaitedFor = state === tooManyConnections || state === cannotConnectNow;
      if (!isWaitedFor || performance.now() - began >= forMs) throw error;
      logger[refusals > 3 ? 'error' : 'warn'](
        { err: error, refusals: refusals + 1 },
        'database takes no connections yet',
      );
      await sleep(bounds.minMs + backoffMs(refusals, bounds), signal);
    }
  }
}
