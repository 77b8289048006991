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
  ['U+0000', bodyOf('{"id":"a"}', '{"id":"b","x":"\\u0000"}', '{"id":"c"}')],
  ['half a character', bodyOf('{"id":"a"}', '{"id":"b","x":"\\ud83d"}', '{"id":"c"}')],
  [
    'a record that is none, and a list within of as many pairs as that takes away',
    bodyOf('{"id":"a"}', '{"id":"b","x":[{"id":"x"},{"id":"y"},{"id":"z"}]}', 'null', '{"id":"c"}'),
  ],
  [
    'records that are lists, and a list within of as many pairs as that takes away',
    bodyOf('[]', '{"id":"b","x":[{"id":"x"},{"id":"y","pad":"…"},{"id":"z"}]}', '[]'),
  ],
  ['a record that is none', bodyOf('{"id":"a"}', '{"id":"b"}', 'null', '{"id":"c"}')],
  [
    'a name twice, of which the first holds a number',
    bodyOf('{"id":"a"}', '{"id":"b","n":1e999999,"n":"x"}', '{"id":"c"}'),
  ],
  [
    'a name twice, of which the first holds what meets as records do',
    '{"list":[{"id":"a"}, {"id":"b","x":[{"id":"y"},{"id":"z"}],"x":[]},{"id":"c"}]}',
  ],
  [
    'another list of its name before it',
    '{"list":[{"id":"x"},{"id":"y"},{"id":"z"}],"list":[{"id":"a"}, {"id":"b"}, {"id":"c"}]}',
  ],
  ['the same name and value twice', bodyOf('{"id":"a"}', '{"id":"b","n":"x","n":"x"}', '{"id":"c"}')],
  ['much else around it', `{"list":[{"id":"a"},{"id":"b"},{"id":"c"}],"more":"${'x'.repeat(300)}"}`],
])('a list with %s is left to be written again', (_, body) => {
  // Long enough that the records between are most of the body.
  const longer = body.replaceAll('"b"', `"b","long":"${'x'.repeat(100)}"`);
  expect(find(longer).texts).toEqual([]);
});

test('bytes that are not UTF-8 are not passed on', () => {
  const body = bodyOf('{"id":"a"}', '{"id":"b\udcff"}', '{"id":"c"}');
  expect(find(body).texts).toEqual([]);
});

// One character that cannot be stored, and the whole list is written again: so they are rare.
const piece = fc.oneof(
  {
    weight: 60,
    arbitrary: fc.constantFrom(
      '},{',
      'id',
      ':',
      ',',
      '[',
      ']',
      '{',
      ' ',
      'é',
      '株',
      '}',
      '"',
      '\\',
      '},{"id":',
    ),
  },
  { weight: 1, arbitrary: fc.constant('\u0000') },
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
/** JSON text of a value, in which some members stand twice, first with another value. */
function writtenTwice(of: unknown, seed: number): string {
  if (typeof of !== 'object' || of === null) return JSON.stringify(of);
  if (Array.isArray(of))
    return `[${of.map((element, index) => writtenTwice(element, seed * 7 + index)).join()}]`;
  const members = Object.entries(of).flatMap(([name, member], index) => {
    const own = `${JSON.stringify(name)}:${writtenTwice(member, seed * 5 + index)}`;
    const dropped = ['1', '[{"id":"y"},{"id":"z"}]', '"x"', '{}'][(seed + index) % 4];
    return (seed + index) % 3 === 0 ? [`${JSON.stringify(name)}:${dropped}`, own] : [own];
  });
  return `{${members.join()}}`;
}

const twice = fc.oneof({ weight: 20, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.nat(20) });
const written = fc
  .tuple(
    fc.array(fc.tuple(odd, value, twice), { minLength: 3, maxLength: 6 }),
    fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: value }),
    fc.constantFrom('', '', '', ' ', '\n'),
  )
  .map(([records, beside, space]) => {
    const texts = records.map(([id, inner, seed]) =>
      seed === null ? JSON.stringify({ id, inner }, null, space.length) : writtenTwice({ id, inner }, seed),
    );
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
        // Nothing that the parser dropped is in it.
        expect(text.replaceAll(/[\s]/g, '').length).toBe(
          JSON.stringify(records[index]).replaceAll(/[\s]/g, '').length,
        );
      }
    }),
    { numRuns: 2_000 },
  );
  expect(found).toBeGreaterThan(500);
});
