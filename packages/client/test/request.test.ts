// One call of the client: its address, the key, what it tries again, and what it rejects with.
import type { ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { freePort } from '../../../test/support/free-port.ts';
import { ApiError, createClient } from '../src/client.ts';
import { breakOff, cutShort, fakeApi, pageOf, sendJson, sendProblem } from './fake-api.ts';

const health = { account_id: 'acme', data: { health: 'ok' } };

/** Answers with the faults, one after the other, and then well. */
function after(...faults: ((response: ServerResponse) => unknown)[]) {
  return (_request: unknown, response: ServerResponse) =>
    (faults.shift() ?? ((good: ServerResponse) => sendJson(good, health)))(response);
}

const refuseWith =
  (status: number, headers: Readonly<Record<string, string>> = {}) =>
  (response: ServerResponse) =>
    sendProblem(response, status, { code: 'some-code', detail: 'some detail' }, headers);

async function rejection(work: Promise<unknown>): Promise<ApiError> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) throw new Error(`no ApiError but ${inspect(error)}`);
  return error;
}

test('a query becomes an address: dates, numbers and texts of any kind; undefined values are left out', async () => {
  const { client, requests } = await fakeApi((_, response, { pathname }) =>
    sendJson(response, pathname.endsWith('/transactions') ? pageOf([], null) : health),
  );
  await client
    .listTransactions({
      status: 'a b&c=d+é%',
      is_open: true,
      first_seen_from: new Date(Date.UTC(2026, 5, 12, 8)),
      first_seen_to: '2026-06-12T10:00:00+02:00',
      asset_id: undefined,
      limit: 5,
    })
    .page();
  await client.getTransaction({ transaction_id: '../a/b?c#d', account: 'x' });
  expect(requests).toEqual([
    '/api/v1/transactions?status=a+b%26c%3Dd%2B%C3%A9%25&is_open=true&first_seen_from=2026-06-12T08%3A00%3A00.000Z&first_seen_to=2026-06-12T10%3A00%3A00%2B02%3A00&limit=5',
    '/api/v1/transactions/..%2Fa%2Fb%3Fc%23d?account=x',
  ]);
  await expect(client.getVault({ vault_id: '' })).rejects.toThrow('vault_id: nothing has this identifier');
  for (const id of ['.', '..', '~..', '...', '~a']) await client.getVault({ vault_id: id });
  expect(requests.slice(2)).toEqual(
    ['~.', '~..', '~~..', '...', '~a'].map((part) => `/api/v1/vaults/${part}`),
  );
});

test('the account of the client goes with every call that names none, but for the list of accounts', async () => {
  const { client, requests } = await fakeApi((_, response) => sendJson(response, pageOf([], null)), {
    account: 'acme',
  });
  await client.getHealth();
  await client.getHealth({ account: 'other' });
  await client.getHealth({ account: undefined });
  await client.listAccounts().page();
  expect(requests).toEqual([
    '/api/v1/health?account=acme',
    '/api/v1/health?account=other',
    '/api/v1/health?account=acme',
    '/api/v1/accounts',
  ]);
});

test('the key is sent as a bearer token, and a path of the base address is kept', async () => {
  const seen: (string | undefined)[] = [];
  const { url } = await fakeApi((request, response) => {
    seen.push(request.url, request.headers.authorization);
    sendJson(response, health);
  });
  for (const baseUrl of [`${url}/mirror/`, new URL(`${url}/mirror`)])
    await createClient({ baseUrl, key: 'cm_abc\n' }).getHealth();
  await createClient({ baseUrl: url }).getHealth();
  const below = ['/mirror/api/v1/health', 'Bearer cm_abc'];
  expect(seen).toEqual([...below, ...below, '/api/v1/health', undefined]);
});

test('faults that may pass are retried, and each is reported', async () => {
  const { client, requests, retries } = await fakeApi(
    after(
      (response) => response.destroy(),
      (response) => breakOff(response, health),
      (response) => cutShort(response, health),
      refuseWith(500),
      refuseWith(503),
      refuseWith(429, { 'retry-after': '0' }),
    ),
    { retry: { attempts: 7 } },
  );
  expect(await client.getHealth()).toEqual(health);
  expect(requests).toHaveLength(7);
  expect(retries.map(({ error }) => error.status)).toEqual([null, null, null, 500, 503, 429]);
});

test('what is tried again too often rejects with the last error, and what cannot pass with the first', async () => {
  const tooOften = await fakeApi((_, response) => refuseWith(503)(response));
  expect(await rejection(tooOften.client.getHealth())).toMatchObject({ status: 503, isTransient: true });
  expect(tooOften.requests).toHaveLength(4);
  for (const status of [400, 401, 403, 404, 406, 409, 410, 414]) {
    const { client, requests } = await fakeApi((_, response) => refuseWith(status)(response));
    const error = await rejection(client.getHealth());
    expect(error).toMatchObject({
      name: 'ApiError',
      status,
      problem: { code: 'some-code', detail: 'some detail', status },
      isTransient: false,
      message: `GET /api/v1/health: ${status} some-code: some detail`,
    });
    expect(requests).toHaveLength(1);
  }
});

