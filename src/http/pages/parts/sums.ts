// Arithmetic with amounts as the API writes them: exact, and unknown where one of them is. And the key by
// which rows of an asset on a network are found.
import { addDecimals, parseDecimal } from '../../../domain/decimal.ts';

export function sumOf(amounts: readonly (string | null)[]): string | null {
  const known = amounts.flatMap((amount) => parseDecimal(amount ?? '')?.value ?? []);
  return known.length < amounts.length ? null : addDecimals(known);
}

export function negated(amount: string | null): string | null {
  if (amount === null || /^-?0$/.test(amount)) return amount;
  return amount.startsWith('-') ? amount.slice(1) : `-${amount}`;
}

interface OfAsset {
  readonly asset_id: string | null;
  readonly network_id: string | null;
}

/** Tells an asset on a network apart from all others. */
export function assetKey({ asset_id, network_id }: OfAsset): string {
  return JSON.stringify([asset_id, network_id]);
}
