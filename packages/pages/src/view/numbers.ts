// Figures as people read them: from exact decimal text to a few digits, rounded half to even without floats.
// And arithmetic with amounts as the API writes them: exact, and unknown where one of them is.
import { addDecimals, parseDecimal, withoutZeros } from '../api/words.ts';

export interface Figure {
  /** The digits before the point, grouped by thousands, with a minus where it is negative. */
  readonly whole: string;
  /** The digits behind the point without trailing zeros; of a value always two. */
  readonly fraction: string;
  /** A power of ten that the figure is to be multiplied by; null for none. */
  readonly exponent: number | null;
  /** A significant digit was rounded away. */
  readonly isRounded: boolean;
}

/** The most digits before the point; beyond that a power of ten is clearer. */
const mostWhole = 21;
/** Enough digits for a figure: any further ones are left out without a mark. */
const enoughDigits = 5;

const plain = /^(-?)0*([1-9]\d*|0)(?:\.(\d+))?$/;

/** @param least decimals that are shown also where they are zeros; null for text that is not a plain number */
export function figureOf(text: string, decimals: number, least = 0): Figure | null {
  const match = plain.exec(text);
  if (match === null) return null;
  const [, sign = '', whole = '', fraction = ''] = match;
  if (whole.length > mostWhole) return power(sign, whole + fraction, whole.length - 1);
  const rounded = roundedTo(whole, fraction, decimals);
  const isLost = isSome(fraction.slice(decimals));
  const shownDigits = `${rounded.whole}${rounded.fraction}`.replace(/^0+/, '').length;
  if (isLost && shownDigits === 0 && least === 0) {
    const digits = fraction.replace(/^0+/, '');
    return power(sign, digits, -(fraction.length - digits.length + 1));
  }
  const isZero = shownDigits === 0;
  return {
    whole: `${isZero ? '' : sign}${groupedDigits(rounded.whole)}`,
    fraction: rounded.fraction.replace(/0+$/, '').padEnd(least, '0'),
    exponent: null,
    isRounded: isLost && (isZero || (least === 0 && shownDigits < enoughDigits)),
  };
}

/** One digit before the point, four behind it. @param digits without leading zeros */
function power(sign: string, digits: string, exponent: number): Figure {
  const { whole, fraction } = roundedTo(digits.slice(0, 1), digits.slice(1), 4);
  const isTen = whole.length > 1;
  return {
    whole: `${sign}${whole.slice(0, 1)}`,
    fraction: fraction.replace(/0+$/, ''),
    exponent: isTen ? exponent + 1 : exponent,
    isRounded: isSome(digits.slice(enoughDigits)),
  };
}

function roundedTo(whole: string, fraction: string, decimals: number) {
  if (fraction.length <= decimals) return { whole, fraction };
  const kept = BigInt(whole + fraction.slice(0, decimals));
  const half = `5${'0'.repeat(fraction.length - decimals - 1)}`;
  const rest = fraction.slice(decimals);
  const isUp = rest > half || (rest === half && kept % 2n === 1n);
  const digits = String(isUp ? kept + 1n : kept).padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  return { whole: digits.slice(0, point), fraction: digits.slice(point) };
}

/** Whether the figure is known and not zero. */
export function isSome(figure: string | null | undefined): figure is string {
  return /[1-9]/.test(figure ?? '');
}

function groupedDigits(digits: string): string {
  const first = digits.length % 3 || 3;
  return [digits.slice(0, first), ...(digits.slice(first).match(/\d{3}/g) ?? [])].join();
}

/** `-1234.50` as `-1,234.50`, with all its digits. Text that is not a plain number stays as it is. */
export function exactText(text: string): string {
  const match = /^(-?)(\d+)((?:\.\d+)?)$/.exec(text);
  if (match === null) return text;
  const [, sign = '', whole = '', fraction = ''] = match;
  return `${sign}${groupedDigits(whole)}${fraction}`;
}

