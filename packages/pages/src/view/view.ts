// What a page knows of its reader and its address. Its parts find this in a global, because a page is
// rendered in one go, and nothing awaits in between. Preferences are kept in cookies: they hold nothing of
// the account, and each is one of a few words.
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { createContext, useContext } from 'hono/jsx';
import type { Account, Day, Params } from '../api/ask.ts';
import { pathSegment } from '../api/words.ts';

/** The first of each is the default. */
export const choices = {
  /** Times and typed moments: in the account's zone or in UTC. */
  zone: ['account', 'utc'],
  /** Amounts rounded to at most eight decimals, or with all their digits. */
  digits: ['short', 'all'],
  /** Colours: those that the reader's system prefers, or one of the two. */
  theme: ['auto', 'light', 'dark'],
  /** How high the rows of tables are. */
  rows: ['normal', 'compact'],
} as const;

export type Preferences = { readonly [Name in keyof typeof choices]: (typeof choices)[Name][number] };

const yearSeconds = 365 * 86_400;

export function readPreferences(c: Context): Preferences {
  const chosen = Object.entries(choices).map(([name, values]) => {
    const kept = getCookie(c, name);
    return [name, values.find((value) => value === kept) ?? values[0]];
  });
  return Object.fromEntries(chosen) as Preferences;
}

/** Keeps the preferences that the address names and takes them out of it; whether there were any. */
export function keepPreferences(c: Context, given: URLSearchParams): boolean {
  const named = Object.entries(choices).filter(([name]) => given.has(name));
  for (const [name, values] of named) {
    const value = values.find((each) => each === given.get(name));
    if (value !== undefined)
      setCookie(c, name, value, { path: '/', httpOnly: true, sameSite: 'Lax', maxAge: yearSeconds });
    given.delete(name);
  }
  return named.length > 0;
}

export interface View {
  readonly account: string;
  readonly accounts: readonly Account[];
  /** How the reader wants figures; remembered in cookies. */
  readonly preferences: Preferences;
  /** IANA name of the time zone in which times are shown. */
  readonly zone: string;
  readonly now: string;
  /** The day whose close the address asks for; null without one, and where the mirror knows no such day. */
  readonly closed: Day | null;
  readonly path: string;
  /** The parameters of the address after `?`, checked; moments are in UTC. */
  readonly query: Params;
}

export function accountOf({ accounts, account }: Pick<View, 'accounts' | 'account'>): Account | undefined {
  return accounts.find(({ account_id }) => account_id === account);
}

/** Zone of the days: that of the account, whatever zone the reader chose for times. */
export function accountZone(view: Pick<View, 'accounts' | 'account'>): string {
  return accountOf(view)?.time_zone ?? 'UTC';
}

export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Without parameters that have no value, and with the account where the present address names one. */
export function addressOf({ query }: View, path: string, given: Query = {}): string {
  return written(path, { account: query['account'], ...given });
}

/** This page with other parameters; null removes one. */
export function sameWith({ path, query }: View, changes: Query): string {
  return written(path, { ...query, ...changes });
}

/** The view as of this page with other parameters. */
export function withQuery(view: View, changes: Params): View {
  return { ...view, query: { ...view.query, ...changes } };
}

/** The address of the same rows in the read API. `path` is below /api, such as `/v1/balances.csv`. */
export function apiAddress({ account }: View, path: string, given: Query = {}): string {
  return written(`/api${path}`, { account, ...given });
}

function written(path: string, given: Query): string {
  const pairs = Object.entries(given).flatMap(([name, value]): [string, string][] =>
    value === null || value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  const search = new URLSearchParams(pairs).toString();
  return search === '' ? path : `${path}?${search}`;
}

export const transactionPath = (id: string) => `/transactions/${pathSegment(id)}`;
/** Of the asset on all its networks. */
export const assetPath = (id: string) => `/balances/assets/${pathSegment(id)}`;
export const vaultPath = (id: string) => `/documents/vaults/${pathSegment(id)}`;
export const entryPath = (id: string) => `/documents/whitelist/${pathSegment(id)}`;

const currentView = createContext<View | null>(null);

export const ViewProvider = currentView.Provider;

/** For a component, while it is rendered. */
export function useView(): View {
  const view = useContext(currentView);
  if (view === null) throw new TypeError('a part of a page was rendered without a view');
  return view;
}
