// The bytes of docs/sealing-format.md, and the example in it. The second reading of that document is the
// program in test/system/clients.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { toBuffer, utf8, value } from '../../src/base/encoded-values.ts';
import { readStoredTransaction } from '../../src/custody/decode/stored.ts';
import { bundle, encodeJson, entryOf, readEntry, readValues, unbundle } from '../../src/seal/entry.ts';
import { sealedTables, snapshotTable } from '../../src/seal/tables.ts';

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
  expect(readValues(bytes)).toEqual(['x'.repeat(100_000), 'sha256:ff', '1']);
  expect(readValues(bytes.slice(0, -1))).toHaveLength(2);
  expect(readValues(bytes.slice(0, 50_000))).toEqual([]);
});

const [statuses = snapshotTable] = sealedTables;
const key = ['acme', 'a', '1'].map((text) => value('t', text));

test('an entry names its row and changes with its content', () => {
  const entry = entryOf(statuses, 7, key, 'x');
  expect(readEntry(entry)).toMatchObject({
    table: 'custody.transaction_status_history',
    changeId: 7,
    key: ['acme', 'a', '1'],
  });
  expect(entryOf(statuses, 7, key, 'y')).not.toBe(entry);
  expect(readEntry('no entry')).toMatchObject({ table: '', key: [] });
});

test('an entry is short, however long the key is', () => {
  const long = [value('t', utf8('ü'.repeat(100_000)))];
  const entry = entryOf(statuses, 7, long, '');
  expect(entry.length).toBeLessThan(300);
  expect(readEntry(entry).key[0]).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect(unbundle(bundle([entry, entry]))).toEqual([entry, entry]);
  for (const end of [1, 50]) expect(unbundle(bundle([entry]).slice(0, end))).toBeNull();
});

test('the digest of the record in docs/sealing-format.md', () => {
  const text = readFileSync(new URL('../../docs/sealing-format.md', import.meta.url), 'utf8');
  const [, raw = '', digest] = /`(\{"transaction_id".*\})` has the digest\s+`(.*)`\./.exec(text) ?? [];
  expect(readStoredTransaction(raw)?.contentHash).toBe(digest);
});
