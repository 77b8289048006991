// What /custody refuses: bad input of every parameter, accounts that the reader may not see, and a database
// that fails.
import { Hono } from 'hono';
import { beforeAll, describe, expect, test } from 'vitest';
import { custodyRoutes } from '../../../src/api/custody/routes.ts';
import { createErrorAnswer } from '../../../src/http/access/observe.ts';
import { createReaderQuota } from '../../../src/http/access/reader-quota.ts';
import type { AccessEnv, Reader } from '../../../src/http/request/environment.ts';
import type { Database } from '../../../src/store/postgres/database.ts';
import { testDatabase } from '../../support/database.ts';
import { capturingLogger, silentLogger } from '../../support/loggers.ts';
import { type RunningServer, startServer } from '../../support/running-server.ts';
import { type ServedCustody, serveCustody, serveMirrored } from '../../support/served-custody.ts';
import { type Answer, askJson, errorOf } from '../../support/served-sandbox.ts';
import { withClient } from '../../support/server.ts';
import { open } from '../../support/store.ts';

let custody: ServedCustody;
beforeAll(async () => {
  custody = await serveMirrored({ transactions: 20 });
});

const parameters: Readonly<Record<string, readonly string[]>> = {
  '/transactions': [
    ...['limit', 'offset', 'transaction_id', 'source_id', 'source_address', 'asset_id', 'network_id'],
    ...['start_date', 'end_date', 'transaction_type', 'destination_id', 'destination_address', 'status'],
  ],
  '/transactions/x': [],
  '/transaction/x': [],
  '/balances': ['asset_id', 'limit', 'offset'],
  '/balances/warm': ['asset_id', 'limit', 'offset'],
  '/vaults': ['vault_type', 'limit', 'offset'],
  '/vaults/x': [],
  '/whitelist': ['asset_id', 'network_id', 'status', 'limit', 'offset'],
};

describe.each(Object.entries(parameters))('%s', (path, names) => {
  test.each(names)('refuses %s with U+0000, and given twice', async (name) => {
    for (const query of [`${name}=a%00b`, `${name}=1&${name}=1`, `${name}=1&offset=0&${name}=2`]) {
      const answer = await custody.get(`${path}?${query}`);
      expect(errorOf(answer), query).toBe('400 ERR-00');
      expect(detailsOf(answer)).toContain(name);
    }
  });

  test('refuses what is no parameter, by name and with those there are', async () => {
    for (const name of ['asset', 'Limit', '__proto__', 'x'.repeat(1_000), 'source_type']) {
      const answer = await custody.get(`${path}?${name}=1`);
      expect(errorOf(answer), name).toBe('400 ERR-00');
      expect(detailsOf(answer)).toContain(name.slice(0, 40));
      for (const known of names) expect(detailsOf(answer)).toContain(known);
    }
  });
});

function detailsOf(answer: Answer): unknown {
  return JSON.parse(answer.text).details;
}

test('all members of an error are text, and its details say what is wrong after the documented words', async () => {
  expect(JSON.parse((await custody.get('/transactions?limit=ten')).text)).toEqual({
    status: 'error',
    error_code: 'ERR-00',
    error_message: 'Invalid or missing parameter',
    details:
      'A parameter is missing or invalid; it may have the wrong data type: limit must be a whole number of at least 1',
    help: '',
    code: '400',
  });
});

const unreadable = [
  '0000-01-01',
  '2026-02-30',
  '2026-1-1',
  '2026-01-01T24:00Z',
  '20260101',
  '1e9',
  '-1',
  '12345',
];
test.each([...unreadable, '2026-01-01T00:00:00+25:00', 'now', ' '])(
  'a date like %j is TXN-03',
  async (text) => {
    for (const name of ['start_date', 'end_date']) {
      const answer = await custody.get(`/transactions?${new URLSearchParams({ [name]: text })}`);
      expect(errorOf(answer)).toBe('400 TXN-03');
      expect(detailsOf(answer)).toContain(name);
    }
  },
);

