// A cell holds a number or a date only where the float of the spreadsheet says exactly the same.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dateCell, numberCell, writeXlsx } from '../../src/api/answer/xlsx.ts';
import { balanceTrends } from '../../src/store/read-api/balances/balances.ts';
import { sized } from '../support/form.ts';
import { plainDecimal, shownDate } from './read-sheets.ts';

function heldBy(cell: unknown): { value: unknown; format: string } {
  if (typeof cell === 'string') return { value: cell, format: '' };
  if (typeof cell !== 'object' || cell === null || !('value' in cell)) throw new Error('no cell');
  return { value: cell.value, format: 'format' in cell ? String(cell.format) : '' };
}

/** A decimal without exponent of the digits, its last one of the power of ten. */
function decimalOf(isNegative: boolean, digits: string, power: number): string {
  const sign = isNegative ? '-' : '';
  if (power >= 0) return `${sign}${digits}${'0'.repeat(power)}`;
  const padded = digits.padStart(1 - power, '0');
  return `${sign}${padded.slice(0, power)}.${padded.slice(power)}`;
}

const digits = fc
  .array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 20, size: 'max' })
  .map((found) => found.join('').replace(/^0+(?=.)/, ''));

test('an amount from 10^-30 to 10^40 is the same number, or the same text', () => {
  fc.assert(
    fc.property(fc.boolean(), digits, fc.integer({ min: -30, max: 40 }), (isNegative, found, power) => {
      const amount = decimalOf(isNegative, found, power);
      const { value, format } = heldBy(numberCell(amount));
      const significant = found.replace(/^0+|0+$/g, '').length;
      expect([amount, typeof value]).toEqual([amount, significant <= 15 ? 'number' : 'string']);
      if (typeof value !== 'number') {
        expect([value, format]).toEqual([amount, '@']);
        return;
      }
      // As the package writes it into the file, and as it is shown: with all its decimals.
      expect(plainDecimal(String(value))).toBe(plainDecimal(amount));
      expect(format.split('.')[1]?.length ?? 0).toBe(amount.split('.')[1]?.length ?? 0);
      expect(Number(value.toPrecision(15)) === value).toBe(true);
    }),
    { numRuns: sized({ short: 500, long: 5_000 }) },
  );
});

test('what no float or no format holds is text', () => {
  const texts = [
    '9007199254740993',
    '0.1234567890123456',
    `1${'0'.repeat(400)}`,
    `-1${'0'.repeat(301)}`,
    `0.${'0'.repeat(30)}1`,
    `0.${'0'.repeat(400)}1`,
  ];
  for (const text of texts) expect(heldBy(numberCell(text))).toEqual({ value: text, format: '@' });
  expect(heldBy(numberCell('-12345.670'))).toEqual({ value: -12345.67, format: '#,##0.000' });
  expect(heldBy(numberCell('0'))).toEqual({ value: 0, format: '#,##0' });
  expect(heldBy(numberCell('0.00'))).toEqual({ value: 0, format: '#,##0.00' });
});

// By expressions that go back and forth it took longer than a test may.
test('an amount of as many digits as the database holds is text', () => {
  const text = `1${'0'.repeat(131_000)}1`;
  expect(heldBy(numberCell(text))).toEqual({ value: text, format: '@' });
});

test('no file is begun for a reader who left', async () => {
  const selection = { account: 'a', at: null, filters: {}, order: 'day' };
  const reading = { readAt: '2026-11-20T18:00:00Z', signal: AbortSignal.abort() };
  await expect(writeXlsx(balanceTrends, selection, [], reading)).rejects.toThrow(/aborted/);
});

test('a moment is a date to the microsecond, or the same text', () => {
  const seconds = { min: Date.UTC(1900, 2, 1) / 1_000, max: Date.UTC(2079, 0, 1) / 1_000 };
  const micro = fc.integer({ min: 0, max: 999_999 });
  fc.assert(
    fc.property(fc.integer(seconds), micro, (second, micros) => {
      const whole = new Date(second * 1_000).toISOString().slice(0, 19);
      const moment = `${whole}.${String(micros).padStart(6, '0')}Z`;
      const { value, format } = heldBy(dateCell(moment));
      expect(shownDate({ value: Number(value), format, isFormula: false })).toBe(moment);
    }),
    { numRuns: sized({ short: 500, long: 5_000 }) },
  );
  expect(heldBy(dateCell('2026-11-20T18:00:00.000000Z'))).toEqual({
    value: 46346.75,
    format: 'yyyy-mm-dd hh:mm:ss.000',
  });
  expect(heldBy(dateCell('2026-11-20'))).toEqual({ value: 46346, format: 'yyyy-mm-dd' });
  for (const text of [
    '1900-02-28',
    '0001-01-01T00:00:00.000000Z',
    '10000-01-01',
    '9999-12-31T23:59:59.999999Z',
  ])
    expect(heldBy(dateCell(text))).toEqual({ value: text, format: '' });
});
