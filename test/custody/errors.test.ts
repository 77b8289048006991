import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isTransient, serviceFixes } from '../../src/domain/errors.ts';
import { clientOf, errorOf, failure, json, newCall, serve, testKey } from '../support/custody-service.ts';
import { newFolder } from '../support/folder.ts';
import { transactionRecord } from '../support/wire-records.ts';

const list = { transactions: [transactionRecord('t-1')] };

test('every documented code has one meaning, whatever the HTTP status; one of another endpoint has none', async () => {
  const kinds: Record<string, string> = {
    'ERR-01': 'transient',
    'ERR-02': 'key-rejected',
    'ERR-03': 'rate-limited',
  };
  let code: string = '';
  let status = 400;
  const service = await serve((_, response) => json(response, failure(code), status));
  for (code of Object.keys(serviceFixes)) {
    for (status of [200, 400, 404, 500]) {
      const { client } = clientOf(service, { retries: 0, retryMaxMs: 1 });
      if (code === 'TXN-02') {
        expect((await client.transactions({}, newCall())).items).toEqual([]);
        continue;
      }
      // ERR-03 is repeated more often than faults are; without waits here.
      const error = await errorOf(client.transactions({}, newCall()));
      const isForeign = !/^(ERR|TXN)/.test(code);
      expect(error.fault).toEqual({
        kind: isForeign ? 'transient' : (kinds[code] ?? 'permanent'),
        code: isForeign ? 'BAD-BODY' : code,
        endpoint: 'transactions',
        httpStatus: status,
        retryAfterMs: null,
      });
    }
  }
});

test('an unknown code is judged by the HTTP status, and by the status in the body under HTTP 200', async () => {
  const cases: readonly [number, string, string][] = [
    [400, '', 'permanent'],
    [401, '', 'key-rejected'],
    [403, '', 'permanent'],
    [408, '', 'transient'],
    [429, '', 'rate-limited'],
    [503, '', 'transient'],
    [200, '503', 'transient'],
    [200, '400', 'permanent'],
  ];
  let status = 0;
  let told = '';
  const service = await serve((_, response) =>
    json(response, { error_code: 'XYZ-77', error_message: 'new', code: told }, status),
  );
  for (const [caseStatus, caseTold, kind] of cases) {
    status = caseStatus;
    told = caseTold;
    const { client } = clientOf(service, { retries: 0 });
    const error = await errorOf(client.whitelist({}, newCall()));
    // A refused key has the code that health looks for.
    const code = kind === 'key-rejected' ? 'HTTP-401' : 'XYZ-77';
    expect(error.fault).toMatchObject({ kind, code });
    expect(error.message).toContain('XYZ-77');
  }
});

test.each(['0', '"0"', '"000"', '0.0', '""', '" "', 'null', 'false', '{}'])(
  'an error_code of %s says that there was no error',
  async (code) => {
    let status = 200;
    const body = () => `{"error_code":${code},"code":"200",${JSON.stringify(list).slice(1)}`;
    const service = await serve((_, response) => json(response, body(), status));
    const { client } = clientOf(service, { retries: 0 });
    expect((await client.transactions({}, newCall())).items).toMatchObject([{ key: 't-1' }]);
    status = 503;
    expect((await errorOf(client.transactions({}, newCall()))).fault).toMatchObject({
      kind: 'transient',
      code: 'HTTP-503',
    });
  },
);

test('an error_code that is a number other than 0 is an error', async () => {
  const service = await serve((_, response) => json(response, { error_code: 1001, ...list }));
  const { fault } = await errorOf(clientOf(service, { retries: 0 }).client.transactions({}, newCall()));
  expect(fault).toMatchObject({ kind: 'permanent', code: '1001' });
});

