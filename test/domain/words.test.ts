import { expect, test } from 'vitest';
import { agoInWords, counted, grouped, lengthInWords, onOneLine } from '../../src/domain/words.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

test('a length is given in the units a person would use', () => {
  expect([0, 999, 12_300, 59_999].map(lengthInWords)).toEqual(['0 s', '0 s', '12 s', '59 s']);
  expect([minute, 59 * minute + 59 * second].map(lengthInWords)).toEqual(['1 min', '59 min']);
  expect([hour, 2 * hour + 5 * minute].map(lengthInWords)).toEqual(['1 h', '2 h 5 min']);
  expect([day, 3 * day + hour, 1234 * day].map(lengthInWords)).toEqual(['1 day', '3 days', '1,234 days']);
  expect(lengthInWords(-5)).toBe('0 s');
});

test('an age counts from the moment to the reading', () => {
  const now = '2026-07-01T12:00:00.000000Z';
  expect(agoInWords('2026-07-01T11:59:48.000Z', now)).toBe('12 s ago');
  expect(agoInWords('2026-07-01T11:59:59.500123Z', now)).toBe('just now');
  expect(agoInWords('2026-07-01T12:00:03.000Z', now)).toBe('just now');
  expect(agoInWords(null, now)).toBe('never');
  expect(agoInWords('no moment', now)).toBe('at an unknown time');
});

test('counts carry separators and their noun', () => {
  expect(grouped(1234567)).toBe('1,234,567');
  expect([0, 1, 2000].map((count) => counted(count, 'record'))).toEqual([
    '0 records',
    '1 record',
    '2,000 records',
  ]);
  expect(counted(2, 'entry', 'entries')).toBe('2 entries');
});

test('foreign text cannot move a cursor, turn the writing around or start a line', () => {
  expect(onOneLine(' a\r\nb\u001b[31mc\u0000d\u202ee\ud800f\u2028 ')).toBe('a b [31mc d e f');
  expect(onOneLine('a\u3164b\u034fc\ufe01d\ue000e\u{e0041}f')).toBe('a b c d e f');
  expect(onOneLine('Zürich 東京 🚀')).toBe('Zürich 東京 🚀');
});
