// Where the records of a list stand in the body: each of them exactly, or none.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseExactly } from '../../../src/custody/decode/exact-json.ts';
import { findRecordBytes } from '../../../src/custody/decode/record-bytes.ts';

function find(body: string, list: (value: never) => unknown = (value: { list: unknown }) => value.list) {
  const parsed = parseExactly(body);
  const records = list(parsed.value as never);
  if (!Array.isArray(records)) throw new TypeError('no list');
  const found = findRecordBytes(records, parsed, Buffer.from(body));
  return { records, texts: found.map((bytes) => bytes && Buffer.from(bytes).toString()) };
}

const bodyOf = (...records: readonly string[]) => `{"list":[${records.join()}]}`;

test('a list of compact records holds the text of each, but for the first and the last', () => {
  const { texts } = find(
    bodyOf('{"id":"a"}', '{"id":"é","x":["],{"]}', '{"id":"},{"}', '{"id":"株"}', '{"id":"e"}'),
  );
  expect(texts).toEqual([undefined, '{"id":"é","x":["],{"]}', '{"id":"},{"}', '{"id":"株"}', undefined]);
});

test.each([
  ['white space between records', '{"list":[{"id":"a"}, {"id":"b"},{"id":"c"}]}'],
  [
    'white space within, and a list within that meets as records do',
    '{"list":[{"id":"a"}, {"id":"b","x":[{"id":"y"},{"id":"z"}]},{"id":"c"}]}',
  ],
  ['another first name', bodyOf('{"id":"a"}', '{"id":"b"}', '{"ID":"c"}')],
  ['a first name that is spelled by an escape', bodyOf('{"id":"a"}', '{"id":"b"}', '{"\\u0069d":"c"}')],
  [
    'that, and another list beside it',
    '{"list":[{"id":"a"},{"id":"b"},{"\\u0069d":"c"}],"more":[{"id":"d"},{"id":"e"}]}',
  ],
  ['a name with a quote', bodyOf('{"a\\"":"a"}', '{"a\\"":"b"}', '{"a\\"":"c"}')],
  ['an empty name', bodyOf('{"":"a"}', '{"":"},{\\"\\":"}', '{"":"c"}')],
  [
    'a number, whose text may have to be changed',
    bodyOf('{"id":"a"}', '{"id":"b","n":1e999999}', '{"id":"c"}'),
  ],
  ['U+0000', bodyOf('{"id":"a"}', '{"id":"\\u0000"}', '{"id":"c"}')],
  ['half a character', bodyOf('{"id":"a"}', '{"id":"\\ud83d"}', '{"id":"c"}')],
  ['a record that is none', bodyOf('{"id":"a"}', '{"id":"b"}', 'null', '{"id":"c"}')],
])('a list with %s is left to be written again', (_, body) => {
  expect(find(body).texts).toEqual([]);
});

test('bytes that are not UTF-8 are not passed on', () => {
  const body = bodyOf('{"id":"a"}', '{"id":"b\udcff"}', '{"id":"c"}');
  expect(find(body).texts).toEqual([]);
});

const piece = fc.constantFrom(
  ...[
    '},{"id":"',
    '},{',
    '"',
    '\\',
    ',',
    '{"id":',
    '[',
    ']',
    'id',
    '},{"id":',
    ' ',
    'é',
    '株',
    '\u0000',
    '}',
  ],
);
const odd = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(''));
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    odd,
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.oneof(fc.constant('id'), odd), tie('value'), { maxKeys: 3 }),
  ),
}));
const written = fc
  .tuple(fc.array(fc.tuple(odd, value), { maxLength: 6 }), value, fc.constantFrom('', ' ', '\n'))
  .map(([records, beside, space]) => {
    const texts = records.map(([id, inner]) => JSON.stringify({ id, inner }, null, space.length));
    return `{"list":[${texts.join(`,${space}`)}],"beside":${JSON.stringify(beside)}}`;
  });

test('whatever the records hold: what is found is the record', () => {
  let found = 0;
  fc.assert(
    fc.property(written, (body) => {
      const { records, texts } = find(body);
      for (const [index, text] of texts.entries()) {
        if (text === undefined) continue;
        found += 1;
        expect(JSON.parse(text)).toEqual(records[index]);
      }
    }),
    { numRuns: 2_000 },
  );
  expect(found).toBeGreaterThan(0);
});