const html = '<html><body>Bad gateway</body></html>';
const answers: readonly [string, number, string, string | null, string, string][] = [
  ['HTML with 200', 200, html, 'text/html', 'transient', 'BAD-BODY'],
  ['HTML that claims to be JSON', 200, html, 'application/json', 'transient', 'BAD-BODY'],
  ['JSON as text/html', 200, JSON.stringify(list), 'text/html', 'transient', 'BAD-BODY'],
  ['half of a list', 200, JSON.stringify(list).slice(0, 300), 'application/json', 'transient', 'BAD-BODY'],
  ['nothing', 200, '', 'application/json', 'transient', 'BAD-BODY'],
  ['another envelope', 200, '{"items":[]}', 'application/json', 'transient', 'BAD-BODY'],
  ['a list that is no list', 200, '{"transactions":null}', 'application/json', 'transient', 'BAD-BODY'],
  ['a number', 200, '5', 'application/json', 'transient', 'BAD-BODY'],
  ['HTML with 400', 400, html, 'text/html', 'transient', 'BAD-BODY'],
  ['HTML with 502', 502, html, 'text/html', 'transient', 'HTTP-502'],
  ['HTML with 401', 401, html, 'text/html', 'key-rejected', 'HTTP-401'],
  [
    'another code with 401',
    401,
    JSON.stringify(failure('KEY-7')),
    'application/json',
    'key-rejected',
    'HTTP-401',
  ],
  ['HTML with 403', 403, html, 'text/html', 'permanent', 'HTTP-403'],
  ['HTML with 404', 404, html, 'text/html', 'permanent', 'HTTP-404'],
  ['other JSON with 404', 404, '{"error":"no route"}', 'application/json', 'permanent', 'HTTP-404'],
];
test.each(answers)('%s', async (_, status, body, type, kind, code) => {
  const service = await serve((_request, response) => {
    if (type !== null) response.setHeader('content-type', type);
    response.writeHead(status).end(body);
  });
  const { client } = clientOf(service, { retries: 0 });
  const error = await errorOf(client.transactions({}, newCall()));
  expect(error.fault).toMatchObject({ kind, code, httpStatus: status });
  if (status === 404) expect(error.message).toContain('CUSTODY_BASE_URL');
});

test('a request that begins when another was given up for want of the service is tried once', async () => {
  const clock = { ms: 0 };
  let isAway = true;
  const fetch: typeof globalThis.fetch = async (...request) => {
    if (isAway) throw new TypeError('fetch failed');
    return await globalThis.fetch(...request);
  };
  const service = await serve((_, response) => json(response, failure('ERR-01'), 400));
  const changes = { retries: 3, retryMinMs: 1, retryMaxMs: 1000 };
  const { client } = clientOf(service, changes, { fetch, monotonicMs: () => clock.ms });
  const requests = async () => {
    const call = newCall();
    await errorOf(client.transactions({}, call));
    return call.tally.requests;
  };
  expect(await requests()).toBe(4);
  expect(await requests()).toBe(1);
  clock.ms += 1000;
  expect(await requests()).toBe(4);
  // An answer, whatever it says, shows that the service is there again.
  isAway = false;
  expect(await requests()).toBe(1);
  expect(await requests()).toBe(4);
});

test('transient faults are repeated until the retries are used up, and counted as they happen', async () => {
  const service = await serve((_, response) => json(response, failure('ERR-01'), 400));
  const { client, metrics } = clientOf(service, { retries: 3 });
  const call = newCall();
  const error = await errorOf(client.transactions({}, call));
  expect(isTransient(error)).toBe(true);
  expect(call.tally).toEqual({ requests: 4, retries: 3, rateLimited: 0 });
  expect(service.requests).toHaveLength(4);
  expect((await metrics.retries.get()).values).toEqual([{ labels: { endpoint: 'transactions' }, value: 3 }]);
  expect((await metrics.requests.get()).values).toEqual([
    { labels: { endpoint: 'transactions', outcome: 'transient' }, value: 4 },
  ]);
});

test('a fault that passes leaves no trace in the result', async () => {
  const service = await serve((_, response, number) => {
    if (number === 1) json(response, failure('ERR-01'), 400);
    else if (number === 2) response.socket?.destroy();
    else if (number === 3) json(response, failure('ERR-03'), 429);
    else if (number === 4) response.writeHead(502).end('bad gateway');
    else json(response, list);
  });
  const { client } = clientOf(service);
  const call = newCall();
  expect((await client.transactions({}, call)).items).toHaveLength(1);
  expect(call.tally).toEqual({ requests: 5, retries: 4, rateLimited: 1 });
});

