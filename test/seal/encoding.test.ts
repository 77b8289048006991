// The bytes of docs/sealing-format.md, and the example in it. The second reading of that document is the
// program in test/system/clients.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createValueWriter, readValues, type ValueWriter, writeJson } from '../../src/seal/encoding.ts';
import { bundle, createRowEncoder, readEntry, unbundle } from '../../src/seal/entry.ts';

function written(write: (writer: ValueWriter) => void): Buffer {
  const writer = createValueWriter();
  write(writer);
  return Buffer.from(writer.take());
}

const json = (text: string) => written((writer) => writeJson(writer, text)).toString();

test('a value is its type, its length and its bytes', () => {
  expect(written((writer) => writer.scalar('text', 'ü'))).toEqual(Buffer.from('t\0\0\0\u0002ü'));
  expect(written((writer) => writer.scalar('number', '-1.50'))).toEqual(Buffer.from('n\0\0\0\u0005-1.50'));
  expect(written((writer) => writer.scalar('moment', '1'))).toEqual(Buffer.from('m\0\0\0\u00011'));
});

const value = (type: string, ...inner: string[]) => {
  const text = inner.join('');
  return `${type}\0\0\0${String.fromCharCode(text.length)}${text}`;
};

test('JSON becomes a tree with sorted members and numbers as they are written', () => {
  const elements = [value('y', 'true'), value('z'), value('t', 'x')];
  expect(json('{"b": 1.50, "a": [true, null, "x"]}')).toBe(
    value('o', value('t', 'a'), value('a', ...elements), value('t', 'b'), value('n', '1.50')),
  );
  expect(json('12345678901234567890.1234567890')).toBe('n\0\0\0\u001f12345678901234567890.1234567890');
  // U+FFFD comes before U+1F600 in bytes, and behind it in UTF-16.
  expect(json('{"\u{1f600}": 1, "\ufffd": 2}').indexOf('\ufffd')).toBe(10);
});

test('values longer than the first buffer are whole', () => {
  const text = 'x'.repeat(100_000);
  const bytes = written((writer) =>
    writer.around('array', () => {
      writer.scalar('text', text);
      writer.scalar('text', 'y');
    }),
  );
  expect(bytes.length).toBe(5 + 5 + 100_000 + 5 + 1);
  expect(readValues(bytes.subarray(5))).toEqual([text, 'y']);
  expect(readValues(bytes.subarray(5, 50_000))).toEqual([]);
});

const row = { transaction_id: 'a', sequence: '1', to_status: 'pending', observed_at: '1', from_status: null };

test('an entry names its row and changes with its content alone', () => {
  const encoder = createRowEncoder('custody.transaction_status_history', 'acme');
  const leaf = encoder(row, 7);
  expect(readEntry(leaf.entry)).toMatchObject({
    table: 'custody.transaction_status_history',
    changeId: 7,
    key: ['acme', 'a', '1'],
  });
  expect(encoder({ ...row, note: 'not a column' }, 7).hash).toBe(leaf.hash);
  expect(encoder({ ...row, source_timestamp: '1' }, 7).hash).not.toBe(leaf.hash);
  expect(createRowEncoder('custody.transaction_status_history', 'other')(row, 7).hash).not.toBe(leaf.hash);
});

test('an entry is short, however long the key is', () => {
  const encoder = createRowEncoder('custody.transaction_status_history', 'acme');
  const { entry } = encoder({ ...row, transaction_id: 'ü'.repeat(100_000) }, 7);
  expect(entry.length).toBeLessThan(300);
  expect(unbundle(bundle([entry, entry]))).toEqual([entry, entry]);
  expect(() => unbundle(bundle([entry]).subarray(0, 50))).toThrow(RangeError);
});

test('the example in the document has these hashes', () => {
  const moment = String(Date.UTC(2026, 0, 1) * 1_000);
  const example = {
    transaction_id: 'a',
    sequence: '1',
    to_status: 'pending',
    observed_at: moment,
    run_id: '1',
    change_id: '7',
  };
  const { entry, hash } = createRowEncoder('custody.transaction_status_history', 'acme')(example, 7);
  const document = readFileSync(new URL('../../docs/sealing-format.md', import.meta.url), 'utf8');
  expect(document).toContain(`leaf     ${Buffer.from(hash, 'latin1').toString('hex')}`);
  expect(document).toContain(`SHA-256  ${entry.subarray(-32).toString('hex')}`);
});
