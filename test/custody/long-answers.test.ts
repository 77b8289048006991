// Long answers are decoded in slices: between them, everything else of the process goes on.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseConfig } from '../../src/base/config/config.ts';
import { createTurns } from '../../src/base/loop.ts';
import { createMetrics } from '../../src/base/metrics.ts';
import { type ExactJson, parseExactly } from '../../src/custody/decode/exact-json.ts';
import { type AnswerBody, parseAnswer } from '../../src/custody/decode/long-answers.ts';
import { endpoints } from '../../src/custody/endpoints.ts';
import { createForeignText } from '../../src/custody/http/foreign-text.ts';
import { readPage } from '../../src/custody/pages.ts';
import { transactionRecord } from '../support/wire-records.ts';

const budget = { bytes: 1_000_000, members: 10_000, depth: 100 };
const filled = (unit: string) => unit.repeat(Math.floor(12_000_000 / unit.length));
const listOf = (records: string) => `{"transactions":[${records}]}`;
const long = {
  records: listOf(`${filled(`${JSON.stringify(transactionRecord('t-1'))},`)}{}`),
  'records with numbers': listOf(`${filled(`{"transaction_id":"t-1","n":1,"x":"${'x'.repeat(500)}"},`)}{}`),
  'one text': listOf(`{"x":"${filled('x')}"}`),
  escapes: listOf(`{"x":"${filled('\\"')}"}`),
  'one array': listOf(`{"x":[${filled('1,')}1]}`),
  nesting: listOf(filled('[') + filled(']')),
};

test.each(Object.entries(long))(
  'an answer of %s is decoded in many turns of the event loop',
  async (_, text) => {
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    count();
    await page(text, new AbortController().signal).finally(() => {
      isDone = true;
    });
    // A slice takes ten milliseconds, and no machine scans these texts in twice that.
    expect(turns).toBeGreaterThan(3);
  },
);

test('an abort ends the decoding of a long answer', async () => {
  const stopping = new AbortController();
  const reading = page(long.records, stopping.signal);
  setImmediate(() => stopping.abort(new Error('stopping')));
  await expect(reading).rejects.toThrow('stopping');
});

test('an answer that is parsed in parts is the same, at whatever length parts begin', async () => {
  const { signal } = new AbortController();
  const member = fc.oneof(fc.jsonValue(), fc.constantFrom('\u{e000}1', 'a"]},\\', 7.25, '\ud800'));
  const text = fc
    .tuple(fc.array(member), fc.jsonValue(), fc.constantFrom(undefined, ' ', 2))
    .map(([records, other, space]) => JSON.stringify({ other, transactions: records, last: 1 }, null, space));
  await fc.assert(
    fc.asyncProperty(fc.oneof(text, fc.json()), fc.boolean(), async (json, isBroken) => {
      const body = isBroken ? json.replace(/[}\]]/, ',') : json;
      const whole = attempt(() => parseExactly(body, true));
      const parts = await parseAnswer(Buffer.from(body), budget, createTurns(signal), 0).catch(() => null);
      expect(shown(parts && attempt(() => built(parts)))).toEqual(shown(whole));
    }),
  );
});

test('a long answer that is one record and no list has the record whole', async () => {
  const { signal } = new AbortController();
  const bare = JSON.stringify({ vault_id: 'v', assets: [{ asset_id: 'BTC', balances: [{ n: '1' }] }, {}] });
  const { value, read } = await parseAnswer(Buffer.from(bare), budget, createTurns(signal), 0);
  expect(read(value)).toEqual(parseExactly(bare, true).value);
});

test('a record that is an array stays unread too, however deep it is nested', async () => {
  const { signal } = new AbortController();
  const deep = `${'['.repeat(4_000)}${']'.repeat(4_000)}`;
  const body = Buffer.from(`{"transactions":[${deep},{"transaction_id":"t"}]}`);
  const { value, read } = await parseAnswer(body, budget, createTurns(signal), 0);
  const [first, second] = (value as { transactions: readonly unknown[] }).transactions;
  expect(Array.isArray(first)).toBe(false);
  expect(Array.isArray(read(first))).toBe(true);
  expect(read(second)).toEqual({ transaction_id: 't' });
});

/** Each record is read. */
function built({ value, read, ...rest }: AnswerBody): ExactJson {
  const whole = (node: unknown): unknown => {
    const found = read(node);
    if (Array.isArray(found)) return found.map(whole);
    if (typeof found !== 'object' || found === null) return found;
    return Object.fromEntries(Object.entries(found).map(([name, member]) => [name, whole(member)]));
  };
  return { value: whole(value), ...rest };
}

/**
 * Marks are drawn at random, of a long answer also where it holds no number, and any backslash in one says
 * that it may hold what cannot be stored.
 */
function shown(body: ExactJson | null): string {
  const text = JSON.stringify(
    body && {
      ...body,
      mark: undefined,
      oversized: undefined,
      hasTooMany: undefined,
      mayHoldUnstorable: undefined,
    },
  );
  return body?.mark ? text.replaceAll(body.mark, 'M') : text;
}

function attempt<Value>(make: () => Value): Value | null {
  try {
    return make();
  } catch {
    return null;
  }
}

function page(text: string, signal: AbortSignal) {
  const env = { DATABASE_URL: 'postgres://h/d', CUSTODY_BASE_URL: 'https://h', CUSTODY_API_KEY: 'key' };
  const config = parseConfig({ isTerminal: false, env }).custody;
  const foreign = createForeignText(() => [config.key]);
  const headers = new Headers({ 'content-type': 'application/json' });
  const now = Date.now();
  const answer = { body: Buffer.from(text), status: 200, headers, beganAt: now, arrivedAt: now };
  const tools = { config, metrics: createMetrics(), foreign };
  return readPage(endpoints.transactions, { rules: config.documents }, answer, {
    ...tools,
    signal,
    isRepeated: false,
  });
}
