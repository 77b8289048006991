// Keys over real HTTP with a real database: who is let in, what a refusal says, and when revocation holds.
import { expect, test } from 'vitest';
import { digestOfKey, makeApiKey } from '../../../src/base/api-key.ts';
import { Secret } from '../../../src/base/secret.ts';
import type { HttpServerOptions } from '../../../src/server/server.ts';
import { createKeyStore, listKeys, type NewKey, revokeKey } from '../../../src/store/keys/api-keys.ts';
import type { Database } from '../../../src/store/postgres/database.ts';
import { bindAccount } from '../../../src/store/run/accounts.ts';
import { longTest } from '../../support/form.ts';
import { capturingLogger } from '../../support/loggers.ts';
import { startServer } from '../../support/running-server.ts';
import { makeKey } from '../../support/site.ts';
import { account, openStore } from '../../support/store.ts';

const token = 'a-token-of-some-length';

const make = (database: Database, changes: Partial<NewKey> = {}) => makeKey(database, null, changes);

async function serveKeys(options: Partial<HttpServerOptions> = {}) {
  const store = await openStore();
  const { logger, text } = capturingLogger();
  const keys = createKeyStore(store.database);
  const server = await startServer({ account, keys, logger, ...options });
  const statusWith = async (key: string, path = '/status.json') =>
    (await server.get(path, { headers: { 'x-api-key': key } })).status;
  return { ...store, ...server, statusWith, logged: text };
}

const pages = ['/', '/sync', '/status.json', '/api/v1/accounts', '/custody/balances', '/nothing'];

test('on an address of this machine reading is open until the first key is made, and stays closed when it is revoked', async () => {
  const { get, database, statusWith } = await serveKeys();
  expect((await get('/status.json')).status).toBe(200);
  expect(await statusWith('what-another-service-calls-its-key')).toBe(200);
  const key = await make(database);
  for (const path of pages) expect((await get(path)).status, path).toBe(401);
  expect(await statusWith(key)).toBe(200);
  await revokeKey(database, key.slice(0, 11));
  expect(await statusWith(key)).toBe(401);
  for (const path of pages) expect((await get(path)).status, path).toBe(401);
  for (const path of ['/healthz', '/readyz', '/metrics']) expect((await get(path)).status, path).toBe(200);
});

test('on another address pages and API are closed until there is a key or a token, and say how to make one', async () => {
  const { get, database, statusWith } = await serveKeys({ host: '0.0.0.0' });
  for (const path of pages) {
    const answer = await get(path);
    expect(answer.status, path).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe(
      'Basic realm="custody-mirror", charset="UTF-8", Bearer realm="custody-mirror"',
    );
    expect(await answer.text()).toContain('custody-mirror key create <name>');
  }
  for (const path of ['/healthz', '/readyz']) expect((await get(path)).status, path).toBe(200);
  expect(await statusWith(await make(database))).toBe(200);
});

test('on another address metrics name no account to anybody without a key or the token', async () => {
  const { get, database, statusWith } = await serveKeys({ host: '0.0.0.0' });
  const refused = await get('/metrics');
  expect([refused.status, await refused.text()]).toEqual([401, expect.not.stringContaining('account="')]);
  expect(await statusWith(await make(database), '/metrics')).toBe(200);
  await bindAccount(database, { account: 'other', baseUrl: 'https://other.example', timeZone: 'UTC' });
  expect(await statusWith(await make(database, { accounts: ['other'] }), '/metrics')).toBe(403);
  const withToken = await startServer({ host: '0.0.0.0', token: new Secret(token) });
  const headers = { authorization: `Bearer ${token}` };
  expect((await withToken.get('/metrics')).status).toBe(401);
  expect((await withToken.get('/metrics', { headers })).status).toBe(200);
});

test('a key is taken as x-api-key, as a bearer token and as a password; the token of the operator stays', async () => {
  const { get, database } = await serveKeys({ token: new Secret(token) });
  const key = await make(database);
  const basic = (password: string) => `Basic ${Buffer.from(`anybody:${password}`).toString('base64')}`;
  for (const secret of [key, token])
    for (const headers of [
      { 'x-api-key': secret },
      { authorization: `Bearer ${secret}` },
      { authorization: basic(secret) },
    ])
      for (const path of ['/status.json', '/metrics'])
        expect((await get(path, { headers })).status).toBe(200);
  expect((await get('/metrics')).status).toBe(401);
});

test('a refusal has the form of its surface, and a challenge', async () => {
  const { get, database } = await serveKeys();
  await make(database);
  const headers = { 'x-api-key': makeApiKey().key.reveal() };
  const problem = await get('/api/v1/accounts', { headers });
  expect(problem.headers.get('content-type')).toBe('application/problem+json');
  expect(problem.headers.get('www-authenticate')).toContain(
    'Bearer realm="custody-mirror", error="invalid_token"',
  );
  // Of guesses sent ahead on the same connection, none but the first is answered.
  expect(problem.headers.get('connection')).toBe('close');
  expect(await problem.json()).toEqual({
    type: '/api#unauthorized',
    title: 'A key is required',
    code: 'unauthorized',
    status: 401,
    detail: expect.stringContaining('unknown key'),
  });
  const custody = await get('/custody/balances', { headers });
  expect(custody.status).toBe(401);
  expect(custody.headers.get('content-type')).toMatch(/^application\/json/);
  expect(await custody.json()).toEqual({
    status: 'error',
    error_code: 'ERR-02',
    error_message: 'Unauthorized access',
    details: expect.stringContaining('unknown key'),
    help: '',
    code: '401',
  });
  const page = await get('/', { headers });
  expect([page.status, page.headers.get('content-type')]).toEqual([401, 'text/plain; charset=UTF-8']);
});

