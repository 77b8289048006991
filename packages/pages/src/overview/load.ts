// The queries of the overview. Each has a limit, and none reads more than a few days.
import type * as api from '../api/ask.ts';
import { checkedDays } from '../api/words.ts';
import type { PageRequest } from '../page/page.ts';
import { assetKey, currenciesOf } from '../parts/drawings.tsx';
import { dayLater, daysBetween, listsAll, observedEnds, todayOf } from '../view/moments.ts';

/** Rows of a page of the API: an account with more assets is cut after the most valuable. */
const mostRows = 500;
const greatestFirst = { sort: '-total_value', limit: mostRows } as const;
/** Assets of the overview: the greatest now, or at the end of yesterday. */
export const mostHoldings = 10;
const mostOpen = 100;
const shownMovements = 5;
const chartDays = 30;

export type Overview = NonNullable<Awaited<ReturnType<typeof loadOverview>>>;
export type Days = Awaited<ReturnType<typeof daysOf>>;

/** @returns null where nothing is mirrored yet */
export async function loadOverview(request: PageRequest) {
  const { ask, view, params } = request;
  const { data: health } = await ask.known('getHealth');
  if (health === null) return null;
  const days = await daysOf(ask, view.now);
  const sums = (await ask.known('listPortfolioValue', { limit: mostRows })).data;
  const currency = currencyOf(sums, params['currency']);
  const then = { currency, at: days.yesterday };
  // Slow queries start first.
  const slow = loadSlow(ask, currency, days);
  const balances = (await ask.known('listBalanceSplit', { currency, ...greatestFirst })) as Balances;
  const oldest = { is_open: 'true', sort: 'first_seen_at', limit: mostOpen };
  const open = await ask.known('listTransactions', oldest);
  const freshness = (await ask('listFreshness')).data;
  const { before, ...figures } = await slow;
  return {
    health,
    freshness: new Map(freshness.map((row) => [row.resource as string, row])),
    days,
    ends: await observedEnds(ask, days.today),
    /** All, warm and cold vaults side by side, with the value of each asset in the currency. */
    balances: { ...balances, data: await withGreatest(ask, { currency }, balances, before) },
    /** The balances at the end of yesterday. */
    before: { ...before, data: await withGreatest(ask, then, before, balances) },
    /** Whether an asset that these do not list is not held, and was not then. */
    isWhole: await listsAll(ask, undefined),
    wasWhole: await listsAll(ask, days.yesterday),
    sums,
    /** The currency in which the page values; null without prices in it. */
    currency,
    open: open as api.Found<api.Transaction>,
    ...figures,
  };
}

type Balances = api.Found<api.BalanceSplit>;

/** The rows of a list. If it is cut after the most valuable, also those of the greatest of the other. */
async function withGreatest(
  ask: api.Ask,
  query: api.QueryOf<'listBalanceSplit'>,
  list: Balances,
  other: Balances,
) {
  const rows = [...list.data];
  const listed = new Set(rows.map(assetKey));
  for (const row of list.next_cursor === null ? [] : other.data.slice(0, mostHoldings)) {
    if (listed.has(assetKey(row))) continue;
    const { asset_id, network_id } = row;
    rows.push(...(await ask.known('listBalanceSplit', { ...query, asset_id, network_id })).data);
  }
  return rows;
}

type ReadState = 'left out' | 'unread' | 'in part' | 'read';

export function readState({ freshness, health }: Overview, resource: api.Resource): ReadState {
  const row = freshness.get(resource);
  if ((row?.last_success_at ?? null) === null) return row?.is_mirrored === false ? 'left out' : 'unread';
  return resource === 'transactions' && health.complete_since === null ? 'in part' : 'read';
}

/** Resources in the words of readers, in the plural. */
export function resourceWords(resource: api.Resource): string {
  return resource === 'whitelist' ? 'whitelist entries' : resource;
}

