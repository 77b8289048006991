// Exact decimal arithmetic of the tests' own: whole numbers of 10^-60, which hold every amount, fee and price
// that the tests use and their products. What would have to be rounded throws.

export type Units = bigint;

const places = 60;
const one = 10n ** BigInt(places);

export function units(text: string): Units {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  const [, sign = '', whole = '', fraction = ''] = match ?? [];
  if (match === null || fraction.length > places) throw new RangeError(`${text} is no amount of the tests`);
  const magnitude = BigInt(whole) * one + BigInt(fraction.padEnd(places, '0'));
  return sign === '-' ? -magnitude : magnitude;
}

/** Without zeros at the end, as the views promise. */
export function textOf(value: Units): string {
  const magnitude = value < 0n ? -value : value;
  const fraction = (magnitude % one).toString().padStart(places, '0').replace(/0+$/, '');
  return `${value < 0n ? '-' : ''}${magnitude / one}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Null stays null. */
export function textOrNull(value: Units | null): string | null {
  return value === null ? null : textOf(value);
}

/** What the service writes as text; an empty text is no amount. */
export function unitsOrNull(text: string): Units | null {
  return text === '' ? null : units(text);
}

export function times(a: Units, b: Units): Units {
  if ((a * b) % one !== 0n) throw new RangeError('the product has more places than the tests keep');
  return (a * b) / one;
}

/** Null as soon as one part is. */
export function sum(parts: readonly (Units | null)[]): Units | null {
  return parts.reduce((total, part) => (total === null || part === null ? null : total + part), 0n);
}

/** A quotient of which six places are kept, the last rounded to the nearest, halves away from zero. */
export function sixPlaces(dividend: Units, divisor: Units): string {
  const negative = dividend < 0n !== divisor < 0n;
  const [a, b] = [dividend < 0n ? -dividend : dividend, divisor < 0n ? -divisor : divisor];
  const millionths = (a * 1_000_000n * 2n + b) / (b * 2n);
  const text = `${millionths / 1_000_000n}.${(millionths % 1_000_000n).toString().padStart(6, '0')}`;
  return negative && millionths !== 0n ? `-${text}` : text;
}