test('a permanent refusal is not repeated', async () => {
  const service = await serve((_, response) => json(response, failure('TXN-03'), 400));
  const { client } = clientOf(service);
  expect((await errorOf(client.transactions({}, newCall()))).fault.code).toBe('TXN-03');
  expect(service.requests).toHaveLength(1);
});

test('a refused rate does not use up the retries of faults, and is repeated a bounded number of times', async () => {
  const patient = await serve((_, response, number) =>
    number <= 4 ? json(response, failure('ERR-03'), 429) : json(response, list),
  );
  const call = newCall();
  await clientOf(patient, { retries: 1, rateLimit: 'auto' }).client.transactions({}, call);
  expect(call.tally).toEqual({ requests: 5, retries: 4, rateLimited: 4 });

  const endless = await serve((_, response) => json(response, failure('ERR-03'), 429));
  const error = await errorOf(clientOf(endless, { retries: 1 }).client.transactions({}, newCall()));
  expect(error.fault.kind).toBe('rate-limited');
  expect(endless.requests).toHaveLength(11);
});

test('the key is in no log line, metric or error, whatever happens to a request', async () => {
  const service = await serve((request, response, number) => {
    if (number % 3 === 0) response.writeHead(500).end(`key ${testKey}`);
    else if (number % 3 === 1) json(response, failure('ERR-01', String(request.headers['x-api-key'])), 400);
    else response.writeHead(302, { location: `http://other.example/?key=${testKey}` }).end();
  });
  const { client, logLines, metrics } = clientOf(service);
  const faults = await Promise.all([
    errorOf(client.transactions({}, newCall(), { source_address: testKey })),
    errorOf(client.whitelist({}, newCall())),
    errorOf(client.vault('v', newCall())),
  ]);
  const messages = faults.map((fault) => String(fault.stack));
  expect(logLines.join('\n')).toContain('request sent');
  for (const text of [...messages, logLines.join('\n'), await metrics.registry.metrics()])
    expect(text).not.toContain(testKey);
});

test('a refused key is tried once per endpoint, then not before the time to probe, until it works again', async () => {
  let works = false;
  let now = 0;
  const service = await serve((_, response) =>
    works ? json(response, { ...list, whitelist: [] }) : json(response, failure('ERR-02', '', 401), 401),
  );
  const { client, metrics } = clientOf(service, {}, { keyProbeMs: 1000, monotonicMs: () => now });
  const rejectedAt = async () =>
    (await metrics.keyRejected.get()).values
      .filter(({ value }) => value === 1)
      .map(({ labels }) => labels.endpoint);

  const together = Array.from({ length: 8 }, () => errorOf(client.transactions({}, newCall())));
  expect((await Promise.all(together)).map(({ fault }) => fault.kind)).toEqual(Array(8).fill('key-rejected'));
  expect(service.requests).toHaveLength(1);
  await errorOf(client.whitelist({}, newCall()));
  await errorOf(client.whitelist({}, newCall()));
  expect(service.requests).toHaveLength(2);
  expect(await rejectedAt()).toEqual(['transactions', 'whitelist']);
  const backedOff = () =>
    (['transactions', 'balances'] as const).map((resource) => client.isKeyBackedOff(resource));
  expect(backedOff()).toEqual([true, false]);

  now = 1000;
  expect(backedOff()).toEqual([false, false]);
  await Promise.all([
    errorOf(client.transactions({}, newCall())),
    errorOf(client.transactions({}, newCall())),
  ]);
  expect(service.requests).toHaveLength(3);
  expect(backedOff()).toEqual([true, false]);
  now = 2000;
  works = true;
  expect((await client.transactions({}, newCall())).items).toHaveLength(1);
  expect((await client.whitelist({}, newCall())).items).toEqual([]);
  expect(await rejectedAt()).toEqual([]);
  expect(backedOff()).toEqual([false, false]);
});

