// What a key may ask by its scope, and from where, over real HTTP with a real database.
import { expect, test } from 'vitest';
import { routeOf } from '../../../src/api/answer/operation.ts';
import { operations } from '../../../src/api/operations.ts';
import { Secret } from '../../../src/base/secret.ts';
import {
  createKeyStore,
  type KeyScope,
  keyScopes,
  listKeys,
  type NewKey,
} from '../../../src/store/keys/api-keys.ts';
import { openReading } from '../../support/api-source.ts';
import { startServer } from '../../support/running-server.ts';
import { makeKey } from '../../support/site.ts';
import { account, openStore } from '../../support/store.ts';

async function serveLimited() {
  const store = await openStore();
  const server = await startServer({
    account,
    token: new Secret('a-token-of-some-length'),
    keys: createKeyStore(store.database),
    reading: openReading(store.url),
  });
  const make = (changes: Partial<NewKey>) => makeKey(store.database, null, changes);
  const ask = (key: string, path: string) => server.get(path, { headers: { 'x-api-key': key } });
  return { ...store, make, ask };
}

/** Every path that is not open, and an example of each kind of page. */
const apiPaths = operations.map((operation) => `/api${routeOf(operation)}`.replaceAll(/:\w+/g, 'x'));
const custodyPaths = [
  'transactions',
  'transactions/x',
  'transaction/x',
  'balances',
  'balances/all',
  'vaults',
].map((path) => `/custody/${path}`);
const allPaths = [
  ...apiPaths,
  ...['/api/v1/balances.csv', '/api/v1/transactions.csv', '/api/v1/vaults.xlsx'],
  ...custodyPaths,
  ...['/', '/sync', '/balances', '/transactions', '/status.json', '/metrics', '/api', '/api/openapi.json'],
  ...['/custody', '/nothing', '/api/v1/balancesheet', '/metrics/x', '/api/v1/balances%2f..%2ftransactions'],
];

const allowed: Readonly<Record<KeyScope, (path: string) => boolean>> = {
  metrics: (path) => path === '/metrics',
  balances: (path) =>
    /^\/api\/v1\/(accounts|balances|freshness|prices|snapshots)([./]|$)/.test(path) ||
    /^\/custody\/balances(\/|$)/.test(path) ||
    path === '/api' ||
    path === '/api/openapi.json',
  custody: (path) => /^\/custody(\/|$)/.test(path),
  read: () => true,
};

test.each(keyScopes)(
  'a key of the scope %s is answered what its scope names, and refused the rest',
  async (scope) => {
    const { make, ask, database } = await serveLimited();
    const key = await make({ scope });
    const refused = [];
    for (const path of allPaths) {
      const { status } = await ask(key, path);
      // Below /custody a refusal has the status that the service gives it.
      if (status === 403 || status === 401) refused.push(path);
    }
    expect(refused).toEqual(allPaths.filter((path) => !allowed[scope](path)));
    await expect.poll(async () => (await listKeys(database))[0]?.lastUsedAt).not.toBeNull();
  },
);

test('a refusal names the scope, and how to get what was asked for', async () => {
  const { make, ask } = await serveLimited();
  const key = await make({ scope: 'balances' });
  const answer = await ask(key, '/api/v1/transactions');
  expect(answer.status).toBe(403);
  expect(await answer.json()).toMatchObject({
    code: 'forbidden',
    detail:
      'this key has the scope balances, which does not cover this path: create one with the scope read (custody-mirror key create --scope)',
  });
  const custody = await ask(key, '/custody/transactions');
  expect([custody.status, await custody.json()]).toMatchObject([401, { error_code: 'ERR-02' }]);
});

test('a key with networks is accepted from there alone, and its use elsewhere is no use', async () => {
  const { make, ask, database } = await serveLimited();
  for (const networks of [['127.0.0.1'], ['10.0.0.0/8', '127.0.0.0/8'], ['::ffff:127.0.0.1'], ['0.0.0.0/0']])
    expect((await ask(await make({ networks }), '/api/v1/accounts')).status, networks.join()).toBe(200);
  for (const networks of [['10.0.0.0/8'], ['127.0.0.2'], ['::1', '2001:db8::/32']]) {
    const answer = await ask(
      await make({ networks, name: `elsewhere${networks.join()}` }),
      '/api/v1/accounts',
    );
    expect(answer.status, networks.join()).toBe(403);
    const { detail } = (await answer.json()) as { detail: string };
    expect(detail).toBe(
      'this key is not accepted from 127.0.0.1: use it from its networks, or create one for this network (custody-mirror key create --from)',
    );
  }
  const uses = async () =>
    (await listKeys(database)).map(
      ({ name, lastUsedAt }) => name.startsWith('elsewhere') === (lastUsedAt === null),
    );
  await expect.poll(async () => (await uses()).every(Boolean)).toBe(true);
});
