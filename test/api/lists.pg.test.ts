// Lists of the API: filters, orders, cursors, and what the headers of a request change. Held against plain
// SQL.

import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { operations } from '../../src/api/operations.ts';
import type { TestDatabase } from '../support/database.ts';
import { sampled } from '../support/form.ts';
import { openStore } from '../support/store.ts';
import { mirrorOfJune } from '../system/dashboards/june.ts';
import { type Api, startApi } from './documented-api.ts';

let mirror: TestDatabase;
let api: Api;

beforeAll(async () => {
  mirror = await mirrorOfJune();
  api = await startApi(mirror.url, { of: 'default' });
});

const ids = async (path: string) => (await api.walk(path)).map((row) => row['transaction_id']);
const expected = async (where: string, order = 'first_seen_at desc, transaction_id desc') =>
  (
    await mirror.query<{ id: string }>(
      `select transaction_id as id from custody.transactions t where ${where} order by ${order}`,
    )
  ).map(({ id }) => id);

test('each filter of transactions finds what plain SQL finds', async () => {
  const [some] = await mirror.query<Record<string, string>>(
    `select * from custody.transactions where source_address <> '' and destination_address <> '' and amount > 1 limit 1`,
  );
  const moment = '2026-06-12T08:00:00.5Z';
  const columns = [
    'transaction_id',
    'status',
    'transaction_type',
    'asset_id',
    'network_id',
    'source_type',
    'source_id',
    'source_address',
    'destination_type',
    'destination_id',
    'destination_address',
  ];
  for (const column of columns) {
    const value = some?.[column] ?? '';
    const found = await ids(`/api/v1/transactions?${column}=${encodeURIComponent(value)}&limit=37`);
    expect(found.length, column).toBeGreaterThan(0);
    expect(found, column).toEqual(await expected(`${column} = '${value}'`));
  }
  const others: Record<string, string> = {
    'amount_from=10': 'amount >= 10',
    'amount_to=10.50': 'amount <= 10.50',
    'amount_from=1&amount_to=2.5': 'amount between 1 and 2.5',
    [`first_seen_from=${moment}`]: `first_seen_at >= '${moment}'`,
    [`first_seen_to=${moment}`]: `first_seen_at < '${moment}'`,
    [`changed_from=${moment}`]: `changed_at >= '${moment}'`,
    [`changed_to=${moment}`]: `changed_at < '${moment}'`,
    'missing=true': 'missing_since is not null',
    'missing=false': 'missing_since is null',
    'is_open=true': 'not reporting.is_settled(status) and missing_since is null',
    'is_open=false': 'reporting.is_settled(status)',
    'network_id=': `network_id = ''`,
    'status=nonsense': 'false',
    'status=completed&transaction_type=deposit': `status = 'completed' and transaction_type = 'deposit'`,
  };
  for (const [search, where] of Object.entries(others))
    expect(await ids(`/api/v1/transactions?${search}`), search).toEqual(await expected(where));
});

test('every order is total, in both directions, whatever the size of a page', async () => {
  const orders = {
    first_seen_at: 'first_seen_at, transaction_id',
    '-first_seen_at': 'first_seen_at desc, transaction_id desc',
    changed_at: 'changed_at, transaction_id',
    '-changed_at': 'changed_at desc, transaction_id desc',
    transaction_id: 'transaction_id',
    '-transaction_id': 'transaction_id desc',
  };
  for (const [sort, order] of Object.entries(orders))
    for (const limit of sampled([7, 100, 500], { every: 3, from: 1 }))
      expect(await ids(`/api/v1/transactions?sort=${sort}&limit=${limit}`), sort).toEqual(
        await expected('true', order),
      );
});

test('a walk in small pages over every list gives what one page gives', async () => {
  const lists = [
    'balances',
    'balances/history',
    'balances/split',
    'balances/values',
    'balances/value',
    'balances/assets/BTC/series',
    'balances/trends',
    'prices',
    'postings',
    'reconciliation/between',
    'snapshots',
    'vaults',
    'whitelist',
    'flows',
    'movements/values',
    'balances/value/daily',
    'fees',
    'fees/totals',
    'reconciliation',
    'reconciliation/postings',
    'documents/changes',
    'destinations/uses/totals',
    'destinations',
    'destinations/daily',
    'destinations/uses',
    'freshness',
    'runs',
    'quarantine',
    'anomalies',
    'facts',
    'accounts',
  ];
  for (const list of sampled(lists, { every: 3 })) {
    const whole = (await api.json(`/api/v1/${list}?limit=60`)).data;
    const walked = await api.walk(
      `/api/v1/${list}?limit=${list === 'freshness' || list === 'accounts' ? 1 : 23}`,
    );
    expect(walked.slice(0, 60), list).toEqual(whole);
  }
});

