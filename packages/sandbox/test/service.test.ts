import { expect, test } from 'vitest';
import { errorOf, serve } from '../../../test/support/served-sandbox.ts';
import { createSandbox } from '../src/sandbox.ts';

test('without the viewer key every endpoint answers ERR-02 with 401', async () => {
  const { get } = await serve({ faults: 'err01' });
  const paths = [
    '/transactions',
    '/transactions/x',
    '/balances',
    '/balances/hot',
    '/vaults',
    '/vaults/x',
    '/whitelist',
  ];
  for (const path of paths) {
    expect(errorOf(await get(path, { headers: {} }))).toBe('401 ERR-02');
    expect(errorOf(await get(path, { headers: { 'x-api-key': 'wrong' } }))).toBe('401 ERR-02');
  }
});

test('header, prefix and base path can be chosen', async () => {
  const options = {
    keyHeader: 'Authorization',
    keyPrefix: 'Bearer ',
    apiKey: 'k1',
    basePath: '/custody/v1/',
  };
  const { url, get } = await serve(options);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/custody\/v1$/);
  expect((await get('/vaults')).status).toBe(200);
  expect(errorOf(await get('/vaults', { headers: { authorization: 'k1' } }))).toBe('401 ERR-02');
  expect((await fetch(new URL('/vaults', url), { headers: { authorization: 'Bearer k1' } })).status).toBe(
    404,
  );
});

test('the rate limit lets so many through per second and endpoint, and says when to come back', async () => {
  let now = 1_000_000;
  const { get } = await serve({ rate: 3, now: () => now });
  const burst = await Promise.all([1, 2, 3, 4, 5].map(() => get('/vaults')));
  expect(burst.filter(({ status }) => status === 200)).toHaveLength(3);
  const limited = burst.find(({ status }) => status === 429);
  expect(limited?.json.error_code).toBe('ERR-03');
  expect(limited?.headers.get('retry-after')).toBe('1');
  expect(limited?.headers.get('x-ratelimit-limit')).toBe('3');
  expect((await get('/whitelist')).headers.get('x-ratelimit-remaining')).toBe('2');
  now += 1000;
  expect((await get('/vaults')).status).toBe(200);
});

test('Retry-After can be left out or given as a date', async () => {
  const now = Date.UTC(2026, 0, 1);
  const bare = await serve({ rate: 1, retryAfter: 'none', now: () => now });
  await bare.get('/vaults');
  expect((await bare.get('/vaults')).headers.get('retry-after')).toBeNull();
  const dated = await serve({ rate: 0.1, retryAfter: 'date', now: () => now });
  await dated.get('/vaults');
  expect((await dated.get('/vaults')).headers.get('retry-after')).toBe('Thu, 01 Jan 2026 00:00:10 GMT');
});

test('requests are counted per endpoint and logged', async () => {
  const { sandbox, get } = await serve();
  await get('/transactions?limit=2');
  await get('/transactions/none');
  expect(sandbox.requests.recent()).toMatchObject([
    { method: 'GET', path: '/transactions', query: 'limit=2', endpoint: 'transactions', status: 200 },
    { path: '/transactions/none', query: '', endpoint: 'transaction', status: 400, errorCode: 'TXN-04' },
  ]);
  for (let i = 0; i < 9; i += 1) await get('/vaults');
  expect(sandbox.requests.byEndpoint).toEqual({ transactions: 1, transaction: 1, vaults: 9 });
  expect(sandbox.requests.total).toBe(11);

  const stalled = [1, 2, 3].map(() =>
    get('/balances', { signal: AbortSignal.timeout(20_000) }).catch(() => 'closed'),
  );
  sandbox.faults.set('stall');
  await expect.poll(() => sandbox.requests.total).toBe(14);
  sandbox.requests.reset();
  expect([sandbox.requests.total, sandbox.requests.running]).toEqual([0, 3]);
  await sandbox.close();
  expect(await Promise.all(stalled)).toEqual(['closed', 'closed', 'closed']);
});

test('options that make no sense are refused by name', () => {
  expect(() => createSandbox({ transactions: -1 })).toThrow('transactions');
  expect(() => createSandbox({ seed: 1.5 })).toThrow('seed');
  expect(() => createSandbox({ rate: 0 })).toThrow('rate');
  expect(() => createSandbox({ basePath: 'v1' })).toThrow('basePath');
  expect(() => createSandbox({ faults: 'nonsense' })).toThrow('nonsense');
  const fromText = JSON.parse('{"order":"random","paging":{"vaults":"yes"}}');
  expect(() => createSandbox(fromText)).toThrow('order must be one of newest-first');
  expect(() => createSandbox({ paging: fromText.paging })).toThrow('paging of vaults must be one of ignored');
});

test('people who open its address in a browser learn what it is, and that there is no such operation', async () => {
  const { url } = await serve();
  const answer = await fetch(`${url}/`);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/plain; charset=utf-8']);
  expect(await answer.text()).toContain('GET /transactions, /balances, /vaults and /whitelist');
});