longTest(
  'a key that was revoked is refused at the very next request, whatever else is under way',
  async () => {
    const { database, statusWith } = await serveKeys();
    const other = await make(database);
    let isBusy = true;
    const load = async () => {
      while (isBusy) await statusWith(other);
    };
    const busy = Array.from({ length: 8 }, load);
    for (let round = 0; round < 25; round += 1) {
      const key = await make(database);
      expect(await statusWith(key), `round ${round}`).toBe(200);
      await revokeKey(database, key.slice(0, 11));
      expect(await statusWith(key), `round ${round}`).toBe(401);
    }
    isBusy = false;
    await Promise.all(busy);
  },
);

test('a key that expires is refused from then on, by the clock of the database', async () => {
  const { database, query, get } = await serveKeys();
  const key = await make(database, { expires: { afterHours: 1 } });
  const answer = () => get('/api/x', { headers: { authorization: `Bearer ${key}` } });
  expect((await answer()).status).toBe(404);
  await query('update sync.api_keys set expires_at = clock_timestamp()');
  const refused = await answer();
  expect(refused.status).toBe(401);
  expect(await refused.json()).toMatchObject({ detail: expect.stringContaining('has expired') });
});

test('a key reads its accounts and no other', async () => {
  const { database, statusWith, get } = await serveKeys();
  await bindAccount(database, { account: 'other', baseUrl: 'https://other.example', timeZone: 'UTC' });
  const mine = await make(database, { accounts: [account] });
  const others = await make(database, { accounts: ['other'] });
  const both = await make(database, { accounts: ['other', account] });
  expect(await statusWith(mine)).toBe(200);
  expect(await statusWith(both)).toBe(200);
  expect(await statusWith(others)).toBe(403);
  for (const named of ['other', account])
    expect(await statusWith(mine, `/status.json?account=${named}`)).toBe(named === account ? 200 : 404);
  const refused = await get('/status.json', { headers: { 'x-api-key': others } });
  expect(await refused.text()).not.toContain(account);
});

test('the use of a key is written also by a server that closes at once', async () => {
  const { database, statusWith, server } = await serveKeys();
  await statusWith(await make(database));
  await server.close();
  expect((await listKeys(database))[0]?.lastUsedAt).not.toBeNull();
});

test('neither a log nor a metric holds a key, a digest, an address or a path', async () => {
  const { database, get, metrics, logged } = await serveKeys();
  const keys = [await make(database), makeApiKey().key.reveal()];
  for (const key of keys) {
    for (const path of ['/', '/custody/transactions/secret-id', `/api/v1/x?key=${key}`, `/${key}`])
      await get(path, { headers: { 'x-api-key': key } });
    await get('/custody/transactions?note=secret-note', {
      headers: { authorization: `Basic ${btoa(`u:${key}`)}` },
    });
  }
  const told = `${logged()}${await metrics.registry.metrics()}`;
  expect(told).toContain('request answered');
  expect(told).toContain('request refused');
  for (const key of keys)
    for (const form of [
      key.slice(12),
      btoa(`u:${key}`),
      digestOfKey(key),
      Buffer.from(digestOfKey(key), 'hex').toString('base64'),
    ])
      expect(told).not.toContain(form);
  expect(told).not.toMatch(/secret-id|secret-note/);
});

test('what is no key never reaches the database, and a lookup is one statement for many requests', async () => {
  const store = await openStore();
  const real = createKeyStore(store.database);
  let lookups = 0;
  const keys = {
    ...real,
    find: (digests: readonly string[]) => {
      lookups += 1;
      return real.find(digests);
    },
  };
  const { get } = await startServer({ host: '0.0.0.0', account, keys });
  const key = await make(store.database);
  lookups = 0;
  for (const wrong of ['x', `${key}x`, key.slice(0, -1), 'cm_aaaaaaaa_nothing', key.toLowerCase()])
    expect((await get('/', { headers: { 'x-api-key': wrong } })).status).toBe(401);
  expect((await get('/')).status).toBe(401);
  expect(lookups).toBe(0);
  const answers = await Promise.all(
    Array.from({ length: 60 }, () => get('/status.json', { headers: { 'x-api-key': key } })),
  );
  expect(answers.map(({ status }) => status)).not.toContain(401);
  expect(lookups).toBeLessThan(30);
});

test('guesses are refused, however many, and hold up neither the token nor a key', async () => {
  const { database, statusWith } = await serveKeys({ token: new Secret(token) });
  const key = await make(database);
  const guesses = Promise.all(
    Array.from({ length: 200 }, (_, index) =>
      statusWith(index % 2 === 0 ? makeApiKey().key.reveal() : 'no-key-at-all'),
    ),
  );
  expect([await statusWith(key), await statusWith(token)]).toEqual([200, 200]);
  expect(new Set(await guesses)).toEqual(new Set([401]));
  expect([await statusWith(key), await statusWith(token)]).toEqual([200, 200]);
});
