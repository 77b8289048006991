// Counts, times and logs each request by its route, and answers those that were refused or failed on the way:
// our own faults are logged and not shown. A route is the pattern under which it was registered, never the
// path, and no line holds a value of the query: both can be values of the account.
import type { BlockList, Socket } from 'node:net';
import type { Context, ErrorHandler, Hono } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { Logger } from '../../base/logger.ts';
import type { Metrics } from '../../base/metrics.ts';
import { Late } from '../../base/waiting.ts';
import { isDatabaseOffline, sqlState } from '../../store/postgres/database-errors.ts';
import { type AccessEnv, accountWithoutName, mayRead, type Reader } from '../request/environment.ts';
import { ClientGone, type HttpRefusal, Refused, refuse } from '../request/refusal.ts';
import { clientAddress, limitedAddress } from './client-address.ts';
import { createTokenBuckets } from './rate-limit.ts';

/** The route of a request that none was registered for. */
const noRoute = 'none';

/** A line of the access trail. It holds no parameter and no path: both can be values of the account. */
export interface AccessRecord {
  /** When the request came. */
  readonly time: string;
  /** The prefix of the key, `token` or `open`; null where the request was refused before. */
  readonly reader: string | null;
  readonly key_name: string | null;
  /** Null for a route of all accounts, and for an account that the reader may not read. */
  readonly account: string | null;
  readonly route: string;
  /** Null when the client left before there was an answer. */
  readonly status: number | null;
  /** Whether all of the answer was sent. */
  readonly whole: boolean;
  /** Sent, with the header. */
  readonly bytes: number;
  readonly address: string;
  readonly ms: number;
}

/** Must return at once, and never throw. */
export type AccessTrail = (record: AccessRecord) => void;

export interface ObserveOptions {
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** The account of this process. */
  readonly account: string;
  /** Gets each answer but those of probes and assets, which show nothing of an account. */
  readonly trail?: AccessTrail;
  /** HTTP_TRUSTED_PROXIES. */
  readonly trustedProxies?: BlockList | null;
}

export function observe(app: Hono<AccessEnv>, options: ObserveOptions): void {
  const { metrics, logger, account, trail, trustedProxies = null } = options;
  app.use(async (c, next) => {
    const startedAt = performance.now();
    const time = new Date().toISOString();
    const { incoming, outgoing } = c.env;
    const { socket } = incoming;
    const address = clientAddress(incoming, trustedProxies);
    c.set('address', address);
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
      // `closed`: the client closed the connection before there was an answer.
      const shown = status === null ? 'closed' : String(status);
      metrics.httpRequests.inc({ route, status: shown });
      metrics.httpSeconds.observe({ route }, ms / 1000);
      const reader: Reader | undefined = c.get('reader');
      const whole = outgoing.writableFinished;
      logger.debug({ route, status: shown, ms, whole, reader: reader?.name }, 'request answered');
      const bytes = bytesSince(socket);
      if (untracked.includes(route) || route.startsWith('/assets/')) return;
      trail?.({
        ...{ time, reader: reader?.name ?? null, key_name: reader?.keyName ?? null },
        ...{ account: accountOf(c, reader, account), route, status, whole, bytes, address },
        ms: Math.round(ms),
      });
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

/** By what the limits identify a client. */
export function remoteOf(c: Context<AccessEnv>): string {
  return limitedAddress(c.get('address'));
}

const countedBytes = new WeakMap<Socket, number>();

/** What the connection sent since the last call: one answer, because answers do not overlap. */
function bytesSince(socket: Socket): number {
  const before = countedBytes.get(socket) ?? 0;
  countedBytes.set(socket, socket.bytesWritten);
  return socket.bytesWritten - before;
}

const untracked = ['/healthz', '/readyz'];
/** Routes that show every account of the reader. */
const ofAllAccounts = /^(?:\/metrics|(?:\/api\/v1)?\/accounts(?:\.csv|\.xlsx)?)$/;

/** The longest name of an account. */
const longestAccount = 100;

/** An account that the reader may not read counts as absent, and its name is foreign text. */
function accountOf(c: Context<AccessEnv>, reader: Reader | undefined, own: string): string | null {
  if (reader === undefined || ofAllAccounts.test(routeOf(c))) return null;
  const account = c.req.query('account') ?? accountWithoutName(reader, own);
  return mayRead(reader, account) && account.length <= longestAccount ? account : null;
}

/** Lines about the refusals of one address: a burst of so many, then one a minute. */
const loggedRefusals = { burst: 3, perSecond: 1 / 60 };
const unavailable: HttpRefusal = {
  kind: 'unavailable',
  detail: 'the database does not answer: try again later',
  headers: { 'retry-after': '5' },
};
const cancelled: HttpRefusal = {
  kind: 'timeout',
  detail: 'the database took too long for this response: request less, or try again later',
  headers: { 'retry-after': '5' },
};
/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const queryCancelled = '57014';
/** The status for a client that is gone; nobody reads it. */
const closedRequest = 499;

/** For `app.onError` of the whole server, and of a part with a handler of its own. */
export function createErrorAnswer(logger: Logger): ErrorHandler<AccessEnv> {
  const logged = createTokenBuckets(loggedRefusals);
  const tellRefused = (c: Context<AccessEnv>, { kind }: HttpRefusal) => {
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
    if (error instanceof Late || isDatabaseOffline(error)) {
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
