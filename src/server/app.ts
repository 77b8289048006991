// The routes: probes, metrics, the status as JSON, the read API and the pages. All are read-only and answer
// in bounded time, in any state of the database.

import { isIP } from 'node:net';
import { type Context, Hono } from 'hono';
import { accountFor } from '../api/answer/parameters.ts';
import { custodyRoutes } from '../api/custody/routes.ts';
import { apiRoutes } from '../api/routes.ts';
import { isWithin, thisMachine } from '../base/config/networks.ts';
import type { Logger } from '../base/logger.ts';
import type { Metrics } from '../base/metrics.ts';
import { within } from '../base/waiting.ts';
import { type Gate, type GateOptions, guardAccounts } from '../http/access/gate.ts';
import { createErrorAnswer, type ObserveOptions, observe } from '../http/access/observe.ts';
import { createReaderQuota, type ReaderQuota } from '../http/access/reader-quota.ts';
import { withDeadline } from '../http/request/deadline.ts';
import type { AccessEnv } from '../http/request/environment.ts';
import { Refused, refuse } from '../http/request/refusal.ts';
import {
  createStatusSource,
  faultOf,
  type ProcessState,
  type StatusSource,
} from '../http/request/status-source.ts';
import { isHealthy } from '../status/words.ts';
import type { Database } from '../store/postgres/database.ts';
import type { ChangeSignal } from '../store/read-api/change-signal.ts';
import type { MetricsSource, MetricsSourceOptions } from './metrics-source.ts';
import { serveAssets } from './pages/assets.ts';
import { pageRoutes } from './pages/routes.tsx';

// The probes: health of the process, and whether it does its work. They are open to everybody.

interface ProbesOptions {
  /** Must return at once. */
  readonly health: () => ProcessState;
  /** A round trip to the database, for /readyz. */
  readonly checkDatabase: () => Promise<unknown>;
  readonly version: string;
  readonly metrics: Metrics;
}

type Probes = Hono<AccessEnv>;

/** How long /readyz waits for the database: shorter than the usual timeout of a probe. */
const quickMs = 800;

export function probeRoutes({ health, version, metrics, checkDatabase }: ProbesOptions): Probes {
  const probes = new Hono<AccessEnv>();

  probes.get('/healthz', async (c) => {
    const { role, failing } = health();
    // It is open to everybody: codes, and no messages.
    const codes = failing?.map(({ subject, code, failures }) => ({ subject, code, failures }));
    const dropped = (await metrics.logLinesDropped.get()).values[0]?.value ?? 0;
    const notes = dropped === 0 ? {} : { notes: [`${dropped} log lines could not be written`] };
    // A process that can no longer work has ended.
    return c.json({ alive: true, role, version, failing: codes, ...notes });
  });

  probes.get('/readyz', async (c) => {
    const { ready, reasons, role } = health();
    const fault = await databaseFault(checkDatabase);
    const answer = {
      ready: ready && fault === null,
      role,
      reasons: fault === null ? reasons : [...reasons, fault],
    };
    return c.json(answer, answer.ready ? 200 : 503);
  });
  return probes;
}

async function databaseFault(check: () => Promise<unknown>): Promise<string | null> {
  try {
    await within(quickMs, check());
    return null;
  } catch (error) {
    return faultOf(error, quickMs).message;
  }
}

// The rules for every answer: only GET and HEAD, a short address and no body, a Host header that is a name of
// this server, headers that forbid a browser to load anything from elsewhere, to embed it or to cache it, and
// errors are answered in the format of their surface.

const headers = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
} as const;

/** The longest address, in characters; the filters of a table take a few hundred. */
const longestUrl = 8_000;

function protect(
  app: Hono<AccessEnv>,
  { logger, isClosing }: { readonly logger: Logger; readonly isClosing: () => boolean },
): void {
  app.use(async (c, next) => {
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
    if (isClosing()) c.header('connection', 'close');
    const { method } = c.req;
    if (method !== 'GET' && method !== 'HEAD')
      return refuse(c, {
        kind: 'method-not-allowed',
        detail: 'only GET and HEAD are allowed',
        headers: { allow: 'GET, HEAD' },
      });
    if (c.req.url.length > longestUrl)
      return refuse(c, {
        kind: 'address-too-long',
        detail: `an address has ${longestUrl} characters at most`,
      });
    if (hasBody(c.req.header('content-length'), c.req.header('transfer-encoding')))
      return refuse(c, {
        kind: 'bad-request',
        detail: 'requests must not have a body',
        headers: { connection: 'close' },
      });
    return await next();
  });
  app.notFound((c) =>
    refuse(c, { kind: 'not-found', detail: 'this page does not exist; the overview is at /' }),
  );
  app.onError(createErrorAnswer(logger));
}

function hasBody(length: string | undefined, encoding: string | undefined): boolean {
  return encoding !== undefined || (length !== undefined && length !== '0');
}

interface HostCheckOptions {
  /** The address that the server listens on. */
  readonly host: string;
  /** HTTP_ALLOWED_HOSTS: host names that are answered besides those of this machine, in lower case. */
  readonly allowedHosts: readonly string[];
}

/**
 * Answers only requests whose Host header is a name of this server. Else a foreign web page could point its
 * own name at this address and read the answers in a browser (DNS rebinding). Addresses are allowed, for
 * probes and scrapers.
 */
