// The address of a page as people type it and its forms send it, with empty fields, local times and traces of
// others; and as it is shared, without these, so that it means the same to everybody.
import type { Ask, Day, Parameters } from '../api/ask.ts';
import { isDay, pathSegment, withoutSeparators } from '../api/words.ts';
import { fieldMoment, isLocalTime, momentOf, originalSuffix, roundTripped } from '../view/moments.ts';

/** Parameters that mails, chats and advertising append to a link to trace who follows it. */
const traces =
  /^(?:utm_\w+|\w*clid|msclkid|gad_\w+|[gw]braid|mc_[ce]id|_g[al]|_hs(?:enc|mi)|igshid|mkt_tok)$/i;

/** The search of the address as it is shared, with its `?`; null when the address has this form already. */
export function sharedSearch(
  search: string,
  parameters: Parameters,
  zone: string,
  closed: Day | null = null,
): string | null {
  const given = [...new URLSearchParams(search)];
  const readsOf = (name: string) => (Object.hasOwn(parameters, name) ? parameters[name]?.reads : undefined);
  const isMoment = (name: string) => ['moment', 'moment or day'].includes(readsOf(name) ?? '');
  const kept = given.flatMap(([name, value]): [string, string][] => {
    const text = value.trim();
    if (text === '' || (readsOf(name) === undefined && traces.test(name))) return [];
    if (readsOf(name) === 'amount') return [[name, withoutSeparators(text)]];
    if (name.endsWith(originalSuffix) && isMoment(name.slice(0, -originalSuffix.length))) return [];
    if (!isMoment(name) || !isLocalTime(text)) return [[name, text]];
    if (readsOf(name) === 'moment or day' && isDay(text)) return [[name, text]];
    const typed = momentOf(text, zone) ?? text;
    const [, filled = ''] = given.find(([other]) => other === `${name}${originalSuffix}`) ?? [];
    return [[name, typed === roundTripped(fieldMoment(filled, closed), zone) ? filled : typed]];
  });
  const isSame =
    kept.length === given.length && kept.every(([, value], index) => given[index]?.[1] === value);
  if (isSame) return null;
  const text = new URLSearchParams(kept).toString();
  return text === '' ? '' : `?${text}`;
}

/** The day whose close the address asks for, or with which its form was filled; null for none. */
export function dayAsked(search: string, { at }: Parameters): string | null {
  const given = new URLSearchParams(search);
  const day = given.get(`at${originalSuffix}`) ?? given.get('at') ?? '';
  return at?.reads === 'moment or day' && isDay(day) && at.schema.safeParse(day).success ? day : null;
}

/** The path of the intended page, with its values as given; null if no page has such a path. */
export function normalizePath(pathname: string, patterns: readonly string[]): string | null {
  const given = pathname.split('/').filter(Boolean);
  for (const pattern of patterns) {
    const parts = pattern.split('/').filter(Boolean);
    const isMeant = (part: string, index: number) =>
      part.startsWith(':') || part === given[index]?.toLowerCase();
    if (parts.length === given.length && parts.every(isMeant))
      return `/${parts.map((part, index) => (part.startsWith(':') ? given[index] : part)).join('/')}`;
  }
  return null;
}

/**
 * The identifier of the only asset in the balances that has this name or identifier, large letters or small;
 * null where the account has an asset of exactly this identifier, and where none or several fit.
 */
export async function resolveAsset(ask: Ask, given: string): Promise<string | null> {
  // Most addresses are exact: checking that costs one query of the present balances.
  const present = await ask.known('listBalances', { asset_id: given, limit: 1 });
  if (present.unknown !== null || present.data.length > 0) return null;
  const rows = await ask.all('listBalances', { vault_type: 'all' });
  const isNamed = (text: string | null) => text?.trim().toLowerCase() === given.toLowerCase();
  const fitting = rows.filter((row) => isNamed(row.asset_id) || isNamed(row.asset_name));
  const found = new Set(fitting.map(({ asset_id }) => asset_id));
  const [only = null] = found;
  if (only === null || found.size > 1) return null;
  for (const id of ['listTransactions', 'listBalanceHistory', 'listWhitelist'] as const) {
    if ((await ask.known(id, { asset_id: given, limit: 1 })).data.length > 0) return null;
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
