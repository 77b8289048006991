// Counts, times and logs each request by its route, and answers those that were refused or failed on the way:
// our own faults are logged and not shown. A route is the pattern under which it was registered, never the
// path, and no line holds a value of the query: both can be values of the account.
import type { IncomingMessage } from 'node:http';
import type { Context, ErrorHandler, Hono } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { Logger } from '../../base/logger.ts';
import type { Metrics } from '../../base/metrics.ts';
import { Late } from '../../base/waiting.ts';
import { isDatabaseAway, sqlState } from '../../store/postgres/database-errors.ts';
import type { AccessEnv } from '../request/environment.ts';
import { ClientGone, type Refusal, Refused, refuse } from '../request/refusal.ts';
import { createTokenBuckets } from './rate-limit.ts';

/** The route of a request that none was registered for. */
const noRoute = 'none';

export function observe(
  app: Hono<AccessEnv>,
  { metrics, logger }: { readonly metrics: Metrics; readonly logger: Logger },
): void {
  app.use(async (c, next) => {
    const startedAt = performance.now();
    const { outgoing } = c.env;
    let status: number | null = null;
    c.set('onCut', (reason, cause) => {
      metrics.httpCuts.inc({ reason });
      const fields = { route: routeOf(c), reason, ...(cause === undefined ? {} : { err: cause }) };
      if (reason === 'failed') logger.error(fields, 'answering a request failed');
      else logger.info(fields, 'answer cut');
    });
    outgoing.once('close', () => {
      const route = routeOf(c);
      const ms = performance.now() - startedAt;
      // `closed`: the client went away before there was an answer.
      const shown = status === null ? 'closed' : String(status);
      metrics.httpRequests.inc({ route, status: shown });
      metrics.httpSeconds.observe({ route }, ms / 1000);
      const reader = c.get('reader')?.name;
      logger.debug(
        { route, status: shown, ms, whole: outgoing.writableFinished, reader },
        'request answered',
      );
    });
    await next();
    status = outgoing.destroyed ? null : c.res.status;
  });
}

/** The pattern of the handler, such as `/api/v1/transactions/:id`; patterns are a closed set. */
function routeOf(c: Context): string {
  return (
    matchedRoutes(c).findLast(({ method, path }) => method !== 'ALL' && !path.endsWith('*'))?.path ?? noRoute
  );
}

/**
 * The client's address, by which attempts without a valid key are limited: of IPv6 the first 64 bits, because
 * a client has all the others.
 */
export function remoteOf(c: Context): string {
  return limitedAddress(clientAddress(c));
}

/** Whole, with IPv4 in IPv6 as IPv4; `unknown` once the connection is gone. */
export function clientAddress(c: Context): string {
  const { incoming } = c.env as { readonly incoming?: Pick<IncomingMessage, 'socket'> };
  const address = incoming?.socket.remoteAddress ?? 'unknown';
  return mappedAddress.exec(address)?.[1] ?? address;
}

const mappedAddress = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

export function limitedAddress(address: string): string {
  const mapped = mappedAddress.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const plain = address.split('%')[0] ?? address;
  if (!plain.includes(':')) return plain;
  const [before = '', after] = plain.split('::');
  const head = before === '' ? [] : before.split(':');
  const tail = after === undefined || after === '' ? [] : after.split(':');
  const zeros =
    after === undefined ? [] : Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => '0');
  return `${[...head, ...zeros, ...tail].slice(0, 4).join(':')}::/64`;
}

/** Lines about the refusals of one address: so many at once, and then one a minute. */
const loggedRefusals = { burst: 3, perSecond: 1 / 60 };
const unavailable: Refusal = {
  kind: 'unavailable',
  detail: 'the database does not answer: try again later',
  headers: { 'retry-after': '5' },
};
const cancelled: Refusal = {
  kind: 'timeout',
  detail: 'the database took too long for this response: request less, or try again later',
  headers: { 'retry-after': '5' },
};
/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const queryCancelled = '57014';
/** Of a client that is gone; nobody reads it. */
const closedRequest = 499;

/** For `app.onError`: of the whole server, and of a part of it that has an own one. */
export function createErrorAnswer(logger: Logger): ErrorHandler<AccessEnv> {
  const logged = createTokenBuckets(loggedRefusals);
  const tellRefused = (c: Context, { kind }: Refusal) => {
    if (kind !== 'unauthorized' && kind !== 'forbidden' && kind !== 'rate-limited') return;
    const remote = remoteOf(c);
    const level = logged.take(`${remote} ${kind}`) === null ? 'debug' : 'info';
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
      isLate ? cancelled : { kind: 'failed', detail: 'this request failed; the cause is in the log' },
    );
  };
}
