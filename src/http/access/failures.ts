// The answer to a request that was refused or failed on the way. Our own faults are logged and not shown.
import type { Context, ErrorHandler } from 'hono';
import type { Logger } from '../../base/logger.ts';
import { Late } from '../../base/waiting.ts';
import { isDatabaseAway, sqlState } from '../../store/postgres/database-errors.ts';
import type { AccessEnv } from '../request/environment.ts';
import { ClientGone, type Refusal, Refused, refuse } from '../request/refusal.ts';
import { remoteOf, routeOf } from './observe.ts';
import { createTokenBuckets } from './rate-limit.ts';

/** Lines about the refusals of one address: so many at once, and then one a minute. */
const toldRefusals = { burst: 3, perSecond: 1 / 60 };
const unavailable: Refusal = {
  kind: 'unavailable',
  detail: 'the database does not answer: try again later',
  headers: { 'retry-after': '5' },
};
const cancelled: Refusal = {
  kind: 'timeout',
  detail: 'the database took too long over this answer: ask for less, or try again later',
  headers: { 'retry-after': '5' },
};
/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const queryCancelled = '57014';
/** Of a client that is gone; nobody reads it. */
const closedRequest = 499;

/** For `app.onError`: of the whole server, and of a part of it that has an own one. */
export function createErrorAnswer(logger: Logger): ErrorHandler<AccessEnv> {
  const told = createTokenBuckets(toldRefusals);
  const tellRefused = (c: Context, { kind }: Refusal) => {
    if (kind !== 'unauthorized' && kind !== 'rate-limited') return;
    const remote = remoteOf(c);
    const level = told.take(`${remote} ${kind}`) === null ? 'debug' : 'info';
    logger[level]({ reason: kind, route: routeOf(c), remote }, 'request refused');
  };
  return (error, c) => {
    if (error instanceof ClientGone) return new Response(null, { status: closedRequest });
    if (error instanceof Refused) {
      tellRefused(c, error.refusal);
      return refuse(c, error.refusal);
    }
    if (error instanceof Late || isDatabaseAway(error)) {
      logger.debug({ err: error, route: routeOf(c) }, 'answering a request failed');
      return refuse(c, unavailable);
    }
    const isLate = sqlState(error) === queryCancelled;
    logger[isLate ? 'warn' : 'error']({ err: error, route: routeOf(c) }, 'answering a request failed');
    return refuse(
      c,
      isLate ? cancelled : { kind: 'failed', detail: 'this request failed; the log says why' },
    );
  };
}