const readable = [
  '0001-01-01',
  '2026-01-01',
  '2026-01-01T10:00',
  '2026-01-01 10:00:00.123456789Z',
  '1767225600',
];
test.each([...readable, '1767225600123', '0001-01-01T00:00+14:00', '2026-01-01T10:00:00+02:00'])(
  'a date like %j is read, also with a plus sign that nobody encoded',
  async (text) => {
    expect(errorOf(await custody.get(`/transactions?start_date=${text}`))).toBe('200 undefined');
    const encoded = new URLSearchParams({ end_date: '9999-12-31T23:59:59-14:00', start_date: text });
    expect(errorOf(await custody.get(`/transactions?${encoded}`))).toBe('200 undefined');
  },
);

test('a mirror that has read nothing yet has no records', async () => {
  const { get } = await serveCustody(await testDatabase());
  const paths = [
    '/transactions',
    '/balances',
    '/balances/cold',
    '/vaults',
    '/whitelist',
    '/whitelist?status=x',
  ];
  const codes = await Promise.all(paths.map(async (path) => errorOf(await get(path))));
  expect(codes).toEqual(
    ['TXN-02', 'BAL-00', 'BAL-01', 'VAL-01', 'WHT-00', 'WHT-01'].map((code) => `400 ${code}`),
  );
});

test.each([
  [{ name: 'a', accounts: null }, '200 undefined'],
  [{ name: 'a', accounts: ['default'] }, '200 undefined'],
  [{ name: 'a', accounts: ['x', 'default'] }, '200 undefined'],
  [{ name: 'a', accounts: ['x'] }, '400 TXN-02'],
  [{ name: 'a', accounts: ['x', 'y'] }, '401 ERR-02'],
  [{ name: 'a', accounts: [] }, '401 ERR-02'],
] satisfies [Reader, string][])('a reader %j gets %s', async (reader, wanted) => {
  const app = new Hono<AccessEnv>().onError(createErrorAnswer(silentLogger));
  app.use(async (c, next) => {
    c.set('reader', reader);
    await next();
  });
  const { readDatabase } = custody;
  app.route('/custody', custodyRoutes({ quota: createReaderQuota(readDatabase, 4), account: 'default' }));
  const response = await app.request('http://localhost/custody/transactions');
  const json = JSON.parse(await response.text());
  expect(`${response.status} ${json.error_code}`).toBe(wanted);
});

/** The whole server, which makes answers of failures. */
async function serveFrom(readDatabase: Database, logger = silentLogger): Promise<RunningServer> {
  const changes = { watch: () => () => undefined, close: async () => undefined };
  return await startServer({ reading: { readDatabase, changes }, account: 'default', logger });
}

test('a database that fails is ERR-01 with HTTP 400, and its words are only in the log', async () => {
  const { logger, entries } = capturingLogger();
  const readDatabase = open('postgres://nobody:secret@127.0.0.1:1/none', { readOnly: true });
  const { get } = await serveFrom(readDatabase, logger);
  for (const path of [
    '/transactions?asset_id=SECRET',
    '/transactions/SECRET',
    '/balances',
    '/vaults',
    '/whitelist',
  ]) {
    const response = await get(`/custody${path}`);
    expect(response.status).toBe(400);
    expect(JSON.parse(await response.text())).toMatchObject({
      error_code: 'ERR-01',
      details: expect.stringMatching(
        /^The request failed because of a system error; try again later: the database does not answer/,
      ),
    });
  }
  expect(entries().filter(({ msg }) => msg === 'answering a request failed')).toHaveLength(5);
  expect(JSON.stringify(entries())).not.toContain('SECRET');
});

test('a statement that takes too long is cut and is ERR-01', async () => {
  const test = await testDatabase();
  const readDatabase = open(test.url, { readOnly: true, statementTimeoutMs: 200 });
  const { get } = await serveFrom(readDatabase);
  await withClient(test.url, async (client) => {
    await client.query('begin; lock table custody.vaults');
    const response = await get('/custody/vaults');
    expect(JSON.parse(await response.text()).error_code).toBe('ERR-01');
  });
});

test('other methods are refused', async () => {
  for (const method of ['POST', 'PUT', 'DELETE'])
    expect((await askJson(`${custody.url}/transactions`, { method })).status).toBe(405);
  expect((await fetch(`${custody.url}/transactions`, { method: 'HEAD' })).status).toBe(200);
});
