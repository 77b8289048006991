// A record gives the same digest and the same columns as it comes and as PostgreSQL stores it, so that
// anybody can check a row against its digest.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findTransactions } from '../../../src/custody/decode/lists.ts';
import { transactionDecoder } from '../../../src/custody/decode/records.ts';
import { readStoredTransaction } from '../../../src/custody/decode/stored.ts';
import { testDatabase } from '../../support/database.ts';
import { decode } from './decoding.ts';

const read = (body: string) => decode(body, findTransactions, transactionDecoder);

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\u0000', '\\u0000', '\ud800', '1e2', ''),
);
const token = fc.constantFrom(
  '1e2',
  '1.50E1',
  '-0',
  '0.00',
  '-0.0e0',
  '1E-7',
  '12345678901234567890.10',
  '1e999999',
);
/** Numbers stand in the text as they are written. */
const json = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('null', 'true', 'false'),
    token,
    text.map((each) => JSON.stringify(each)),
    fc.array(tie('value'), { maxLength: 3 }).map((each) => `[${each.join()}]`),
    fc
      .array(fc.tuple(text, tie('value')), { maxLength: 3 })
      .map((each) => `{${each.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}`),
  ),
})).value;

const record = fc
  .record({
    id: fc.oneof(token, fc.constant('"t"')),
    note: json,
    amount: token,
    type: json,
    extra: json,
    at: json,
  })
  .map(
    ({ id, note, amount, type, extra, at }) =>
      `{"transaction_id":${id},"status":"pending","timestamp":${at},"extra":${extra},` +
      `"transaction":{"transaction_type":${type},"amount":${amount},"note":${note},"source":{"source_id":${note}}}}`,
  );

test('a stored record has the digest and the columns with which it came', async () => {
  const { query } = await testDatabase();
  await fc.assert(
    fc.asyncProperty(fc.array(record, { minLength: 20, maxLength: 20 }), async (records) => {
      const { items = [] } = read(`{"transactions":[${records.join()}]}`);
      const came = (items ?? []).flatMap((item) => (item.kind === 'record' ? [item.record] : []));
      const stored = await query<{ raw: string }>(
        `select r::jsonb::text as raw from unnest($1::text[]) with ordinality as u(r, n) order by n`,
        [came.map(({ raw }) => raw)],
      );
      for (const [n, { raw: _, ...columns }] of came.entries()) {
        const { raw: __, ...again } = readStoredTransaction(stored[n]?.raw ?? '') ?? { raw: '' };
        expect(again).toEqual(columns);
      }
    }),
    { numRuns: 60 },
  );
});

test('what no record can have been stored as is read as none', () => {
  for (const raw of [
    '[]',
    '1',
    '{}',
    '{"transaction_id":"a"}',
    '{"transaction_id":"a","status":"x","transaction":1}',
  ])
    expect(readStoredTransaction(raw), raw).toBeNull();
});