/** On one line, such as `-1,234.5` or `1.5 × 10⁻³⁰`. */
export function figureText({ whole, fraction, exponent, isRounded }: Figure): string {
  const digits = fraction === '' ? whole : `${whole}.${fraction}`;
  const power = exponent === null ? '' : ` × 10${String(exponent).replace(/./g, raised)}`;
  return `${isRounded ? '≈' : ''}${digits}${power}`;
}

function raised(character: string): string {
  return character === '-' ? '⁻' : ('⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(character)] ?? '');
}

/** The decimals of a currency: two, or for a currency of no country those of an asset. */
export function currencyDecimals(currency: string): { readonly most: number; readonly least: number } {
  return ofCountries.has(currency) ? { most: 2, least: 2 } : { most: 8, least: 0 };
}

const ofCountries = new Set(Intl.supportedValuesOf('currency'));

/** A currency of no country may be any word. */
export function currencyName(currency: string | null): string {
  return (currency ?? '').replace(/^(.{11}).{2,}$/u, '$1…');
}

/** The prefix of a sum of money: `$`, or the code and a space if no sign is unique to the currency. */
export function currencySign(currency: string): string {
  if (!ofCountries.has(currency)) return `${currencyName(currency)} `;
  const parts = new Intl.NumberFormat('en', { style: 'currency', currency }).formatToParts(0);
  const sign = parts.find(({ type }) => type === 'currency')?.value ?? currency;
  return /\p{L}$/u.test(sign) ? `${sign} ` : sign;
}

/** How many thousandths of the whole it is, rounded; null where there is no such share. */
export function perMille(part: string | null, whole: string | null): number | null {
  const share = thousandths(part, whole);
  return share === null ? null : Number(share);
}

function thousandths(part: string | null, whole: string | null): bigint | null {
  if (part === null || whole === null) return null;
  const [a, b] = alike(part, whole);
  if (a === null || b === null || b <= 0n) return null;
  const scaled = a * 1000n;
  return (scaled * 2n + (scaled < 0n ? -b : b)) / (b * 2n);
}

/** `12.3 %`; `below 0.1 %` for the least; null where there is no such share. */
export function shareOf(part: string | null, whole: string | null): string | null {
  const share = thousandths(part, whole);
  if (share === null || part === null) return null;
  if (share === 0n && isSome(part)) return part.startsWith('-') ? 'above -0.1 %' : 'below 0.1 %';
  const digits = share < 0n ? -share : share;
  return `${share < 0n ? '-' : ''}${groupedDigits(String(digits / 10n))}.${digits % 10n} %`;
}

/** Both as integers of the same unit; null for text that is not a plain number. */
function alike(a: string, b: string): readonly [bigint | null, bigint | null] {
  const places = Math.max(...[a, b].map((text) => text.split('.')[1]?.length ?? 0));
  const scaled = (text: string) => {
    if (!plain.test(text)) return null;
    const [whole = '', fraction = ''] = text.split('.');
    return BigInt(`${whole}${fraction.padEnd(places, '0')}`);
  };
  return [scaled(a), scaled(b)];
}

export function sumOf(amounts: readonly (string | null)[]): string | null {
  const known = amounts.flatMap((amount) => parseDecimal(amount ?? '')?.value ?? []);
  return known.length < amounts.length ? null : addDecimals(known);
}

/** Exact; null where one of them is not known. */
export function productOf(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return null;
  const places = [a, b].reduce((sum, text) => sum + (text.split('.')[1]?.length ?? 0), 0);
  const digits = String(BigInt(a.replace('.', '')) * BigInt(b.replace('.', '')));
  const bare = digits.replace('-', '').padStart(places + 1, '0');
  const text = places === 0 ? bare : `${bare.slice(0, -places)}.${bare.slice(-places)}`;
  return `${digits.startsWith('-') ? '-' : ''}${withoutZeros(text)}`;
}

export function negated(amount: string | null): string | null {
  if (amount === null || /^-?0$/.test(amount)) return amount;
  return amount.startsWith('-') ? amount.slice(1) : `-${amount}`;
}
