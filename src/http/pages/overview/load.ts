// What the overview asks the API for. Every question has a limit, and none reads more than a few days.
import type {
  Balance,
  BalanceValue,
  Flow,
  Freshness,
  Health,
  MovementValue,
  Transaction,
  VaultSplit,
  Worth,
  WorthDay,
} from '../../../client/api-types.ts';
import type { Ask } from '../page/ask.ts';
import type { PageRequest } from '../page/page.ts';
import type { View } from '../view/view.ts';
import { localTime, momentOf } from '../view/zone.ts';
import { type Checks, loadChecks } from './checks.ts';

/** Rows of a page of the API: an account with more assets is cut, and told so. */
export const mostRows = 500;
export const shownMovements = 5;
/** Days of the chart. */
const chartDays = 30;
const dayMs = 86_400_000;

export interface Days {
  /** Time zone of the days. */
  readonly zone: string;
  readonly today: string;
  readonly yesterday: string;
  /** The first moment of yesterday. */
  readonly since: string;
  /** All days of the chart, the last is today. */
  readonly chart: readonly string[];
}

export interface Overview {
  readonly health: Health;
  readonly freshness: ReadonlyMap<string, Freshness>;
  readonly days: Days;
  readonly balances: readonly Balance[];
  readonly hasMoreBalances: boolean;
  readonly split: readonly VaultSplit[];
  /** Of all currencies and types of vaults. */
  readonly worth: readonly Worth[];
  /** The currency in which the page values; null without prices. */
  readonly currency: string | null;
  readonly values: readonly BalanceValue[];
  readonly worthDays: readonly WorthDay[];
  readonly flows: readonly Flow[];
  readonly hasMoreFlows: boolean;
  readonly largest: readonly MovementValue[];
  /** The oldest open ones. */
  readonly open: readonly Transaction[];
  readonly hasMoreOpen: boolean;
  readonly checks: Checks;
}

/** @returns null where nothing is mirrored yet */
export async function loadOverview(request: PageRequest): Promise<Overview | null> {
  const { ask, view, given } = request;
  const health = await ask.known('getHealth');
  if ('unknown' in health) return null;
  const freshness = new Map((await ask('listFreshness')).data.map((row) => [row.resource as string, row]));
  const days = daysOf(view, health.answer.data.time_zone);
  const balances = await ask.known('listBalances', { vault_type: 'all', limit: mostRows });
  const worth = (await ask('listWorth', { limit: mostRows })).data;
  const currency = currencyOf(worth, given['currency']);
  const flows = await ask('listFlows', { day_from: days.yesterday, limit: mostRows });
  const open = await ask('listTransactions', { is_open: 'true', sort: 'first_seen_at', limit: 100 });
  return {
    health: health.answer.data,
    freshness,
    days,
    balances: 'answer' in balances ? (balances.answer.data as readonly Balance[]) : [],
    hasMoreBalances: 'answer' in balances && balances.answer.next_cursor !== null,
    split: (await ask('listVaultSplit', { limit: mostRows })).data,
    worth,
    currency,
    ...(await loadValues(ask, currency, days)),
    flows: flows.data as readonly Flow[],
    hasMoreFlows: flows.next_cursor !== null,
    open: open.data as readonly Transaction[],
    hasMoreOpen: open.next_cursor !== null,
    checks: await loadChecks(request, days),
  };
}

async function loadValues(ask: Ask, currency: string | null, days: Days) {
  if (currency === null) return { values: [], worthDays: [], largest: [] };
  const ofAll = { currency, vault_type: 'all', limit: mostRows };
  return {
    values: (await ask('listBalanceValues', ofAll)).data,
    worthDays: (await ask('listWorthDays', { ...ofAll, day_from: days.chart[0] })).data,
    largest: (
      await ask('listMovementValues', {
        currency,
        settled_from: days.since,
        sort: '-value',
        limit: shownMovements,
      })
    ).data,
  };
}

/** The one that was asked for, else the one in which most assets have prices. */
function currencyOf(worth: readonly Worth[], wanted: string | undefined): string | null {
  const all = worth.filter(({ vault_type }) => vault_type === 'all');
  if (wanted !== undefined && all.some(({ currency }) => currency === wanted)) return wanted;
  const best = all.toSorted((a, b) => b.valued_assets - a.valued_assets)[0];
  return best?.currency ?? null;
}

function daysOf({ now }: View, zone: string): Days {
  const today = localTime(now, zone).slice(0, 10);
  const back = (count: number) => new Date(Date.parse(today) - count * dayMs).toISOString().slice(0, 10);
  const yesterday = back(1);
  return {
    zone,
    today,
    yesterday,
    since: momentOf(yesterday, zone) ?? now,
    chart: Array.from({ length: chartDays }, (_, index) => back(chartDays - 1 - index)),
  };
}
