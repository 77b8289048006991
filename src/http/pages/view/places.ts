// The addresses of pages that show one thing.
import { addressOf, type Query, type View } from './view.ts';

export function transactionAddress(view: View, id: string): string {
  return addressOf(view, `/transactions/${encodeURIComponent(id)}`);
}

/** One asset on all its networks. */
export function assetAddress(view: View, id: string, query: Query = {}): string {
  return addressOf(view, `/balances/assets/${encodeURIComponent(id)}`, query);
}

export function vaultAddress(view: View, id: string): string {
  return addressOf(view, `/documents/vaults/${encodeURIComponent(id)}`);
}

/** An entry of the whitelist. */
export function entryAddress(view: View, id: string): string {
  return addressOf(view, `/documents/whitelist/${encodeURIComponent(id)}`);
}
