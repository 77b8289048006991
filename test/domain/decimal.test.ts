import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addDecimals,
  type Decimal,
  equalDecimals,
  isGreaterDecimal,
  parseDecimal,
} from '../../src/domain/decimal.ts';

function decimal(text: string): Decimal {
  const parsed = parseDecimal(text);
  if (parsed === null) throw new Error(`${text} is no amount`);
  return parsed.value;
}

const canonical = fc
  .record({
    negative: fc.boolean(),
    units: fc.bigInt(0n, 10n ** 40n),
    scale: fc.integer({ min: 0, max: 30 }),
  })
  .map(({ negative, units, scale }) => ({
    units: negative ? -units : units,
    scale,
    value: decimal(render(negative ? -units : units, scale)),
  }));

/** An independent rendering of units × 10^-scale. */
function render(units: bigint, scale: number): string {
  const unit = 10n ** BigInt(scale);
  const size = units < 0n ? -units : units;
  const fraction = scale === 0 ? '' : `.${String(size % unit).padStart(scale, '0')}`;
  return `${units < 0n ? '-' : ''}${size / unit}${fraction}`;
}

test('a form other than the canonical one is reported', () => {
  for (const text of ['0', '-1', '10.00', '123456789012345678901234567890.123456789', '0.000000000000000001'])
    expect(parseDecimal(text)).toEqual({ value: text, exactForm: true });
  const others = {
    '+1': '1',
    '.5': '0.5',
    '5.': '5',
    '1e3': '1000',
    '007': '7',
    '-0': '0',
    '-0.00': '0.00',
    '1.50E1': '15.0',
  };
  for (const [text, value] of Object.entries(others))
    expect(parseDecimal(text), text).toEqual({ value, exactForm: false });
});

test.each([
  '',
  ' ',
  '.',
  '-',
  '+.',
  'e5',
  '.e1',
  'NaN',
  'Infinity',
  '-inf',
  '1,000',
  '1 000',
  '0x10',
  '1_0',
  '١',
  '1e',
  '--1',
  '1.2.3',
  '1\n',
  ' 1',
  '1e9999999',
])('%j is no amount', (text) => {
  expect(parseDecimal(text)).toBeNull();
});

test('addition is exact and carries the longest fraction', () => {
  fc.assert(
    fc.property(fc.array(canonical, { maxLength: 6 }), (parts) => {
      const scale = Math.max(0, ...parts.map((part) => part.scale));
      const units = parts.reduce((sum, part) => sum + part.units * 10n ** BigInt(scale - part.scale), 0n);
      expect(addDecimals(parts.map((part) => part.value))).toBe(render(units, scale));
    }),
  );
});

test('equality is that of numbers, not of texts', () => {
  fc.assert(
    fc.property(canonical, canonical, fc.integer({ min: 0, max: 12 }), (a, b, zeros) => {
      const longer = decimal(render(a.units * 10n ** BigInt(zeros), a.scale + zeros));
      expect(equalDecimals(a.value, longer)).toBe(true);
      const same = a.units * 10n ** BigInt(b.scale) === b.units * 10n ** BigInt(a.scale);
      expect(equalDecimals(a.value, b.value)).toBe(same);
    }),
  );
  expect(equalDecimals(decimal('0.1'), decimal('0.10000000000000000001'))).toBe(false);
});

test('one decimal is greater than another by their numbers alone', () => {
  fc.assert(
    fc.property(canonical, canonical, (a, b) => {
      const greater = a.units * 10n ** BigInt(b.scale) > b.units * 10n ** BigInt(a.scale);
      expect(isGreaterDecimal(a.value, b.value)).toBe(greater);
    }),
  );
  expect(isGreaterDecimal(decimal('0.10'), decimal('0.1'))).toBe(false);
});
