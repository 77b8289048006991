// The custody interface (docs/custody-service.md), answered from the mirror: a program written for the
// service works with this address instead of the service's. Every answer is JSON; errors have the body of
// section 7.
import { type Context, Hono } from 'hono';
import type { ReaderQuota } from '../../http/access/reader-quota.ts';
import { withDeadline } from '../../http/request/deadline.ts';
import { accountWithoutName, mayRead, type ReaderVariables } from '../../http/request/environment.ts';
import { holdBytes } from '../../http/request/guarded-stream.ts';
import { ListTooLong } from '../../store/read-api/list/read-page.ts';
import {
  type Call,
  custodyRefusal,
  listBalances,
  listBalancesOfType,
  listTransactions,
  listVaults,
  listWhitelist,
  showTransaction,
  showVault,
} from './operations.ts';

export interface CustodyOptions {
  readonly quota: ReaderQuota;
  /** The account, unless the reader's key sees exactly one. */
  readonly account: string;
}

/** The database ends a statement earlier. */
const deadlineMs = 30_000;

type Variables = { Variables: ReaderVariables };

/** To be mounted at /custody. */
export function custodyRoutes(options: CustodyOptions): Hono<Variables> {
  const app = new Hono<Variables>();
  const serve = (path: string, operation: (call: Call) => Promise<string>) => {
    app.get(path, (c) => answer(c, options, operation));
  };
  serve('/transactions', listTransactions);
  serve('/transactions/:id', showTransaction);
  serve('/transaction/:id', showTransaction);
  serve('/balances', listBalances);
  serve('/balances/:id', listBalancesOfType);
  serve('/vaults', listVaults);
  serve('/vaults/:id', showVault);
  serve('/whitelist', listWhitelist);
  app.all('*', () => {
    throw custodyRefusal('ERR-00', 'the interface has no such path', 'not-found');
  });
  return app;
}

async function answer(
  c: Context<Variables>,
  options: CustodyOptions,
  operation: (call: Call) => Promise<string>,
): Promise<Response> {
  try {
    const account = accountOf(c, options.account);
    const { pathname, searchParams } = new URL(c.req.url);
    const call = { account, search: searchParams, parameter: parameterOf(c, pathname) };
    const body = await withDeadline(c, deadlineMs, (signal) =>
      operation({ ...call, database: options.quota.databaseOf(c.get('reader').name, signal) }),
    );
    holdBytes(c, body.length);
    return c.body(body, 200, { 'content-type': 'application/json; charset=utf-8' });
  } catch (error) {
    if (!(error instanceof ListTooLong)) throw error;
    throw custodyRefusal('ERR-00', 'the list is too long for one response: page with limit and offset');
  }
}

/** @throws Refused ERR-02 */
function accountOf(c: Context<Variables>, ofProcess: string): string {
  const reader = c.get('reader');
  const account = accountWithoutName(reader, ofProcess);
  if (!mayRead(reader, account)) throw custodyRefusal('ERR-02', null, 'account-not-found');
  return account;
}

/**
 * The last segment, decoded once. hono has decoded a part of its own path, so that it would be decoded twice.
 */
function parameterOf(c: Context<Variables>, pathname: string): string {
  if (c.req.param('id') === undefined) return '';
  try {
    return decodeURIComponent(pathname.slice(pathname.lastIndexOf('/') + 1));
  } catch {
    throw custodyRefusal('ERR-00', 'the path is not valid percent-encoding');
  }
}
