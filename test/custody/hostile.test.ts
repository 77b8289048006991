// A service that means harm: bodies that trickle for ever, nest without end or hold
// numbers nobody can count, and headers without measure. Each ends in a typed error or in records, within the
// bounds of one attempt.
import { expect, test } from 'vitest';
import { parseConfig } from '../../src/base/config/config.ts';
import { createMetrics } from '../../src/base/metrics.ts';
import { readPage } from '../../src/custody/answers.ts';
import { endpoints } from '../../src/custody/endpoints.ts';
import { createForeignText } from '../../src/custody/http/foreign-text.ts';
import { clientOf, errorOf, json, newCall, serve } from '../support/custody-service.ts';
import { transactionRecord } from '../support/wire-records.ts';

const record = transactionRecord('t-1');

test('a body that trickles without end is given up with the attempt, however regularly it comes', async () => {
  const service = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"transactions":[');
    const timer = setInterval(() => response.write(' '), 10);
    response.on('close', () => clearInterval(timer));
  });
  const { client } = clientOf(service, { retries: 0, timeoutMs: 300 });
  expect((await errorOf(client.transactions({}, newCall()))).fault).toMatchObject({ code: 'TIMEOUT' });
});

test('headers without measure are a fault of the network', async () => {
  const service = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'x-filler': 'x'.repeat(200_000) });
    response.end('{"transactions":[]}');
  });
  const { client } = clientOf(service, { retries: 0 });
  expect((await errorOf(client.transactions({}, newCall()))).fault).toMatchObject({
    kind: 'transient',
    code: 'NETWORK',
  });
});

const nested = (depth: number) => `${'[{"a":'.repeat(depth)}0${'}]'.repeat(depth)}`;

test.each([
  { what: 'an error code that is nested', body: `{"error_code":${nested(200_000)}}` },
  {
    what: 'special keys for an envelope',
    body: '{"__proto__":{"transactions":[]},"constructor":{"prototype":{}}}',
  },
  { what: 'a list that is a number', body: `{"transactions":${'9'.repeat(100_000)}}` },
])('$what is no list of transactions', async ({ body }) => {
  const service = await serve((_, response) => json(response, body));
  const { client } = clientOf(service, { retries: 0 });
  const { fault, message } = await errorOf(client.transactions({}, newCall()));
  expect(fault).toMatchObject({ code: 'BAD-BODY' });
  expect(message.length).toBeLessThan(1_000);
  expect(Object.prototype).not.toHaveProperty('transactions');
});

test('an answer of more records than the greatest page is refused, and says why', async () => {
  const service = await serve((_, response) =>
    json(response, `{"transactions":[${'{},'.repeat(200_000)}{}]}`),
  );
  const { client } = clientOf(service, { retries: 0 });
  const { fault, message } = await errorOf(client.transactions({}, newCall()));
  expect(fault).toMatchObject({ kind: 'permanent', code: 'BODY-TOO-LARGE' });
  expect(message).toContain('the answer holds more than 100000 records');
});

test('what cannot be read stands next to what can', async () => {
  const records = [
    JSON.stringify(record),
    nested(200_000),
    JSON.stringify(transactionRecord('t-2')).replace(/"amount":"[^"]*"/, `"amount":${'9'.repeat(200_000)}`),
    JSON.stringify(transactionRecord('t-3')).replace(/"amount":"[^"]*"/, '"amount":1e999999999'),
    JSON.stringify(transactionRecord('t-4')).replace(
      /"amount":"[^"]*"/,
      `"amount":"${'1'.repeat(1_000_000)}"`,
    ),
    JSON.stringify(transactionRecord('t-5')).replace('{', '{"__proto__":{"status":"completed"},'),
    JSON.stringify(transactionRecord('t-6')).replace('{', '{"transaction_id":"another",'),
  ];
  const service = await serve((_, response) => json(response, `{"transactions":[${records.join(',')}]}`));
  const { client } = clientOf(service);
  const { items } = await client.transactions({}, newCall());
  expect(items.map((item) => [item.kind, item.key === item.hash ? null : item.key])).toEqual([
    ['record', 't-1'],
    ['undecodable', null],
    ['undecodable', 't-2'],
    ['undecodable', 't-3'],
    ['undecodable', 't-4'],
    ['record', 't-5'],
    // Of a key that stands twice the last counts, as everywhere in JavaScript.
    ['record', 't-6'],
  ]);
  expect(Object.prototype).not.toHaveProperty('status');
});

/** Reads an answer of some 12 MB, as it was received. */
function readLong(signal: AbortSignal) {
  const env = { DATABASE_URL: 'postgres://h/d', CUSTODY_BASE_URL: 'https://h', CUSTODY_API_KEY: 'key' };
  const config = parseConfig({ isTerminal: false, env }).custody;
  const records = Array.from({ length: 20_000 }, (_, index) => transactionRecord(`t-${index}`));
  const body = Buffer.from(JSON.stringify({ transactions: records }));
  const headers = new Headers({ 'content-type': 'application/json' });
  const answer = { body, status: 200, headers, beganAt: 0, arrivedAt: 0 };
  const tools = { config, metrics: createMetrics(), foreign: createForeignText(() => [config.key]) };
  const asked = { rules: config.documents };
  return readPage(endpoints.transactions, asked, answer, { ...tools, signal, isBelieved: () => false });
}

test('the records of a long answer are decoded in slices: the event loop goes on, and an abort ends it', async () => {
  let turns = 0;
  const count = setInterval(() => {
    turns += 1;
  }, 0);
  const stopping = new AbortController();
  expect((await readLong(stopping.signal)).result.items).toHaveLength(20_000);
  clearInterval(count);
  // A slice takes ten milliseconds, and no machine decodes these in thirty.
  expect(turns).toBeGreaterThan(3);
  const reading = readLong(stopping.signal);
  setImmediate(() => stopping.abort(new Error('stopping')));
  await expect(reading).rejects.toThrow('stopping');
});
