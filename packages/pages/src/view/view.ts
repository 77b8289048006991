// What a page knows of its reader and its address: the account, the time zone, how amounts are shown, and how
// links are made. The parts of a page find it around them, without being passed it: a page is rendered in one
// go, and nothing awaits in between.

import { createContext, useContext } from 'hono/jsx';
import { type Account, type Day, type Params, pathSegment } from '../api/interface.ts';
import type { Preferences } from './preferences.ts';

export interface View {
  /** Name of the account. */
  readonly account: string;
  /** All accounts that the reader may see. */
  readonly accounts: readonly Account[];
  /** How the reader wants figures; remembered in cookies. */
  readonly preferences: Preferences;
  /** IANA name of the time zone in which times are shown. */
  readonly zone: string;
  /** The present time, RFC 3339 in UTC. */
  readonly now: string;
  /** The day whose close the address asks for; null without one, and where the mirror knows no such day. */
  readonly closed: Day | null;
  /** Path of the page, such as `/balances`. */
  readonly path: string;
  /** The parameters of the address after `?`, checked; moments are in UTC. */
  readonly query: Params;
}

/** The account itself, where it is known. */
export function accountOf({ accounts, account }: Pick<View, 'accounts' | 'account'>): Account | undefined {
  return accounts.find(({ account_id }) => account_id === account);
}

/** Zone of the days: that of the account, whatever zone the reader chose for times. */
export function accountZone(view: Pick<View, 'accounts' | 'account'>): string {
  return accountOf(view)?.time_zone ?? 'UTC';
}

export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

/**
 * The address of a page: without parameters that have no value, and with the account where the present
 * address names one.
 */
export function addressOf({ query }: View, path: string, given: Query = {}): string {
  return written(path, { account: query['account'], ...given });
}

/** This page with other parameters; null removes one. */
export function sameWith({ path, query }: View, changes: Query): string {
  return written(path, { ...query, ...changes });
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

export function transactionPath(id: string): string {
  return `/transactions/${pathSegment(id)}`;
}

/** One asset on all its networks. */
export function assetPath(id: string): string {
  return `/balances/assets/${pathSegment(id)}`;
}

export function vaultPath(id: string): string {
  return `/documents/vaults/${pathSegment(id)}`;
}

/** An entry of the whitelist. */
export function entryPath(id: string): string {
  return `/documents/whitelist/${pathSegment(id)}`;
}

const currentView = createContext<View | null>(null);

export const ViewProvider = currentView.Provider;

/** For a component, while it is rendered. */
export function useView(): View {
  const view = useContext(currentView);
  if (view === null) throw new TypeError('a part of a page was rendered without a view');
  return view;
}
