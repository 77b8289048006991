// Answers with bytes that are not UTF-8: the records that hold them are set aside with what came, each apart
// from every other, and their neighbours are read.
import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeUtf8, withoutByteOrderMark } from '../../../src/custody/decode/utf8.ts';
import { clientOf, errorOf, newCall, serve } from '../../support/custody-service.ts';
import { transactionRecord } from '../../support/wire-records.ts';

/** The text with `<ff>` and the like as single bytes. */
function bytesOf(text: string): Buffer {
  const parts = text.split(/<([0-9a-f]{2})>/);
  return Buffer.concat(parts.map((part, index) => Buffer.from(part, index % 2 === 0 ? 'utf8' : 'hex')));
}

async function read(...records: readonly unknown[]) {
  const body = bytesOf(JSON.stringify({ transactions: records }));
  const service = await serve((_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(body),
  );
  const { client, tolerated } = clientOf(service, { retries: 0 });
  const { items } = await client.transactions({}, newCall());
  return { items, tolerated: await tolerated() };
}

const reason = 'the record holds bytes that are not UTF-8';

test('ids that differ only in a byte that is not UTF-8 stay two records, set aside, next to those that can be read', async () => {
  const { items, tolerated } = await read(
    transactionRecord('before'),
    transactionRecord('a<ff>'),
    transactionRecord('a<fe>'),
    transactionRecord('a\ufffd'),
    transactionRecord('after'),
  );
  expect(items.map((item) => [item.kind, item.kind === 'record' ? item.key : item.reason])).toEqual([
    ['record', 'before'],
    ['undecodable', reason],
    ['undecodable', reason],
    ['record', 'a\ufffd'],
    ['record', 'after'],
  ]);
  expect(new Set(items.map((item) => item.key)).size).toBe(5);
  const texts = items.map((item) => (item.kind === 'record' ? null : JSON.parse(item.raw).transaction_id));
  expect(texts).toEqual([null, 'a\\xff', 'a\\xfe', null, null]);
  expect(tolerated).toEqual({ 'invalid-utf8': 1 });
});

test('a record keeps its id where only another text is spoilt, unknown fields and names of fields included', async () => {
  const { items } = await read(
    { ...transactionRecord('t-1'), unknown: [{ deep: '<c3>(' }] },
    { ...transactionRecord('t-2'), 'na<80>me': 1.5 },
    { ...transactionRecord('t-3'), status: 'comp<e2><82>leted' },
  );
  expect(items.map((item) => [item.kind, item.key])).toEqual([
    ['undecodable', 't-1'],
    ['undecodable', 't-2'],
    ['undecodable', 't-3'],
  ]);
  const raws = items.map((item) => (item.kind === 'record' ? '' : item.raw));
  expect(raws[0]).toContain('{"deep":"\\\\xc3("}');
  expect(raws[1]).toContain('"na\\\\x80me":1.5');
  expect(raws[2]).toContain('"comp\\\\xe2\\\\x82leted"');
});

test('a byte, its escape written out, and the surrogate it could be taken for are three things', async () => {
  const { items } = await read(...['<ff>', '\\xff', '\udcff', 'x\\<ff>', 'x<ff>\\'].map((id) => ({ id })));
  expect(items.map((item) => item.kind)).toEqual(Array(5).fill('undecodable'));
  expect(new Set(items.map((item) => item.key)).size).toBe(5);
});

test('the key of a spoilt record does not depend on what else stands on its page', async () => {
  const alone = await read({ id: 'a<ff>', b: 1 });
  const among = await read({ id: '\ue000\ue001' }, { b: 1, id: 'a<ff>' }, { id: '\ue002<ff>' });
  expect(among.items[1]?.key).toBe(alone.items[0]?.key);
});

test('records that are no objects are set aside alike', async () => {
  const { items } = await read('<ff>', '<fe>', ['<ff>']);
  expect(new Set(items.map((item) => item.key)).size).toBe(3);
});

test('bytes outside of any text, and a body that is mostly no text, are no answer', async () => {
  const bodies = [
    bytesOf('{"transactions":[<ff>]}'),
    Buffer.concat([Buffer.from('["'), Buffer.alloc(200_000, 0xff), Buffer.from('"]')]),
  ];
  const service = await serve((_, response, number) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(bodies[number - 1]),
  );
  const { client } = clientOf(service, { retries: 0 });
  for (const _ of bodies)
    expect((await errorOf(client.transactions({}, newCall()))).fault).toMatchObject({ code: 'BAD-BODY' });
});

test('an error is understood, and its words shown, although a byte of them is no UTF-8', async () => {
  const service = await serve((_, response) =>
    response.writeHead(400).end(bytesOf('{"error_code":"TXN-03","error_message":"d<e9>but"}')),
  );
  const { fault, message } = await errorOf(clientOf(service).client.transactions({}, newCall()));
  expect(fault.code).toBe('TXN-03');
  expect(message).toContain('d\\xe9but');
});

test('UTF-8 is read as ever, and every other byte stands for itself', () => {
  const encode = (text: string): Buffer =>
    Buffer.concat(
      [...text].map((character) => {
        const code = character.codePointAt(0) ?? 0;
        return code >= 0xdc80 && code <= 0xdcff ? Buffer.of(code - 0xdc00) : Buffer.from(character);
      }),
    );
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(decoded(Buffer.from(`a${text}`))).toBe(`a${text}`);
    }),
  );
  const sequences = ['c0 80', 'ed a0 80', 'ed b3 bf', 'f4 90 80 80', 'f0 80 80 80', 'e0 80 80', 'f5', 'c3'];
  for (const hex of sequences) {
    const bytes = Buffer.from(hex.replaceAll(' ', ''), 'hex');
    expect([...decoded(bytes)].map((unit) => (unit.codePointAt(0) ?? 0) - 0xdc00)).toEqual([...bytes]);
  }
  const someBytes = fc.array(
    fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 3 }).map((bytes) => Buffer.from(bytes)),
      fc.string({ unit: 'binary' }).map((text) => Buffer.from(text)),
      fc.constantFrom('e282', 'ed', 'f09f92', 'f48f', 'c3').map((hex) => Buffer.from(hex, 'hex')),
    ),
  );
  fc.assert(
    fc.property(someBytes, (chunks) => {
      const bytes = Buffer.concat([Buffer.from('a'), ...chunks]);
      expect(encode(decoded(bytes))).toEqual(bytes);
    }),
    { numRuns: 500 },
  );
});

test('a byte order mark is left out, as ever', () => {
  expect(decoded(bytesOf('\ufeffa'))).toBe('a');
  expect(decoded(bytesOf('\ufeffa<ff>'))).toBe('a\udcff');
});

function decoded(bytes: Buffer): string {
  return decodeUtf8(withoutByteOrderMark(bytes), isUtf8(bytes));
}
