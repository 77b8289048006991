import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { clientOf, errorOf, failure, json, newCall, serve, testKey } from '../../support/custody-service.ts';
import { transactionRecord } from '../../support/wire-records.ts';

const list = { transactions: [transactionRecord('t-1')] };

const faultOf = async (work: Promise<unknown>) => (await errorOf(work)).fault;

test('a body beyond the cap is refused, with or without a length; an error beyond it is read by its status', async () => {
  const big = JSON.stringify({ transactions: [transactionRecord('t-1', { padding: 'x'.repeat(200_000) })] });
  const service = await serve((_, response, number) => {
    if (number === 1) json(response, big, 200, { 'content-length': big.length });
    else if (number === 2) json(response, big);
    else json(response, big, 500);
  });
  const { client } = clientOf(service, { retries: 0 }, { maxBodyBytes: 100_000 });
  const tooLarge = { kind: 'permanent', code: 'BODY-TOO-LARGE' };
  expect(await faultOf(client.transactions({}, newCall()))).toMatchObject(tooLarge);
  expect(await faultOf(client.transactions({}, newCall()))).toMatchObject(tooLarge);
  expect(await faultOf(client.transactions({}, newCall()))).toMatchObject({
    kind: 'transient',
    code: 'HTTP-500',
  });
});

test('1xx before an answer are skipped', async () => {
  const service = await serve((_, response) => {
    response.writeProcessing();
    response.writeEarlyHints({ link: '</style.css>; rel=preload' });
    json(response, list);
  });
  const { client } = clientOf(service, { retries: 0 });
  expect((await client.transactions({}, newCall())).items).toHaveLength(1);
});

test('of 1xx, a 100 that was not asked for ends the attempt, and the next one is answered', async () => {
  const service = await serve((_, response, number) => {
    if (number !== 2) response.writeContinue();
    json(response, list);
  });
  const { client } = clientOf(service, { retries: 1 });
  const call = newCall();
  expect((await client.transactions({}, call)).items).toHaveLength(1);
  expect(call.tally).toMatchObject({ requests: 2, retries: 1 });
  expect(service.connections).toBe(2);
  const { client: once } = clientOf(service, { retries: 0 });
  const { fault, message } = await errorOf(once.transactions({}, newCall()));
  expect(fault).toMatchObject({ kind: 'transient', code: 'NETWORK' });
  expect(message).toMatch(/bad response/);
});

test.each([
  { encoding: 'gzip', encode: gzipSync },
  { encoding: 'x-gzip', encode: gzipSync },
  { encoding: 'identity', encode: (text: Buffer) => text },
  { encoding: 'utf-8', encode: (text: Buffer) => text },
])('a body in $encoding is read, and refused beyond the cap', async ({ encoding, encode }) => {
  const service = await serve((_, response, number) => {
    const text = JSON.stringify({ ...list, padding: 'x'.repeat(number === 1 ? 0 : 200_000) });
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding });
    response.end(encode(Buffer.from(text)));
  });
  const { client } = clientOf(service, { retries: 0 }, { maxBodyBytes: 100_000 });
  expect((await client.transactions({}, newCall())).items).toHaveLength(1);
  expect(await faultOf(client.transactions({}, newCall()))).toMatchObject({ code: 'BODY-TOO-LARGE' });
});

test('a body in an encoding that was not asked for is no answer: read as it is, it may look like an empty list', async () => {
  const service = await serve((_, response) =>
    json(response, { qngn: [] }, 200, { 'content-encoding': 'rot13' }),
  );
  const { client } = clientOf(service, { retries: 0 });
  await expect(client.whitelist({}, newCall())).rejects.toThrow(/NETWORK.*encoding.*rot13/);
});

test('an error whose body cannot be unpacked is read by its status and headers', async () => {
  const service = await serve((request, response) => {
    const status = request.url?.startsWith('/whitelist') ? 401 : 429;
    json(response, {}, status, { 'content-encoding': 'br', 'retry-after': '7' });
  });
  const { client } = clientOf(service, { retries: 0 });
  expect(await faultOf(client.whitelist({}, newCall()))).toMatchObject({ kind: 'key-rejected' });
  const refused = await faultOf(client.transactions({}, newCall()));
  expect(refused).toMatchObject({ kind: 'rate-limited', retryAfterMs: 7_000 });
});

