// The routes: probes, metrics, the status as JSON, the read API and the pages. All are read-only and answer
// in bounded time, in any state of the database.
import type { Context } from 'hono';
import { Hono } from 'hono';
import { accountFor } from '../api/answer/account.ts';
import { custodyRoutes } from '../api/custody/routes.ts';
import { apiRoutes } from '../api/routes.ts';
import type { Logger } from '../base/logger.ts';
import { type Gate, type GateOptions, guardAccounts } from '../http/access/gate.ts';
import { type ObserveOptions, observe } from '../http/access/observe.ts';
import type { ReaderQuota } from '../http/access/reader-quota.ts';
import { createReaderQuota } from '../http/access/reader-quota.ts';
import { withDeadline } from '../http/request/deadline.ts';
import type { AccessEnv } from '../http/request/environment.ts';
import { Refused } from '../http/request/refusal.ts';
import type { StatusSource } from '../http/request/status-source.ts';
import { createStatusSource } from '../http/request/status-source.ts';
import { isHealthy } from '../status/health.ts';
import type { Database } from '../store/postgres/database.ts';
import type { ChangeSignal } from '../store/read-api/change-signal.ts';
import type { MetricsSource, MetricsSourceOptions } from './metrics-source.ts';
import { serveAssets } from './pages/assets.ts';
import { pageRoutes } from './pages/routes.tsx';
import type { Probes, ProbesOptions } from './probes.ts';
import { type HostCheckOptions, protect, refuseOtherSites, requireKnownHost } from './protect.ts';

export interface AppOptions
  extends HostCheckOptions,
    GateOptions,
    MetricsSourceOptions,
    ProbesOptions,
    Omit<ObserveOptions, 'account'> {
  readonly logger: Logger;
  /** What the read API is answered from; without it there is none. */
  readonly reading?: {
    readonly readDatabase: Database;
    /** How many connections it has. Default 4. */
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
 * @param source whose status is shared by all routes
 * @param gate guards all of them but the probes
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
