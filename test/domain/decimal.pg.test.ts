// Amounts held against PostgreSQL's numeric.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDecimal } from '../../src/domain/decimal.ts';
import { testDatabase } from '../support/database.ts';

const digits = (max: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: max }).map((found) => found.join(''));
/** Decimal text as a service could write it. */
const written = fc
  .record({
    sign: fc.constantFrom('', '-', '+'),
    whole: digits(40),
    fraction: fc.option(digits(40), { nil: undefined }),
    exponent: fc.option(fc.integer({ min: -50, max: 50 }), { nil: undefined }),
    form: fc.constantFrom('full', 'no whole', 'no fraction', 'capital'),
  })
  .map(({ sign, whole, fraction, exponent, form }) => {
    const dotted = fraction === undefined ? '' : `.${form === 'no fraction' ? '' : fraction}`;
    const head = form === 'no whole' && dotted.length > 1 ? '' : whole;
    const tail = exponent === undefined ? '' : `${form === 'capital' ? 'E' : 'e'}${exponent}`;
    return `${sign}${head}${dotted}${tail}`;
  });

test('the canonical form is the text that PostgreSQL prints for the same input', async () => {
  const database = await testDatabase({ empty: true });
  const batch = fc.array(written, { minLength: 200, maxLength: 200 });
  await fc.assert(
    fc.asyncProperty(batch, async (texts) => {
      const rows = await database.query<{ text: string }>(
        'select given::numeric::text as text from unnest($1::text[]) with ordinality as input (given, place) order by place',
        [texts],
      );
      expect(texts.map((text) => parseDecimal(text)?.value)).toEqual(rows.map((row) => row.text));
    }),
    { numRuns: 20 },
  );
});

test('an amount may be as long as numeric holds, and no longer', async () => {
  const longest = [`${'9'.repeat(131_072)}.${'9'.repeat(16_383)}`, '1e400', '1e-400'];
  const database = await testDatabase({ empty: true });
  const rows = await database.query<{ text: string }>(
    'select given::numeric::text as text from unnest($1::text[]) as given',
    [longest],
  );
  expect(longest.map((text) => parseDecimal(text)?.value === rows[longest.indexOf(text)]?.text)).toEqual([
    true,
    true,
    true,
  ]);
  const zeros = ['0e401', '-0.0e500', `0.${'0'.repeat(600)}e500`, '.0e999999', '0e-400'];
  const read = await database.query<{ text: string }>(
    'select given::numeric::text as text from unnest($1::text[]) as given',
    [zeros],
  );
  expect(zeros.map((text) => parseDecimal(text)?.value)).toEqual(read.map(({ text }) => text));
  for (const text of [
    '0e-401',
    '9'.repeat(131_073),
    `0.${'1'.repeat(16_384)}`,
    '1e401',
    '1e-401',
    `1e${'9'.repeat(6)}`,
  ])
    expect(parseDecimal(text)).toBeNull();
});