test('one connection serves request after request', async () => {
  const service = await serve((_, response) => json(response, list));
  const { client } = clientOf(service);
  for (let count = 0; count < 5; count += 1) await client.transactions({}, newCall());
  expect(service.connections).toBe(1);
});

test('a redirect within the origin is followed with the key, three times at most', async () => {
  const service = await serve((request, response) => {
    const step = Number(new URL(request.url ?? '', 'http://service').searchParams.get('step') ?? '0');
    if (request.url?.startsWith('/whitelist')) response.writeHead(307, { location: '/whitelist' }).end();
    else if (step < 3) response.writeHead(302, { location: `/moved?step=${step + 1}` }).end();
    else json(response, list);
  });
  const { client } = clientOf(service);
  const call = newCall();
  expect((await client.transactions({}, call)).items).toHaveLength(1);
  expect(call.tally.requests).toBe(4);
  expect(service.headers[3]?.['x-api-key']).toBe(testKey);
  expect(await faultOf(client.whitelist({}, newCall()))).toMatchObject({
    kind: 'permanent',
    code: 'REDIRECT',
  });
  expect(service.requests).toHaveLength(8);
});

test('a redirect to another origin is not followed', async () => {
  const other = await serve((_, response) => json(response, list));
  const service = await serve((_, response) =>
    response.writeHead(302, { location: new URL('/transactions', other.url).href }).end(),
  );
  const { client } = clientOf(service);
  await expect(client.transactions({}, newCall())).rejects.toThrow(
    /REDIRECT.*another origin.*CUSTODY_BASE_URL/,
  );
  expect(other.requests).toEqual([]);
  expect(service.requests).toHaveLength(1);
});

test('the key goes into the configured header behind the configured prefix', async () => {
  const service = await serve((_, response) => json(response, list));
  const { client } = clientOf(service, { keyHeader: 'authorization', keyPrefix: 'Bearer ' });
  await client.transactions({}, newCall());
  const asked = { accept: 'application/json', 'user-agent': 'custody-mirror' };
  expect(service.headers[0]).toMatchObject({ authorization: `Bearer ${testKey}`, ...asked });
  expect(service.headers[0]?.['x-api-key']).toBeUndefined();
});

test('an id stays one segment of the path; one that cannot is refused before it is sent', async () => {
  const service = await serve(({ url = '' }, response) => {
    const id = decodeURIComponent(url.split('/').at(-1) ?? '');
    json(response, { transactions: [transactionRecord(id)] });
  });
  const { client } = clientOf({ url: new URL('/api/', service.url) });
  for (const id of ['a/b', '../x', 'ü?#%2e', '$&', '...']) await client.transaction(id, newCall());
  expect(service.requests).toEqual([
    '/api/transactions/a%2Fb',
    '/api/transactions/..%2Fx',
    '/api/transactions/%C3%BC%3F%23%252e',
    '/api/transactions/%24%26',
    '/api/transactions/...',
  ]);
  for (const id of ['', '.', '..', '\ud800']) {
    expect(await faultOf(client.vault(id, newCall()))).toMatchObject({ kind: 'permanent', code: 'BAD-ID' });
  }
  expect(service.requests).toHaveLength(5);
});

test('an aborted call rejects with the reason of its signal, in flight and between attempts', async () => {
  const controller = new AbortController();
  const reason = new Error('enough');
  const arrived: (() => void)[] = [];
  const service = await serve(() => {
    for (const tell of arrived.splice(0)) tell();
  });
  const { client } = clientOf(service);
  const inFlight = client.transactions({}, newCall({ signal: controller.signal }));
  await new Promise<void>((resolve) => arrived.push(resolve));
  controller.abort(reason);
  await expect(inFlight).rejects.toBe(reason);
  await expect(client.transactions({}, newCall({ signal: controller.signal }))).rejects.toBe(reason);

  const failing = await serve((_, response) => response.writeHead(500).end());
  const between = new AbortController();
  const { client: waiting, logLines } = clientOf(failing, { retryMinMs: 60_000, retryMaxMs: 60_000 });
  const aborted = expect(waiting.transactions({}, newCall({ signal: between.signal }))).rejects.toBe(reason);
  await expect.poll(() => logLines.join('')).toContain('request failed, will retry');
  between.abort(reason);
  await aborted;
  expect(failing.requests).toHaveLength(1);
});

