// Arithmetic with amounts as the API writes them: exact, and unknown where one of them is. And the key by
// which rows of an asset on a network are found.
import { addDecimals, parseDecimal, withoutZeros } from '../../../../src/domain/decimal.ts';

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

export interface OfAsset {
  readonly asset_id: string | null;
  readonly network_id: string | null;
}

/** Identifies an asset on a network. */
export function assetKey({ asset_id, network_id }: OfAsset): string {
  return JSON.stringify([asset_id, network_id]);
}
