import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isStorable, storableText } from '../../src/domain/json.ts';
import { testDatabase } from '../support/database.ts';

const unit = fc.oneof(
  fc.integer({ min: 0, max: 0xffff }),
  fc.constantFrom(0, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0x41, 0x5c),
);
const anyText = fc.array(unit, { maxLength: 12 }).map((units) => String.fromCharCode(...units));

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