test('a moment is taken with each offset that RFC 3339 allows', async () => {
  for (const { path, list, parameters } of operations) {
    if (list === undefined) continue;
    const moments = Object.entries(parameters).filter(
      ([name, { reads }]) => reads === 'moment' && name !== 'at',
    );
    if (moments.length === 0) continue;
    const query = moments.map(
      ([name]) => `${name}=2026-06-12T08:00:00-${name.endsWith('to') ? '23:59' : '22:38'}`,
    );
    expect(
      (await api.get(`/api${path.replace('{asset_id}', 'BTC')}?limit=1&${query.join('&')}`)).status,
      path,
    ).toBe(200);
  }
});

test('the Link of a page leads to the next, and a cursor goes with its own question only', async () => {
  const first = await api.get('/api/v1/transactions?limit=5&status=completed');
  const { next_cursor: cursor = '' } = (await first.json()) as { next_cursor: string };
  const link = /^<(.*)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
  const next = new URL(link, `${api.url}/api/v1/transactions?limit=5&status=completed`);
  expect(await (await fetch(next)).json()).toEqual(
    await api.json(`/api/v1/transactions?status=completed&limit=5&cursor=${cursor}`),
  );
  const refused = [
    `transactions?limit=5&cursor=${cursor}`,
    `transactions?status=failed&cursor=${cursor}`,
    `transactions?status=completed&sort=changed_at&cursor=${cursor}`,
    `destinations/uses?status=completed&cursor=${cursor}`,
    `transactions?status=completed&at=2026-06-12T08:00:00Z&cursor=${cursor}`,
    `transactions?status=completed&cursor=${cursor.slice(0, -3)}`,
    `transactions?status=completed&cursor=${Buffer.from('{"v":1,"q":"","k":[]}').toString('base64url')}`,
    'transactions?cursor=',
    'transactions?cursor=%F0%9F%98%80',
  ];
  for (const path of refused) {
    const answer = await api.get(`/api/v1/${path}`);
    expect({ path, status: answer.status, body: await answer.json() }).toMatchObject({
      status: 400,
      body: { errors: [{ name: 'cursor' }] },
    });
  }
});

test('rows whose keys differ in null and empty text alone, or are very long, are met once each', async () => {
  const store = await openStore();
  const long = `lnbc${'q'.repeat(900)}`;
  const places: readonly (readonly [string | null, string | null])[] = [
    [null, null],
    [null, ''],
    ['', null],
    ['', ''],
    [long, 'n'],
    [`${long}2`, 'n'],
  ];
  for (const [index, [address, network]] of places.entries())
    await store.query(
      `insert into custody.transactions (account_id, transaction_id, status, transaction_type, asset_id, network_id, amount,
         destination_type, destination_address, first_seen_at, first_seen_after, status_changed_at, changed_at, content_hash, raw)
       values ('acme', $1, 'completed', 'withdraw', 'BTC', $2, 1, 'external', $3, now(), now(), now(), now(), $1, '{}')`,
      [`t${index}`, network, address],
    );
  const own = await startApi(store.url);
  for (const list of ['destinations/daily', 'transactions?sort=-transaction_id', 'destinations/uses']) {
    const separator = list.includes('?') ? '&' : '?';
    const whole = (await own.json(`/api/v1/${list}${separator}limit=50`)).data;
    expect(whole.length, list).toBeGreaterThan(1);
    expect(await own.walk(`/api/v1/${list}${separator}limit=1`), list).toEqual(whole);
  }
});

