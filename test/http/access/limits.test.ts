// What one reader may ask, what one request may be, and the forms of refusals.
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { makeApiKey } from '../../../src/base/api-key.ts';
import { Secret } from '../../../src/base/secret.ts';
import type { KeyStore } from '../../../src/store/keys/api-keys.ts';
import { askSlowly, serve } from '../../server/serve.ts';
import { startServer } from '../../support/running-server.ts';
import { waitFor } from '../../support/wait-for.ts';

const token = 'a-token-of-some-length';
const asOperator = { headers: { authorization: `Bearer ${token}` } };

test('each answer states the limit, and over it comes 429 with the wait, each reader for itself', async () => {
  let now = 0;
  const { url } = await serve((app) => app.get('/api/v1/x', (c) => c.text('x')), {
    rateLimit: 2,
    token: new Secret(token),
    monotonicMs: () => now,
  });
  const get = () => fetch(`${url}/api/v1/x`, asOperator);
  const first = await get();
  expect(first.headers.get('ratelimit-policy')).toBe('"requests";q=4;w=2');
  expect(first.headers.get('ratelimit')).toBe('"requests";r=3;t=1');
  for (let more = 0; more < 3; more += 1) expect((await get()).status).toBe(200);
  const refused = await get();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
  expect(refused.headers.get('ratelimit')).toBe('"requests";r=0;t=2');
  expect(await refused.json()).toEqual({
    type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
    title: 'Too many requests',
    code: 'rate-limited',
    status: 429,
    detail: 'more than 2 requests per second from this reader: try again in 1 s',
  });
  now += 500;
  expect((await get()).status).toBe(200);
});

test('probes are not held up by the limit', async () => {
  const { get } = await startServer({ rateLimit: 1 });
  for (let more = 0; more < 20; more += 1) {
    expect((await get('/healthz')).status).toBe(200);
    expect((await get('/readyz')).status).toBe(200);
  }
});

test('a reader has so many answers under way, and one that ends makes room', async () => {
  const { url, port } = await serve(
    (app) => {
      app.get('/wait', () => new Promise<Response>(() => undefined));
      app.get('/quick', (c) => c.text('quick'));
    },
    { mostAtOnce: 2 },
  );
  const quick = async () => (await fetch(`${url}/quick`)).status;
  const [one] = [await askSlowly(port, '/wait'), await askSlowly(port, '/wait')];
  await waitFor(async () => (await quick()) === 429, { what: 'a refusal' });
  one.socket.destroy();
  await waitFor(async () => (await quick()) === 200, { what: 'an answer' });
});

test('an address that is too long and a request with a body are refused, in the form of the surface', async () => {
  const { get, url } = await startServer();
  const long = `/api/v1/transactions?search=${'x'.repeat(8_100)}`;
  const refused = await get(long);
  expect(refused.status).toBe(414);
  expect(await refused.json()).toMatchObject({ code: 'address-too-long', status: 414 });
  expect((await get(`/api/v1/transactions?search=${'x'.repeat(7_000)}`)).status).toBe(404);
  const asked = request(`${url}/custody/balances`, { method: 'GET', headers: { 'content-length': '5' } });
  // The server hangs up without reading the body.
  asked.on('error', () => undefined).end('hello');
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  expect(answer.statusCode).toBe(400);
  let body = '';
  for await (const part of answer) body += String(part);
  expect(JSON.parse(body)).toMatchObject({
    error_code: 'ERR-00',
    details: expect.stringContaining('requests must not have a body'),
    code: '400',
  });
});

test('method, path and foreign host are refused in the form of the surface', async () => {
  const { get, url } = await startServer();
  const posted = await get('/api/v1/accounts', { method: 'POST' });
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  expect(await posted.json()).toMatchObject({ code: 'method-not-allowed' });
  expect(await (await get('/custody/nothing')).json()).toMatchObject({ error_code: 'ERR-00', code: '404' });
  const forms = {
    '/api/x': 'application/problem+json',
    '/custody': 'application/json',
    '/': 'text/plain; charset=UTF-8',
  };
  for (const [path, type] of Object.entries(forms)) {
    const sent = request(url + path, { headers: { host: 'attacker.example' } }).end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    answer.resume();
    expect([path, answer.statusCode, answer.headers['content-type']]).toEqual([path, 421, type]);
  }
});

