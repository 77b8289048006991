// Figures from 10^-30 to 10^40, against a table of cases and against arithmetic with integers.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  currencyDecimals,
  currencySign,
  exactText,
  figureOf,
  figureText,
  shareOf,
} from '../../src/view/numbers.ts';

const shown = (text: string, decimals: number, least = 0) => {
  const figure = figureOf(text, decimals, least);
  return figure === null ? null : figureText(figure);
};

test('the digits of the longest amount that the database holds are grouped', () => {
  expect(exactText(`1${'0'.repeat(131_000)}`)).toMatch(/^100(?:,000)+$/);
});

test.each([
  ['0', 8, '0'],
  ['0.000', 8, '0'],
  ['-0', 8, '0'],
  ['1', 8, '1'],
  ['007', 8, '7'],
  ['1234567.50', 8, '1,234,567.5'],
  ['-1234.5678', 8, '-1,234.5678'],
  ['0.123456785', 8, '0.12345678'],
  ['0.123456775', 8, '0.12345678'],
  ['0.999999999', 8, '1'],
  ['999.999999999', 8, '1,000'],
  ['0.000012345678', 8, '≈0.00001235'],
  ['12.5', 0, '≈12'],
  ['13.5', 0, '≈14'],
  ['1e5', 8, null],
  ['NaN', 8, null],
  ['', 8, null],
  [`0.${'0'.repeat(29)}1`, 8, '1 × 10⁻³⁰'],
  [`-0.${'0'.repeat(29)}123456`, 8, '≈-1.2346 × 10⁻³⁰'],
  [`0.${'0'.repeat(29)}999999`, 8, '≈1 × 10⁻²⁹'],
  [`1${'0'.repeat(40)}`, 8, '1 × 10⁴⁰'],
  [`${'9'.repeat(41)}.5`, 8, '≈1 × 10⁴¹'],
  ['123456789012345678901', 8, '123,456,789,012,345,678,901'],
])('an amount of %s with %i decimals is %s', (text, decimals, wanted) => {
  expect(shown(text, decimals)).toBe(wanted);
});

test.each([
  ['31059051.734567', '31,059,051.73'],
  ['0', '0.00'],
  ['2.5', '2.50'],
  ['-0.125', '-0.12'],
  ['0.001', '≈0.00'],
  ['-0.001', '≈0.00'],
  ['0.135', '0.14'],
])('a value of %s is %s', (text, wanted) => {
  expect(shown(text, 2, 2)).toBe(wanted);
});

test('a figure is the nearest of those with so many decimals, half to even', () => {
  const digits = fc.stringMatching(/^\d{0,40}$/);
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 20n }), digits, (whole, fraction) => {
      const text = fraction === '' ? String(whole) : `${whole}.${fraction}`;
      const figure = figureOf(text, 8);
      if (figure === null || figure.exponent !== null) return;
      const scale = 10n ** BigInt(Math.max(8, fraction.length));
      const exact = BigInt(`${whole}${fraction.padEnd(Math.max(8, fraction.length), '0')}`);
      const told = BigInt(`${figure.whole.replaceAll(',', '')}${figure.fraction.padEnd(8, '0')}`);
      const unit = scale / 10n ** 8n;
      const off = exact - told * unit;
      const distance = off < 0n ? -off : off;
      expect(distance * 2n <= unit).toBe(true);
      if (distance * 2n === unit) expect(told % 2n).toBe(0n);
    }),
  );
});

test('an exact figure holds all its digits', () => {
  expect(exactText('-1234567.1000')).toBe('-1,234,567.1000');
  for (const text of ['1e5', 'NaN', '', '<script>', '1,5', ' 1']) expect(exactText(text)).toBe(text);
});

test('a currency has its sign, or its code where the sign is not its own', () => {
  expect(['USD', 'EUR', 'GBP', 'CHF', 'BTC', 'USDT'].map(currencySign)).toEqual([
    ...['$', '€', '£', 'CHF ', 'BTC ', 'USDT '],
  ]);
  expect([currencyDecimals('USD'), currencyDecimals('BTC')]).toEqual([
    { most: 2, least: 2 },
    { most: 8, least: 0 },
  ]);
});

test.each([
  ['1', '3', '33.3 %'],
  ['3', '3', '100.0 %'],
  ['-1', '3', '-33.3 %'],
  ['0.00001', '3', 'below 0.1 %'],
  ['-0.00001', '3', 'above -0.1 %'],
  ['0', '3', '0.0 %'],
  ['36000', '3', '1,200,000.0 %'],
  ['173000000000000000000007', '1', '17,300,000,000,000,000,000,000,700.0 %'],
  ['1', '0', null],
  [null, '3', null],
  ['x', '3', null],
])('%s of %s is %s', (part, whole, wanted) => {
  expect(shareOf(part, whole)).toBe(wanted);
});