test('an endpoint that refuses the key for good lengthens no wait of another, which works again after its own', async () => {
  let now = 0;
  let refuses = false;
  const minute = 60_000;
  const service = await serve(({ url }, response) =>
    refuses || url === '/whitelist'
      ? json(response, failure('ERR-02', '', 401), 401)
      : json(response, { ...list, vaults: [] }),
  );
  const { client, metrics } = clientOf(service, {}, { monotonicMs: () => now });
  const asked = (path: string) => service.requests.filter((url) => url === path).length;
  const read = () => client.transactions({}, newCall()).catch(() => null);

  // Hours of a whitelist that is refused, asked for every minute: the wait between two tries grows to a
  // quarter of an hour.
  for (; now < 600 * minute; now += minute) await errorOf(client.whitelist({}, newCall()));
  const tries = asked('/whitelist');
  expect(tries).toBeLessThan(600 / 15 + 10);
  expect(await read()).not.toBeNull();

  refuses = true;
  expect(await read()).toBeNull();
  refuses = false;
  expect(client.isKeyBackedOff('transactions')).toBe(true);
  now += minute;
  expect(client.isKeyBackedOff('transactions')).toBe(false);
  expect(await read()).not.toBeNull();
  // What an accepted key changes for the whitelist is one try, not the wait between tries.
  for (let turn = 0; turn < 10; turn += 1, now += minute) await errorOf(client.whitelist({}, newCall()));
  expect(asked('/whitelist')).toBe(tries + 1);
  const shown = (await metrics.keyRejected.get()).values.filter(({ value }) => value === 1);
  expect(shown).toMatchObject([{ labels: { endpoint: 'whitelist' } }]);
});

test('a call with a refused key fails without waiting for the turn that it would not use', async () => {
  const service = await serve((_, response) => json(response, failure('ERR-02', '', 401), 401));
  const { client } = clientOf(service, { rateLimit: 0.0001 });
  for (let count = 0; count < 3; count += 1)
    expect((await errorOf(client.transactions({}, newCall()))).fault.kind).toBe('key-rejected');
  expect(service.requests).toHaveLength(1);
});

test('a key that was refused is read again from its file, and one that works is used at once', async () => {
  const keyFile = join(newFolder(), 'key');
  const newKey = 'the-new-key-0123456789';
  const service = await serve(({ headers }, response) =>
    headers['x-api-key'] === newKey
      ? json(response, list)
      : json(response, failure('ERR-02', String(headers['x-api-key']), 401), 401),
  );
  const { client, logLines } = clientOf(service, { keyFile }, { keyProbeMs: 60_000 });
  const sentKeys = () => service.headers.map((headers) => headers['x-api-key']);
  const refusal = async () => (await errorOf(client.transactions({}, newCall()))).fault.kind;

  // The file is not there, then it holds the same key, then half a line that no header carries: nothing is
  // tried again.
  expect(await refusal()).toBe('key-rejected');
  expect(await refusal()).toBe('key-rejected');
  for (const text of [`${testKey}\n`, 'two\nlines', '']) {
    await writeFile(keyFile, text);
    expect(await refusal()).toBe('key-rejected');
  }
  expect(sentKeys()).toEqual([testKey]);
  expect(client.isKeyBackedOff('transactions')).toBe(true);

  // Another that is refused as well gets one try; then the right one.
  await writeFile(keyFile, 'another-key-that-is-wrong');
  expect(await refusal()).toBe('key-rejected');
  expect(await refusal()).toBe('key-rejected');
  await writeFile(keyFile, `${newKey}\n`);
  expect(client.isKeyBackedOff('transactions')).toBe(false);
  expect((await client.transactions({}, newCall())).items).toHaveLength(1);
  expect(sentKeys()).toEqual([testKey, 'another-key-that-is-wrong', newKey]);
  for (const secret of [testKey, newKey, 'another-key-that-is-wrong'])
    expect(logLines.join('\n')).not.toContain(secret);
});