function requireKnownHost(app: Hono<AccessEnv>, { host, allowedHosts }: HostCheckOptions): void {
  const isLocal = isThisMachine(host);
  const isKnown = (name: string) =>
    isThisMachine(name) || allowedHosts.includes(name.toLowerCase()) || (!isLocal && isIP(name) !== 0);
  app.use(async (c, next) => {
    if (hostsOf(c).every(isKnown)) return await next();
    return refuse(c, {
      kind: 'misdirected',
      detail: 'unknown host name: add it to HTTP_ALLOWED_HOSTS',
    });
  });
}

/** True for `localhost` and for every loopback address, in any spelling. */
export function isThisMachine(host: string): boolean {
  return isIP(host) === 0 ? host.toLowerCase() === 'localhost' : isWithin(thisMachine, host);
}

/**
 * The hosts that the request names, in its Host header and in a target that is a whole address, without port
 * and without the brackets of an IPv6 address.
 */
function hostsOf(c: Context<AccessEnv>): readonly string[] {
  const [, authority] = /^[a-z]+:\/\/([^/?#]*)/i.exec(c.env.incoming.url ?? '') ?? [];
  return [c.req.header('host') ?? '', ...(authority === undefined ? [] : [authority])].map((host) =>
    host.replace(/:\d*$/, '').replace(/^\[(.*)\]$/, '$1'),
  );
}

/**
 * Refuses requests that another site's page makes a browser send, except for a link that a person follows
 * (Fetch Metadata). Programs do not send these header fields.
 */
function refuseOtherSites(app: Hono<AccessEnv>): void {
  app.use(async (c, next) => {
    const sent = (name: string) => c.req.header(`sec-fetch-${name}`);
    const isFollowed = c.req.method === 'GET' && sent('mode') === 'navigate' && sent('dest') === 'document';
    if (sent('site') !== 'cross-site' || isFollowed) return await next();
    return refuse(c, {
      kind: 'forbidden',
      detail: 'another site may link to a page, and request nothing from here',
    });
  });
}

export interface AppOptions
  extends HostCheckOptions,
    GateOptions,
    MetricsSourceOptions,
    ProbesOptions,
    Omit<ObserveOptions, 'account'> {
  readonly logger: Logger;
  /** The source of the read API; without it there is no read API. */
  readonly reading?: {
    readonly readDatabase: Database;
    /** How many connections the source has. Default 4. */
    readonly connections?: number;
    readonly changes: ChangeSignal;
  };
  /** True when connections end after their answer. */
  readonly isClosing: () => boolean;
}

function appWithRules(options: AppOptions): Hono<AccessEnv> {
  const app = new Hono<AccessEnv>();
  observe(app, options);
  protect(app, options);
  requireKnownHost(app, options);
  refuseOtherSites(app);
  return app;
}

/** What HTTP_PROBES_PORT serves. */
export function createProbesApp(options: AppOptions, probes: Probes): Hono<AccessEnv> {
  return appWithRules(options).route('/', probes);
}

/**
 * @param source its status is shared by all routes
 * @param gate guards all routes but the probes
 */
export function createApp(
  options: AppOptions,
  probes: Probes,
  source: MetricsSource,
  gate: Gate,
): Hono<AccessEnv> {
  const { metrics, health, version, account } = options;
  const app = appWithRules(options);
  const assets = serveAssets(app);
  gate.guard(app);
  guardAccounts(app, '/metrics', options.readAllStatus === undefined ? account : null);
  const status = createStatusSource({ status: source.status, health, account });
  const { reading } = options;
  const quota =
    reading === undefined ? null : createReaderQuota(reading.readDatabase, reading.connections ?? 4);

  app.route('/', probes);

  app.get('/metrics', async (c) => {
    c.header('content-type', metrics.registry.contentType);
    return c.body(await source.scrape());
  });

  app.get('/status.json', (c) => answerStatus(c, account, status, quota));

  if (reading === undefined || quota === null) {
    app.get('*', () => {
      throw new Refused({
        kind: 'not-found',
        detail:
          'this process only serves health and metrics (HTTP_SERVE=probes); custody-mirror serve has pages and API',
      });
    });
  } else {
    app.route('/custody', custodyRoutes({ quota, account }));
    app.route('/api', apiRoutes({ ...reading, quota, account, version }));
    app.route(
      '/',
      pageRoutes({ ...reading, quota, account, version, assets, status, logger: options.logger }),
    );
  }
  return app;
}

/** The longest time to read the status of another account. */
const deadlineMs = 10_000;

/**
 * The status as JSON: of the account of this process from the reading that all viewers share, of another
 * account as it stands in the database.
 *
 * @param account of this process
 * @param quota for other accounts; null where there is no read API
 */
async function answerStatus(
  c: Context<AccessEnv>,
  account: string,
  status: StatusSource,
  quota: ReaderQuota | null,
): Promise<Response> {
  const reader = c.get('reader');
  const named = c.req.query('account');
  const asked = accountFor(named === undefined ? {} : { account: named }, reader, account);
  if (asked !== account && quota === null)
    throw new Refused({ kind: 'forbidden', detail: 'this process only serves its own account' });
  const { known, fault, process } =
    asked === account || quota === null
      ? await status.own()
      : await withDeadline(c, deadlineMs, (signal) =>
          status.of(asked, quota.databaseOf(reader.name, signal)),
        );
  if (fault !== null || known === null)
    return c.json(
      { error: fault, unknownSince: known?.report.readAt ?? null, failing: process?.failing },
      503,
    );
  return c.json({ ...isHealthy(known.report), ...known.report });
}
