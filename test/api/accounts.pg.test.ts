// Which accounts a reader sees: its own, and nothing of any other, not even whether it is there.
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { apiRoutes } from '../../src/api/routes.ts';
import { createErrorAnswer } from '../../src/http/access/observe.ts';
import { createReaderQuota } from '../../src/http/access/reader-quota.ts';
import type { AccessEnv, Reader } from '../../src/http/request/environment.ts';
import { openChangeSignal } from '../../src/store/read-api/change-signal.ts';
import { bindAccount } from '../../src/store/run/accounts.ts';
import { onCleanup } from '../support/cleanup.ts';
import { silentLogger } from '../support/loggers.ts';
import { openStore, type Store } from '../support/store.ts';
import { routes } from './documented-api.ts';

interface Answered {
  readonly status: number;
  readonly body: { account_id?: string; data?: { account_id: string }[]; code?: string; errors?: unknown };
}

/** Asks as the reader, in a process of the account. */
function askAs(store: Store, accounts: Reader['accounts'], own: string) {
  const changes = openChangeSignal({ database: store.database, logger: silentLogger });
  onCleanup(() => changes.close());
  const app = new Hono<AccessEnv>();
  app.use(async (c, next) => {
    c.set('reader', { name: 'test', accounts });
    await next();
  });
  const options = {
    readDatabase: store.database,
    quota: createReaderQuota(store.database, 4),
    account: own,
    changes,
    logger: silentLogger,
    version: '1',
    style: '',
  };
  app.onError(createErrorAnswer(silentLogger));
  app.route('/api', apiRoutes(options));
  return async (path: string): Promise<Answered> => {
    const answer = await app.request(`http://mirror/api/v1/${path}`);
    return { status: answer.status, body: (await answer.json()) as Answered['body'] };
  };
}

async function threeAccounts(): Promise<Store> {
  const store = await openStore();
  for (const account of ['beta', 'gamma'])
    await bindAccount(store.database, { account, baseUrl: `https://${account}.example`, timeZone: 'UTC' });
  return store;
}

test('the account is the named one, else the only one of the reader, else that of the process', async () => {
  const store = await threeAccounts();
  const all = askAs(store, null, 'acme');
  expect((await all('runs')).body.account_id).toBe('acme');
  expect((await all('runs?account=beta')).body.account_id).toBe('beta');
  expect((await askAs(store, ['beta'], 'acme')('runs')).body.account_id).toBe('beta');
  expect((await askAs(store, ['beta', 'acme'], 'acme')('runs')).body.account_id).toBe('acme');
  const neither = await askAs(store, ['beta', 'gamma'], 'acme')('runs');
  expect(neither).toMatchObject({ status: 400, body: { errors: [{ name: 'account' }] } });
});

test('a foreign account answers as one that is not there, on every route', async () => {
  const store = await threeAccounts();
  const ask = askAs(store, ['beta'], 'acme');
  const lists = routes.filter(({ path }) => path !== '/v1/accounts' && !/\.(?:csv|xlsx)$/.test(path));
  for (const { path, parameters } of lists) {
    const id = String(parameters.find((parameter) => parameter.in === 'path')?.example);
    const place = path.replace('/v1/', '').replace(/\{\w+\}/, id);
    const foreign = await ask(`${place}?account=acme`);
    expect([path, foreign.status, foreign.body.code]).toEqual([path, 404, 'account-not-found']);
    expect(foreign).toEqual(await ask(`${place}?account=nobody`));
  }
});

test('the list of accounts holds those of the reader', async () => {
  const store = await threeAccounts();
  const seen = async (accounts: Reader['accounts']) =>
    (await askAs(store, accounts, 'acme')('accounts')).body.data?.map((row) => row.account_id);
  expect(await seen(null)).toEqual(['acme', 'beta', 'gamma']);
  expect(await seen(['gamma', 'beta', 'nobody'])).toEqual(['beta', 'gamma']);
  expect(await seen([])).toEqual([]);
});