test('the token may have the form of a key', async () => {
  const { key } = makeApiKey();
  const { get } = await startServer({ token: key });
  expect((await get('/status.json', { headers: { 'x-api-key': key.reveal() } })).status).toBe(200);
  expect((await get('/status.json', { headers: { 'x-api-key': makeApiKey().key.reveal() } })).status).toBe(
    401,
  );
});

test('headers that stand twice, and a key in the address, are refused', async () => {
  const { url } = await startServer({ token: new Secret(token) });
  const { port } = new URL(url);
  const statusOf = async (head: string) => {
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(`${head}\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n`);
    let text = '';
    socket.on('data', (data) => {
      text += data.toString();
    });
    await once(socket, 'close');
    return text.slice(9, 12);
  };
  const bearer = `authorization: Bearer ${token}`;
  expect(await statusOf(`GET /status.json HTTP/1.1\r\n${bearer}`)).toBe('200');
  expect(await statusOf(`GET /status.json HTTP/1.1\r\n${bearer}\r\nx-api-key: ${token}`)).toBe('200');
  expect(await statusOf(`GET /status.json HTTP/1.1\r\nx-api-key: ${token}\r\nx-api-key: ${token}`)).toBe(
    '400',
  );
  expect(await statusOf(`GET /status.json HTTP/1.1\r\n${bearer}\r\nx-api-key: other`)).toBe('400');
  expect(await statusOf(`GET /status.json HTTP/1.1\r\nauthorization: Bearer other\r\n${bearer}`)).not.toBe(
    '200',
  );
  expect(await statusOf(`GET /?token=${token} HTTP/1.1`)).toBe('400');
  expect(await statusOf(`GET /status.json HTTP/1.1\r\nx-api-key: ${'k'.repeat(9_000)}`)).toBe('401');
  expect(await statusOf(`GET /status.json HTTP/1.1\r\nx-api-key: ${'k'.repeat(17_000)}`)).toBe('431');
});

test('while the database is away an open server stays open and one with keys says so', async () => {
  const away = new Error('away');
  let anyKeys: boolean | null = false;
  const keys: KeyStore = {
    find: async () => {
      if (anyKeys === null) throw away;
      return { anyKeys, keys: new Map() };
    },
    noteUse: async () => undefined,
  };
  const { get } = await startServer({ keys });
  expect((await get('/status.json')).status).toBe(200);
  anyKeys = null;
  expect((await get('/status.json')).status).toBe(200);
  const unknown = await startServer({ keys });
  expect((await unknown.get('/status.json')).status).toBe(500);
  expect((await unknown.get('/healthz')).status).toBe(200);
});

test('a connection on which nothing moves is closed', async () => {
  const { url } = await startServer({
    silenceMs: 300,
    readStatus: () => new Promise(() => undefined),
  });
  const { port } = new URL(url);
  const asked = await askSlowly(Number(port), '/status.json');
  const begun = performance.now();
  expect(await asked.read()).toBe('');
  expect(performance.now() - begun).toBeLessThan(2_900);
});

test('requests are counted and timed by route, never by path', async () => {
  const { get, metrics } = await startServer();
  await get('/status.json');
  await get('/some/id-of-the-account?note=x');
  await get('/custody/transactions/another-id');
  await waitFor(async () => (await metrics.httpRequests.get()).values.length === 2, { what: 'the counts' });
  const { values } = await metrics.httpRequests.get();
  expect(values.map(({ labels, value }) => [labels.route, labels.status, value]).toSorted()).toEqual([
    ['/status.json', '200', 1],
    ['none', '404', 2],
  ]);
  const text = await metrics.registry.metrics();
  expect(text).toContain('custody_mirror_http_request_duration_seconds_count{route="/status.json"} 1');
  expect(text).not.toContain('id-of-the-account');
});
