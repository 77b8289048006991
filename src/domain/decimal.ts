// Amounts as exact decimal text (docs/custody-service.md 2), parsed, compared and added without floats.
// The canonical form is the text that PostgreSQL's numeric prints for the same input.

declare const canonical: unique symbol;

/** Canonical: an optional minus, digits without leading zeros, an optional fraction with its zeros. */
export type Decimal = string & { readonly [canonical]: true };

/** What PostgreSQL's numeric holds: digits before and after the decimal point. */
const maxWholeDigits = 131_072;
const maxFractionDigits = 16_383;
/**
 * Ten characters must not become 131,072; a zero never does. The greatest double has an exponent of 308.
 */
const maxExponent = 400;

const plain = /^(-?)(\d+)(?:\.(\d+))?$/;
const tolerated = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,6}))?$/;

function assemble(negative: boolean, whole: string, fraction: string): Decimal | null {
  const digits = whole.replace(/^0+(?=\d)/, '');
  if (digits.length > maxWholeDigits || fraction.length > maxFractionDigits) return null;
  const zero = /^0*$/.test(digits) && /^0*$/.test(fraction);
  const text = fraction === '' ? digits : `${digits}.${fraction}`;
  return (negative && !zero ? `-${text}` : text) as Decimal;
}

/**
 * Reads decimal text of any length that numeric can hold.
 *
 * @returns the canonical text, and whether the input already had that form (`+1`, `.5`, `1e3` and `007` have
 *   not); null when it is not an amount: not a number, NaN, Infinity, more digits than numeric holds, or an
 *   exponent beyond 400, other than a positive one of zero
 */
export function parseDecimal(text: string): { readonly value: Decimal; readonly exactForm: boolean } | null {
  const simple = plain.exec(text);
  if (simple) {
    const value = assemble(simple[1] === '-', simple[2] ?? '', simple[3] ?? '');
    return value === null ? null : { value, exactForm: value === text };
  }
  const match = tolerated.exec(text);
  if (!match) return null;
  const [, sign = '', whole = '', fraction = '', exponentText = '0'] = match;
  if (whole === '' && fraction === '') return null;
  const isZero = /^0*$/.test(whole) && /^0*$/.test(fraction);
  const given = Number(exponentText);
  const exponent = isZero ? Math.min(given, fraction.length) : given;
  if (Math.abs(exponent) > maxExponent && !(isZero && exponent >= 0)) return null;
  const value =
    exponent >= 0
      ? assemble(
          sign === '-',
          (whole || '0') + fraction.padEnd(exponent, '0').slice(0, exponent),
          fraction.slice(exponent),
        )
      : assemble(
          sign === '-',
          whole.padStart(1 - exponent, '0').slice(0, exponent) || '0',
          whole.padStart(1 - exponent, '0').slice(exponent) + fraction,
        );
  return value === null ? null : { value, exactForm: false };
}

/**
 * `12,345.67`, as people and pages write an amount, as `12345.67`. Other text is returned unchanged,
 * including `0,123`, which means a fraction in half the world.
 */
export function withoutSeparators(text: string): string {
  return /^-?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/.test(text) ? text.replaceAll(',', '') : text;
}

/** Adds decimals exactly. The sum has as many decimal places as the part with the most. */
export function addDecimals(parts: readonly Decimal[]): Decimal {
  const scale = Math.max(0, ...parts.map(fractionLength));
  const total = parts.reduce((sum, part) => sum + scaled(part, scale), 0n);
  const digits = (total < 0n ? -total : total).toString().padStart(scale + 1, '0');
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return (total < 0n ? `-${text}` : text) as Decimal;
}

/** `1.500` as `1.5`, `2.00` as `2`: trailing zeros mean nothing. */
export function withoutZeros(text: string): string {
  // The lookbehind keeps the time linear in a text of very many zeros.
  return text.includes('.') ? text.replace(/\.?(?<!0)0+$/, '') : text;
}

/** Whether both are equal as numbers; trailing zeros do not count. */
export function equalDecimals(a: Decimal, b: Decimal): boolean {
  const scale = Math.max(fractionLength(a), fractionLength(b));
  return scaled(a, scale) === scaled(b, scale);
}

export const zeroDecimal = '0' as Decimal;

/** Whether the first is greater. */
export function isGreaterDecimal(a: Decimal, b: Decimal): boolean {
  const scale = Math.max(fractionLength(a), fractionLength(b));
  return scaled(a, scale) > scaled(b, scale);
}

function fractionLength(value: Decimal): number {
  const point = value.indexOf('.');
  return point < 0 ? 0 : value.length - point - 1;
}

function scaled(value: Decimal, scale: number): bigint {
  return BigInt(value.replace('.', '') + '0'.repeat(scale - fractionLength(value)));
}
