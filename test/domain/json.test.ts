import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isStorable, storableText } from '../../src/domain/json.ts';
import { testDatabase } from '../support/database.ts';

const unit = fc.oneof(
  fc.integer({ min: 0, max: 0xffff }),
  fc.constantFrom(0, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0x41, 0x5c),
);
const anyText = fc.array(unit, { maxLength: 12 }).map((units) => String.fromCharCode(...units));

test('what cannot be stored is shown by its escape, in its place', () => {
  expect(storableText('a\u0000b')).toBe('a\\u0000b');
  expect(storableText('\ud800')).toBe('\\ud800');
  expect(storableText('x\udfffy')).toBe('x\\udfffy');
  expect(storableText('\udc00\ud800')).toBe('\\udc00\\ud800');
  expect(storableText('\ud83d\ude00 \ud83d')).toBe('😀 \\ud83d');
});

test('other text stays as it is', () => {
  for (const text of ['', 'plain', '😀', 'line\n\u0001', '\\u0000', '\ufffe\uffff']) {
    expect(isStorable(text)).toBe(true);
    expect(storableText(text)).toBe(text);
  }
});

test('the answer does not depend on what was asked before', () => {
  expect([isStorable('\u0000'), isStorable('\u0000'), isStorable('a'), isStorable('\u0000')]).toEqual([
    false,
    false,
    true,
    false,
  ]);
});

test('PostgreSQL stores every storable text unchanged, as text and as jsonb', async () => {
  const database = await testDatabase({ empty: true });
  await fc.assert(
    fc.asyncProperty(fc.array(anyText, { minLength: 50, maxLength: 50 }), async (texts) => {
      const stored = texts.map(storableText);
      for (const [index, text] of texts.entries()) expect(isStorable(text)).toBe(stored[index] === text);
      const rows = await database.query<{ text: string; json: string }>(
        `select given as text, to_jsonb(given) as json
         from unnest($1::text[]) with ordinality as input (given, place) order by place`,
        [stored],
      );
      expect(rows).toEqual(stored.map((text) => ({ text, json: text })));
    }),
    { numRuns: 30 },
  );
});
