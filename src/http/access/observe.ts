// Counts, times and logs each request by its route. A route is the pattern under which it was registered,
// never the path, and no line holds a value of the query: both can be values of the account.
import type { IncomingMessage } from 'node:http';
import type { Context, Hono } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { Logger } from '../../base/logger.ts';
import type { Metrics } from '../../base/metrics.ts';
import type { AccessEnv } from '../request/environment.ts';

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
      const told = status === null ? 'closed' : String(status);
      metrics.httpRequests.inc({ route, status: told });
      metrics.httpSeconds.observe({ route }, ms / 1000);
      const reader = c.get('reader')?.name;
      logger.debug({ route, status: told, ms, whole: outgoing.writableFinished, reader }, 'request answered');
    });
    await next();
    status = outgoing.destroyed ? null : c.res.status;
  });
}

/** The pattern of the handler, such as `/api/v1/transactions/:id`; patterns are a closed set. */
export function routeOf(c: Context): string {
  return (
    matchedRoutes(c).findLast(({ method, path }) => method !== 'ALL' && !path.endsWith('*'))?.path ?? noRoute
  );
}

/**
 * The client's address, by which attempts without a valid key are limited: of IPv6 the first 64 bits, because
 * a client has all the others.
 */
export function remoteOf(c: Context): string {
  const { incoming } = c.env as { readonly incoming?: Pick<IncomingMessage, 'socket'> };
  return limitedAddress(incoming?.socket.remoteAddress ?? 'unknown');
}

export function limitedAddress(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
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
