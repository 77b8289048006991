// An asset as people name it: `btc` or `Bitcoin` for BTC. An address has the exact identifier, so that it
// finds the same in the read API.

import type { Ask } from '../api/ask.ts';
import { pathSegment } from '../api/interface.ts';

/**
 * The identifier of the only asset in the balances that has this name or identifier, large letters or small;
 * null where the account has an asset of exactly this identifier, and where none or several fit.
 */
export async function resolveAsset(ask: Ask, given: string): Promise<string | null> {
  // Most addresses are exact: that costs one look at the present balances.
  const present = await ask.known('listBalances', { asset_id: given, limit: 1 });
  if ('unknown' in present || present.answer.data.length > 0) return null;
  const rows = await ask.all('listBalances', { vault_type: 'all' });
  const isNamed = (text: string | null) => text?.trim().toLowerCase() === given.toLowerCase();
  const fitting = rows.filter((row) => isNamed(row.asset_id) || isNamed(row.asset_name));
  const found = new Set(fitting.map(({ asset_id }) => asset_id));
  const [only = null] = found;
  if (only === null || found.size > 1) return null;
  for (const id of ['listTransactions', 'listBalanceHistory', 'listWhitelist'] as const) {
    const exact = await ask.known(id, { asset_id: given, limit: 1 });
    if ('answer' in exact && exact.answer.data.length > 0) return null;
  }
  return only;
}

/** The address with another asset. @param pattern of the page, such as `/balances/assets/:asset_id` */
export function withAsset(url: URL, pattern: string, asset: string): string {
  const given = url.pathname.split('/');
  const path = pattern
    .split('/')
    .map((part, index) => (part === ':asset_id' ? pathSegment(asset) : given[index]))
    .join('/');
  const search = new URLSearchParams(url.search);
  if (search.has('asset_id')) search.set('asset_id', asset);
  return search.size === 0 ? path : `${path}?${search}`;
}
