import { expect, test } from 'vitest';
import { readParameters } from '../../src/api/answer/parameters.ts';
import { amount, day, integer, moment } from '../../src/store/read-api/list/parameter-kinds.ts';

const known = {
  amount_from: amount('At least.'),
  amount_to: amount('At most.'),
  day_from: day('From.'),
  day_to: day('Until.'),
  seen_from: moment('From.'),
  seen_to: moment('Until.'),
};
const read = (search: string) => readParameters(known, search, {});

test('a lower bound above its upper one is refused, and both are named', () => {
  const searches = {
    amount: ['10', '9.99'],
    day: ['2026-06-02', '2026-06-01'],
    // The later text is the earlier moment.
    seen: ['2026-06-01T12:00:00Z', '2026-06-01T13:00:00%2B02:00'],
  };
  for (const [name, [from, to]] of Object.entries(searches)) {
    let refusal: unknown;
    try {
      read(`?${name}_from=${from}&${name}_to=${to}`);
    } catch (error) {
      refusal = error;
    }
    expect(refusal, name).toMatchObject({
      refusal: {
        kind: 'bad-parameter',
        errors: [
          { name: `${name}_from`, reason: `must not be greater than ${name}_to` },
          { name: `${name}_to`, reason: `must not be less than ${name}_from` },
        ],
      },
    });
  }
});

test('bounds that are alike, alone or themselves wrong are read as before', () => {
  expect(read('?amount_from=-1.50&amount_to=-1.5&day_from=2026-06-01&day_to=2026-06-01')).toMatchObject({
    amount_from: '-1.50',
  });
  expect(read('?seen_from=2026-06-01T12:00:00.000001Z')).toEqual({
    seen_from: '2026-06-01T12:00:00.000001Z',
  });
  expect(() => read('?seen_from=yesterday&seen_to=2026-06-01T12:00:00Z')).toThrow(
    /^seen_from must be an RFC 3339 date-time/,
  );
});

test('whole numbers are read exactly, to the greatest that their description names', () => {
  const places = { after: integer(0, Number.MAX_SAFE_INTEGER, 'After this.', 0) };
  const taken = (value: string) => {
    try {
      return readParameters(places, `?after=${value}`, {})['after'];
    } catch {
      return null;
    }
  };
  for (const value of ['0', '9007199254740990', '9007199254740991']) expect(taken(value)).toBe(value);
  for (const value of [
    '-1',
    '9007199254740992',
    '9007199254740993',
    '1e3',
    '1.0',
    '',
    '99999999999999999999',
  ])
    expect(taken(value), value).toBeNull();
});

test('a moment is as long as RFC 3339 writes it, and any other text is refused', () => {
  for (const text of ['2026-06-01T12:00:00Z', '2026-06-01T12:00:00.123456%2B02:00'])
    expect(read(`?seen_from=${text}`)).toBeDefined();
  // What the expression took a time for that grew with the square of the length.
  const slow = `2026-${'x'.repeat(1_900)}.x.`;
  for (const text of [slow, slow.repeat(10), '2026-06-01T12:00:00.1234567Z', '1969-06-01T12:00:00Z'])
    expect(() => read(`?seen_from=${text}`)).toThrow('must be an RFC 3339 date-time');
});
