// The bytes of docs/sealing-format.md, and the example in it. The second reading of that document is the
// program in test/system/clients.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { toBuffer, utf8, value } from '../../src/base/encoded-values.ts';
import { readStoredTransaction } from '../../src/custody/decode/stored.ts';
import { bundle, encodeJson, leafOf, readEntry, readValues, sources, unbundle } from '../../src/seal/rows.ts';

test('a value is its type, its length and its bytes', () => {
  expect(toBuffer(value('t', utf8('ü')))).toEqual(Buffer.from('t\0\0\0\u0002ü'));
  expect(toBuffer(value('n', '-1.50'))).toEqual(Buffer.from('n\0\0\0\u0005-1.50'));
  expect(value('o', 'x'.repeat(66_000))).toBe(`o\0\u0001\u0001\u00d0${'x'.repeat(66_000)}`);
});

const json = (text: string) => toBuffer(encodeJson(text)).toString();

test('JSON becomes a tree with sorted members and numbers as they are written', () => {
  const elements = value('y', 'true') + value('z', '') + value('t', 'x');
  expect(json('{"b": 1.50, "a": [true, null, "x"]}')).toBe(
    value('o', value('t', 'a') + value('a', elements) + value('t', 'b') + value('n', '1.50')),
  );
  expect(json('12345678901234567890.1234567890')).toBe('n\0\0\0\u001f12345678901234567890.1234567890');
  // U+FFFD comes before U+1F600 in bytes, and behind it in UTF-16.
  expect(json('{"\u{1f600}": 1, "\ufffd": 2}').indexOf('\ufffd')).toBe(10);
});

test('values that stand one after the other are read, and none that is cut', () => {
  const bytes = value('t', 'x'.repeat(100_000)) + value('b', '\u00ff') + value('n', '1');
  expect(readValues(bytes).map(({ body }) => body)).toEqual(['x'.repeat(100_000), '\u00ff', '1']);
  expect(readValues(bytes.slice(0, -1))).toHaveLength(2);
  expect(readValues(bytes.slice(0, 50_000))).toEqual([]);
});

test('an entry names its row and changes with its content', () => {
  const [source] = sources;
  if (source === undefined) throw new Error('nothing is sealed');
  const entry = (row: Readonly<Record<string, string>>) =>
    leafOf(source, (column) => row[column] ?? null).entry;
  const key = { account_id: 'acme', transaction_id: 'a', sequence: '1', change_id: '7' };
  const own = entry(key);
  expect(readEntry(own)).toMatchObject({
    table: 'custody.transaction_status_history',
    changeId: 7,
    key: ['acme', 'a', '1'],
  });
  expect(entry({ ...key, to_status: 'failed' })).not.toBe(own);
  expect(readEntry('no entry')).toMatchObject({ table: '', key: [] });
  expect(unbundle(bundle([own, own]))).toEqual([own, own]);
  for (const end of [1, 50]) expect(unbundle(bundle([own]).slice(0, end))).toBeNull();
});

test('the digest of the record in docs/sealing-format.md', () => {
  const text = readFileSync(new URL('../../docs/sealing-format.md', import.meta.url), 'utf8');
  const [, raw = '', digest] = /`(\{"transaction_id".*\})` has the digest\s+`(.*)`\./.exec(text) ?? [];
  expect(readStoredTransaction(raw)?.contentHash).toBe(digest);
});