test('a cursor with forged keys is a bad cursor, not a failure', async () => {
  const { next_cursor: cursor } = await api.json('/api/v1/transactions?limit=5');
  const parsed = JSON.parse(Buffer.from(cursor ?? '', 'base64url').toString());
  for (const keys of [
    ['yesterday', 'x'],
    ['2026-06-12T08:00:00Z', 'a\u0000'],
    ['', ''],
    ['infinity', 'x'],
  ]) {
    const forged = Buffer.from(JSON.stringify({ ...parsed, k: keys })).toString('base64url');
    const answer = await api.get(`/api/v1/transactions?limit=5&cursor=${forged}`);
    expect([keys, answer.status === 400 || answer.status === 200]).toEqual([keys, true]);
  }
});

test('an answer that is known already is a 304', async () => {
  const path = '/api/v1/transactions?limit=3';
  const first = await api.get(path);
  const etag = first.headers.get('etag') ?? '';
  expect(etag).toMatch(/^W\/"[\w-]+"$/);
  expect(first.headers.get('vary')).toContain('Accept');
  const status = async (tag: string) => (await api.get(path, { headers: { 'if-none-match': tag } })).status;
  for (const tag of [etag, etag.slice(2), `"x", ${etag}`, '*'])
    expect([tag, await status(tag)]).toEqual([tag, 304]);
  for (const tag of ['"x"', 'W/"x"', etag.slice(3, -1), ''])
    expect([tag, await status(tag)]).toEqual([tag, 200]);
  const known = await api.get(path, { headers: { 'if-none-match': etag } });
  expect([known.headers.get('etag'), await known.text()]).toEqual([etag, '']);
  expect((await api.get('/api/v1/transactions?limit=4')).headers.get('etag')).not.toBe(etag);
});

/** The answer as it comes over the wire. */
async function raw(path: string, headers: Record<string, string>, method = 'GET') {
  const sent = request(`${api.url}${path}`, { headers, method }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const parts: Buffer[] = [];
  for await (const part of answer) parts.push(part);
  return { headers: answer.headers, status: answer.statusCode, body: Buffer.concat(parts) };
}

test('gzip is sent to who takes it, in JSON and in CSV, and to nobody else', async () => {
  for (const path of ['/api/v1/transactions', '/api/v1/transactions.csv', '/api/openapi.json']) {
    const plain = await raw(path, {});
    expect(plain.headers['content-encoding']).toBeUndefined();
    for (const accepted of ['gzip', 'br, gzip;q=0.5', '*']) {
      const packed = await raw(path, { 'accept-encoding': accepted });
      expect([path, packed.headers['content-encoding']]).toEqual([path, 'gzip']);
      expect(gunzipSync(packed.body).equals(plain.body)).toBe(true);
      expect(packed.body.length).toBeLessThan(plain.body.length / 2);
    }
    for (const refused of ['identity', 'gzip;q=0', 'br'])
      expect((await raw(path, { 'accept-encoding': refused })).headers['content-encoding']).toBeUndefined();
  }
});

test('HEAD answers as GET does, without a body', async () => {
  for (const path of ['/api/v1/transactions', '/api/v1/transactions.csv', '/api', '/api/v1/nothing']) {
    const [get, head] = [await raw(path, {}), await raw(path, {}, 'HEAD')];
    expect([head.status, head.headers['content-type'], head.headers['etag'], head.body.length]).toEqual([
      get.status,
      get.headers['content-type'],
      get.headers['etag'],
      0,
    ]);
  }
});

test('the form is the one that Accept wants, and none is a 406', async () => {
  const typeFor = async (accept: string, path = '/api/v1/vaults') => {
    const answer = await api.get(path, { headers: { accept } });
    // A reader has one CSV at a time.
    await answer.arrayBuffer();
    return [answer.status, answer.headers.get('content-type')?.split(';')[0]];
  };
  const [json, csv] = [
    [200, 'application/json'],
    [200, 'text/csv'],
  ];
  const none = [406, 'application/problem+json'];
  expect(await typeFor('*/*')).toEqual(json);
  expect(await typeFor('text/html,application/xhtml+xml,*/*;q=0.8')).toEqual(json);
  expect(await typeFor('text/csv')).toEqual(csv);
  expect(await typeFor('application/json;q=0.5, text/csv')).toEqual(csv);
  expect(await typeFor('text/*')).toEqual(csv);
  expect(await typeFor('application/json', '/api/v1/vaults.csv')).toEqual(csv);
  expect(await typeFor('text/html')).toEqual(none);
  expect(await typeFor('application/json;q=0')).toEqual(none);
  expect(await typeFor('text/csv', '/api/v1/health')).toEqual(none);
});