test('Retry-After is waited for, in seconds or as a moment, and a long one rejects at once', async () => {
  const date = new Date(Date.UTC(2026, 0, 1));
  const { client, retries } = await fakeApi(
    after(
      refuseWith(429, { 'retry-after': '1' }),
      refuseWith(503, {
        date: date.toUTCString(),
        'retry-after': new Date(date.getTime() + 1000).toUTCString(),
      }),
    ),
    { retry: { greatestDelayMs: 2_000 } },
  );
  const began = performance.now();
  await client.getHealth();
  expect(performance.now() - began).toBeGreaterThan(1_990);
  expect(retries.every(({ delayMs }) => delayMs >= 1000 && delayMs < 1003)).toBe(true);
  const long = await fakeApi((_, response) => refuseWith(429, { 'retry-after': '3600' })(response));
  expect(await rejection(long.client.getHealth())).toMatchObject({ status: 429, retryAfterMs: 3_600_000 });
  expect(long.requests).toHaveLength(1);
});

test('waits grow, end at their bound, and are not the same for all', async () => {
  const delays = async (random: () => number) => {
    const { client, retries } = await fakeApi((_, response) => response.destroy(), {
      retry: { attempts: 6, firstDelayMs: 4, greatestDelayMs: 20, random },
    });
    await rejection(client.getHealth());
    return retries.map(({ delayMs }) => delayMs);
  };
  expect(await delays(() => 0)).toEqual([2, 4, 8, 10, 10]);
  expect(await delays(() => 1)).toEqual([4, 8, 16, 20, 20]);
});

test('no answer, an answer that stands still, and nobody who listens reject with status null', async () => {
  const silent = await fakeApi(() => undefined, { timeoutMs: 40, retry: { attempts: 1 } });
  expect(await rejection(silent.client.getHealth())).toMatchObject({
    status: null,
    isTransient: true,
    message: 'GET /api/v1/health: no complete response in time',
  });
  const stalls = await fakeApi(
    (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"account');
    },
    { timeoutMs: 40, retry: { attempts: 1 } },
  );
  expect((await rejection(stalls.client.getHealth())).message).toContain('no complete response in time');
  const nobody = createClient({ baseUrl: `http://127.0.0.1:${await freePort()}`, retry: { attempts: 1 } });
  expect((await rejection(nobody.getHealth())).message).toContain('(ECONNREFUSED)');
});

test('an abort ends a call at once, with its reason, in each of its waits', async () => {
  const ended = async (work: (signal: AbortSignal) => Promise<unknown>, onWait: Promise<unknown>) => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const rejected = expect(work(controller.signal)).rejects.toBe(reason);
    await onWait;
    controller.abort(reason);
    await rejected;
  };
  let arrived = () => {};
  const asked = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const silent = await fakeApi(() => arrived());
  await ended((signal) => silent.client.getHealth({}, { signal }), asked);
  let failed = () => {};
  const refused = new Promise<void>((resolve) => {
    failed = resolve;
  });
  const waiting = await fakeApi((_, response) => refuseWith(503)(response), {
    retry: { firstDelayMs: 600_000, greatestDelayMs: 600_000, onRetry: () => failed() },
  });
  await ended((signal) => waiting.client.getHealth({}, { signal }), refused);
  const { client, requests } = await fakeApi((_, response) => sendJson(response, health));
  await expect(client.getHealth({}, { signal: AbortSignal.abort('before') })).rejects.toBe('before');
  expect(requests).toEqual([]);
});

test('an answer that leads elsewhere, and one that is not the API’s, are reported as what they are', async () => {
  const elsewhere = await fakeApi(() => undefined);
  const leads = await fakeApi((_, response) => response.writeHead(302, { location: elsewhere.url }).end(), {
    key: 'cm_secret',
  });
  expect(await rejection(leads.client.getHealth())).toMatchObject({ status: 302, isTransient: false });
  expect(elsewhere.requests).toEqual([]);
  const page = await fakeApi((_, response) => response.setHeader('content-type', 'text/html').end('<p>'));
  expect(await rejection(page.client.getHealth())).toMatchObject({
    status: 200,
    isTransient: false,
    message: 'GET /api/v1/health: the response is not application/json; is this the address of a mirror?',
  });
  const odd = await fakeApi((_, response) => sendJson(response, { data: 'none' }));
  expect((await rejection(odd.client.listRuns().page())).message).toContain('not a page of a list');
  const plain = await fakeApi((_, response) => response.writeHead(401).end('go away'));
  expect(await rejection(plain.client.getHealth())).toMatchObject({
    status: 401,
    problem: null,
    message: 'GET /api/v1/health: 401',
  });
});

test('no error shows the key, and none its query, even where the server repeats them', async () => {
  const key = 'cm_verysecret';
  const { client } = await fakeApi(
    (request, response) =>
      sendProblem(response, 401, { code: 'x', detail: `no such key: ${request.headers.authorization}` }),
    { key },
  );
  const error = await rejection(client.listTransactions({ source_address: 'bc1private' }).page());
  expect(error.message).toBe('GET /api/v1/transactions: 401 x: no such key: Bearer …');
  const broken = await fakeApi((_, response) => response.destroy(), { key, retry: { attempts: 1 } });
  const shown = inspect(await rejection(broken.client.getTransaction({ transaction_id: 'private' })));
  expect(shown).not.toMatch(/verysecret|private/);
  expect(inspect(broken.client, { depth: 9, showHidden: true })).not.toContain(key);
  const wrong = ['http://me:verysecret@x', 'verysecret', 'ftp://verysecret', 'http://x?verysecret', ''];
  for (const baseUrl of wrong)
    expect(() => createClient({ baseUrl })).toThrow(/^(?!.*verysecret)baseUrl must/);
  for (const bad of ['very\nsecret', 'verysecret ü', ' '])
    expect(() => createClient({ baseUrl: 'http://x', key: bad })).toThrow(/^(?!.*secret)key must/);
});
