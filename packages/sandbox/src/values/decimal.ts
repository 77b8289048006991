// Exact decimal amounts, as integers in units of 10^-18. Invariant: no amount passes through a float, and
// formatting a parsed amount gives the same value.
/** The most decimal places of an amount. */
export const maxPlaces = 18;

const powers: readonly bigint[] = Array.from({ length: maxPlaces + 1 }, (_, i) => 10n ** BigInt(i));

/** One whole unit. */
export const oneUnit = 10n ** BigInt(maxPlaces);

/** 10 to the power of `exponent` (0 to 18). */
export function powerOfTen(exponent: number): bigint {
  const power = powers[exponent];
  if (power === undefined) throw new RangeError(`no power of ten for ${exponent}`);
  return power;
}

/** How an asset writes its amounts: the number of places, and whether trailing zeros are written. */
interface DecimalStyle {
  readonly decimals: number;
  readonly fixed: boolean;
}

/** Parses decimal text exactly; undefined for other text, and for more than 18 places. */
export function parseUnits(text: string): bigint | undefined {
  const match = /^(-?)(\d+)(?:\.(\d{1,18}))?$/.exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '0', fraction = ''] = match;
  const units = BigInt(whole) * oneUnit + BigInt(fraction.padEnd(maxPlaces, '0'));
  return sign === '-' ? -units : units;
}

/** Writes a whole part and a fraction in units of 10^-18 in the style of an asset. */
export function formatParts(whole: string, fraction: bigint, style: DecimalStyle): string {
  if (style.decimals === 0) return whole;
  if (fraction === 0n && !style.fixed) return whole;
  const digits = fraction.toString().padStart(maxPlaces, '0');
  if (style.fixed) return `${whole}.${digits.slice(0, style.decimals)}`;
  let end = maxPlaces;
  while (digits.charCodeAt(end - 1) === 48) end -= 1;
  return `${whole}.${digits.slice(0, end)}`;
}

/** Writes units of 10^-18 in the style of an asset. Further places are written too, unless they are zero. */
export function formatUnits(units: bigint, style: DecimalStyle): string {
  const magnitude = units < 0n ? -units : units;
  const fraction = magnitude % oneUnit;
  const exact = fraction % powerOfTen(maxPlaces - style.decimals) === 0n;
  const text = formatParts(
    (magnitude / oneUnit).toString(),
    fraction,
    exact ? style : { decimals: maxPlaces, fixed: false },
  );
  return units < 0n ? `-${text}` : text;
}