/** Why a list of the resource is empty, unless there really is nothing; else `empty`. */
export function emptyWords(data: Overview, resource: api.Resource, empty: string): string {
  const state = readState(data, resource);
  if (state === 'left out')
    return `Unknown: ${resourceWords(resource)} are not mirrored (CUSTODY_RESOURCES).`;
  if (state === 'unread') return `Unknown: ${resourceWords(resource)} were not read yet.`;
  return state === 'in part' ? 'None among those read so far.' : empty;
}

const ofAll = (currency: string) => ({ currency, vault_type: 'all', limit: mostRows }) as const;

async function loadSlow(ask: api.Ask, currency: string | null, days: Days) {
  const { chart, since, yesterday } = days;
  const greatest = { settled_from: since, sort: '-value', limit: shownMovements } as const;
  const inMoney = <Answer>(asked: (currency: string) => Answer) =>
    currency === null ? pending : asked(currency);
  const [flows, trends, valueDays, before, largest, checks] = await Promise.all([
    ask.last('listFlows', { day_from: yesterday, limit: mostRows }),
    ask.last('listBalanceTrends', { vault_type: 'all', day_from: chart[0], limit: mostRows }),
    inMoney((currency) => ask.last('listPortfolioValueDays', { ...ofAll(currency), day_from: chart[0] })),
    inMoney((currency) => ask.last('listBalanceSplit', { currency, at: yesterday, ...greatestFirst })),
    inMoney((currency) => ask.last('listMovementValues', { ...greatest, currency })),
    loadChecks(ask, days),
  ]);
  return {
    flows: reached(flows),
    trends: reached(trends),
    valueDays: reached<api.PortfolioValueDay>(valueDays),
    before: reached<api.BalanceSplit | api.BalanceSplitAt>(before),
    largest: reached<api.MovementValue>(largest),
    checks,
  };
}

/** The requested one, if it has prices. */
export function currencyOf(sums: readonly api.PortfolioValue[], wanted: string | undefined): string | null {
  const currencies = currenciesOf(sums);
  return (wanted === undefined ? currencies[0] : currencies.find((one) => one === wanted)) ?? null;
}

async function daysOf(ask: api.Ask, now: string) {
  const today = await todayOf(ask, now);
  const yesterday = dayLater(today, -1);
  const chart = Array.from({ length: chartDays }, (_, index) => dayLater(today, index + 1 - chartDays));
  const known = await daysBetween(ask, chart[0] ?? today);
  /** The first moment of a day; for a day before the mirror, a moment before its first one. */
  const startOf = (day: string) => known.find((each) => each.day === day)?.starts_at ?? `${day}T00:00:00Z`;
  return { today, yesterday, since: startOf(yesterday), chart, startOf };
}

const mostFound = 100;

export type Checks = Overview['checks'];

/** What may need attention besides health: queries that are slow in a large account. */
async function loadChecks(ask: api.Ask, { chart, startOf }: Days) {
  // Today and so many days before it, as the payments' page counts them, so that the morning does not shorten
  // the period.
  const day = chart.at(-checkedDays - 1) ?? '';
  const since = startOf(day);
  const [notWhitelisted, unexplained] = await Promise.all([
    ask.last('listDestinationUses', { first_seen_from: since, is_whitelisted: false, limit: mostFound }),
    ask.last('listReconciliation', { day_from: day, is_explained: false, limit: mostFound }),
  ]);
  return {
    day,
    since,
    unexplained: reached(unexplained),
    /** Payments to destinations that the whitelist certainly did not hold. */
    notWhitelisted: reached(notWhitelisted),
  };
}

type Found<Row> = api.Last<api.Rows<Row>>;

const pending = { state: 'pending', askedAt: null, unknown: null, data: [], next_cursor: null } as const;

/** The time limit may end before a day with a row is found: what the others hold is not known yet. */
function reached<Row>(found: Found<Row>): Found<Row> {
  return found.data.length === 0 && found.next_cursor !== null ? pending : found;
}

export function pricesOf({ balances }: Overview): ReadonlyMap<string, string | null> {
  return new Map(balances.data.map(({ asset_id, price }) => [asset_id, price]));
}

export function valueIn({ sums, currency }: Overview, type: string): api.PortfolioValue | undefined {
  return sums.find((row) => row.vault_type === type && row.currency === currency);
}