test('closing rejects what is under way and whatever comes later', async () => {
  const arrived: (() => void)[] = [];
  const service = await serve(() => {
    for (const tell of arrived.splice(0)) tell();
  });
  const { client } = clientOf(service);
  const works = [client.transactions({}, newCall()), client.transactions({}, newCall())];
  const rejected = works.map((work) => expect(work).rejects.toMatchObject({ name: 'AbortError' }));
  await new Promise<void>((resolve) => arrived.push(resolve));
  await client.close();
  await Promise.all(rejected);
  await expect(client.transactions({}, newCall())).rejects.toMatchObject({ name: 'AbortError' });
  expect(service.requests).toHaveLength(1);
});

test('many calls on one signal raise no warning about listeners', async () => {
  const warnings: Error[] = [];
  const listen = (warning: Error) => void warnings.push(warning);
  process.on('warning', listen);
  onTestFinished(() => void process.off('warning', listen));
  const service = await serve((_, response) => json(response, list));
  const { client } = clientOf(service, { maxConcurrency: 16 });
  const call = newCall();
  await Promise.all(Array.from({ length: 40 }, () => client.transactions({}, call)));
  await new Promise((resolve) => setImmediate(resolve));
  expect(warnings).toEqual([]);
});

test('a transaction is read by either spelling of the path, and the one that works is learned', async () => {
  const service = await serve((request, response) => {
    if (request.url?.startsWith('/transaction/known'))
      json(response, { transactions: [transactionRecord('known')] });
    else if (request.url?.startsWith('/transaction/'))
      json(response, { error_code: 'TXN-04', error_message: 'Invalid transaction id' }, 400);
    else json(response, { message: 'no such route' }, 404);
  });
  const first = clientOf(service);
  expect((await first.client.transaction('known', newCall())).items).toHaveLength(1);
  expect((await first.client.transaction('unknown', newCall())).items).toEqual([]);
  expect(service.requests).toEqual(['/transactions/known', '/transaction/known', '/transaction/unknown']);
  expect(first.facts).toMatchObject([{ fact: 'transaction_path', value: 'singular' }]);

  const second = clientOf(service, {}, { facts: new Map([['transaction_path', 'singular']]) });
  await second.client.transaction('known', newCall());
  expect(service.requests.slice(3)).toEqual(['/transaction/known']);
  expect(second.facts).toEqual([]);
});

test('where neither spelling is there, the fault points at the base address', async () => {
  const service = await serve((_, response, number) =>
    response.writeHead(number === 1 ? 404 : 405).end('not found'),
  );
  await expect(clientOf(service).client.transaction('t', newCall())).rejects.toThrow(/CUSTODY_BASE_URL/);
  expect(service.requests).toHaveLength(2);
});

test('each list is asked for by type, page and filter, and the code of one without records is an empty page', async () => {
  const codes: Readonly<Record<string, string>> = {
    '/vaults?vault_type=warm&limit=10&offset=20': 'VAL-01',
    '/vaults/x': 'VAL-02',
    '/balances/cold?asset_id=BTC': 'BAL-01',
  };
  const service = await serve(({ url = '' }, response) =>
    json(response, failure(codes[url] ?? 'ERR-00'), 400),
  );
  const { client } = clientOf(service);
  const pages = [
    await client.vaults('warm', { limit: 10, offset: 20 }, newCall()),
    await client.vault('x', newCall()),
    await client.balances('cold', {}, newCall(), 'BTC'),
  ];
  expect(pages.map(({ items }) => items)).toEqual([[], [], []]);
});
