import fc from 'fast-check';
import { LosslessNumber, parse as parseLossless } from 'lossless-json';
import { expect, test } from 'vitest';
import { createContentDigest, parseExactly, rawText } from '../../../src/custody/decode/exact-json.ts';
import { storableText } from '../../../src/domain/json.ts';

const digest = (text: string): string => {
  const body = parseExactly(text);
  return createContentDigest(body).digest(body.value, 'timestamp');
};
const raw = (text: string): string => {
  const body = parseExactly(text);
  return rawText(body.value, body);
};

const anyText = fc.string({ unit: 'binary' });
const number = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.bigInt({ min: 0n, max: 10n ** 40n }),
    fc.option(fc.stringMatching(/^[0-9]{1,30}$/)),
    fc.option(fc.tuple(fc.constantFrom('e', 'E', 'e+', 'E-'), fc.integer({ min: 0, max: 400 }))),
  )
  .map(([sign, whole, fraction, exponent]) => {
    const end = exponent === null ? '' : exponent.join('');
    return `${sign}${whole}${fraction === null ? '' : `.${fraction}`}${end}`;
  });

/** JSON text in which numbers are written in every way there is, with or without white space. */
const jsonText = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('null', 'true', 'false'),
    number,
    anyText.map((text) => JSON.stringify(text)),
    fc.array(tie('value'), { maxLength: 4 }).map((elements) => `[ ${elements.join(' ,')}]`),
    fc
      .uniqueArray(fc.tuple(anyText, tie('value')), { maxLength: 4, selector: ([name]) => name })
      .map(
        (members) => `{${members.map(([name, value]) => `${JSON.stringify(name)} : ${value}`).join(',\n')}}`,
      ),
  ),
})).value;

/** The same value as compact text, made by another reader. */
function compact(value: unknown): string {
  if (value instanceof LosslessNumber) return value.toString();
  if (Array.isArray(value)) return `[${value.map(compact).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${compact(member)}`);
  return `{${members.join(',')}}`;
}

test('numbers keep their text, as another lossless reader has it', () => {
  fc.assert(
    fc.property(jsonText, (text) => {
      // What cannot be stored is shown in another form, and keys special to JavaScript are beyond the other
      // reader.
      fc.pre(!/\\u0000|\\ud[89a-f]|__proto__/i.test(text));
      expect(raw(text)).toBe(compact(parseLossless(text)));
    }),
    { numRuns: 500 },
  );
});

/** Parts of JSON in any order; few make JSON. */
const pieces = fc.constantFrom(
  ...'{}[]:,".-+eE \n',
  '"a"',
  '"b":',
  '01',
  '12',
  '1e5',
  '-0',
  'null',
  '\u00a0',
);

test('what is JSON is read as JSON, and nothing else is', () => {
  const soup = fc.array(pieces, { maxLength: 14 }).map((parts) => parts.join(''));
  const spoilt = fc
    .tuple(fc.json(), fc.nat(), pieces)
    .map(([text, at, piece]) => text.slice(0, at % text.length) + piece + text.slice(at % text.length));
  const isRead = (parse: (text: string) => unknown, text: string) => {
    try {
      parse(text);
      return true;
    } catch (error) {
      if (error instanceof SyntaxError) return false;
      throw error;
    }
  };
  fc.assert(
    fc.property(fc.oneof(soup, spoilt, fc.json()), (text) => {
      expect(isRead(parseExactly, text)).toBe(isRead(JSON.parse, text));
    }),
    { numRuns: 2_000 },
  );
});

test('without numbers the text is what JSON.stringify makes of storable strings', () => {
  const shown = (value: unknown): unknown => {
    if (typeof value === 'string') return storableText(value);
    if (Array.isArray(value)) return value.map(shown);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [storableText(name), shown(member)]),
    );
  };
  const tree = fc.anything({
    values: [anyText, fc.boolean(), fc.constant(null)],
    key: fc.oneof(anyText, fc.constantFrom('\u0000', 'a\udc00')),
    withNullPrototype: false,
  });
  fc.assert(
    fc.property(tree, (value) => {
      expect(JSON.parse(raw(JSON.stringify(value)))).toEqual(shown(value));
    }),
  );
});

test('a mark that the text itself uses is not taken for a number', () => {
  expect(raw('["\ue000 5",5,"\\uE001","\\ue002"]')).toBe('["\ue000 5",5,"\ue001","\ue002"]');
});

test('a number that no numeric can hold becomes text', () => {
  expect(raw('{"a":1e999999,"b":1e401,"c":1e400}')).toBe('{"a":"1e999999","b":"1e401","c":1e400}');
});

/** The text with the members of every object in reverse order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  );
}

test('the digest is the same for every order of keys and every timestamp of the record', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), (record, timestamp) => {
      const same = { timestamp, ...(reversed(record) as object) };
      expect(digest(JSON.stringify({ ...same, timestamp }))).toBe(
        digest(JSON.stringify({ ...record, timestamp: 'other' })),
      );
    }),
  );
});

test('the digest differs when anything else differs', () => {
  const canonical = (value: unknown): string => JSON.stringify(sorted(value));
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      const [left, right] = [JSON.stringify({ a }), JSON.stringify({ a: b })];
      const equal = canonical(JSON.parse(left)) === canonical(JSON.parse(right));
      expect(digest(left) === digest(right)).toBe(equal);
    }),
  );
  const distinct = [
    '{"a":1}',
    '{"a":1.0}',
    '{"a":"1"}',
    '{"a":true}',
    '{"a":null}',
    '{}',
    '{"a":[]}',
    '{"a":{}}',
    '{"a":[1]}',
    '{"a":["1"]}',
    '{"a":{"timestamp":1}}',
    '{"a":{"timestamp":2}}',
    '{"a":"x","b":"y"}',
    '{"a":"x1:bs1:y"}',
    '{"a":"\\u0000"}',
    '{"a":"\\ud800"}',
    '{"a":"\\ud801"}',
  ];
  expect(new Set(distinct.map(digest)).size).toBe(distinct.length);
});

test('what PostgreSQL stores as one text has one digest', () => {
  expect(digest('{"a":"\\u0000"}')).toBe(digest('{"a":"\\\\u0000"}'));
  expect(digest('{"a":1e2}')).toBe(digest('{"a":100}'));
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, sorted(member)] as const);
  return { members: members.sort(([a], [b]) => (a < b ? -1 : 1)) };
}

test('many shapes on one page do not mix up', () => {
  const shapes = Array.from({ length: 40 }, (_, index) => ({
    [`b${index}`]: 1,
    [`a${index}`]: 2,
    same: 'x',
  }));
  const body = parseExactly(JSON.stringify(shapes));
  const page = createContentDigest(body);
  const elements = Array.isArray(body.value) ? body.value : [];
  const together = elements.map((element) => page.digest(element));
  expect(together).toEqual(shapes.map((shape) => digest(JSON.stringify(shape))));
});
