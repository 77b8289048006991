// What the views of balances must show, from the recorded observations alone, walked through naively one after the other.
import type { BalanceRecord } from '../../src/sandbox/records.ts';
import { sixPlaces, textOf, textOrNull, times, type Units, units } from './decimal.ts';
import { postingsOf } from './expected-sums.ts';
import { moment, sinceOf } from './expected-transactions.ts';
import { type BalanceReading, type Observed, type Type, vaultTypes } from './observed.ts';
import type { ViewRow } from './views.ts';
import { dayOf, type Micros, nextDay, startOfDay } from './zones.ts';

/** What the views of balances are told from. */
export type ObservedBalances = Pick<Observed, 'account' | 'balances'>;

interface Shown {
  readonly type: Type;
  readonly at: Micros;
  readonly record: BalanceRecord;
  /** The first observation since when it was shown unchanged. */
  readonly since: Micros;
}

const keyOf = ({ assetId, networkId }: BalanceRecord) => JSON.stringify([assetId, networkId]);
const same = (a: BalanceRecord, b: BalanceRecord) => JSON.stringify(a) === JSON.stringify(b);

/** The observations of one vault type, in order, with what each showed. */
function observationsOf(
  { balances }: ObservedBalances,
  type: Type,
): { at: Micros; shown: Map<string, Shown> }[] {
  const observations: { at: Micros; shown: Map<string, Shown> }[] = [];
  for (const { at, lists } of balances) {
    const list = lists.get(type);
    if (list === undefined) continue;
    const before = observations.at(-1)?.shown;
    const shown = new Map(
      list.map((record): [string, Shown] => {
        const earlier = before?.get(keyOf(record));
        const since = earlier !== undefined && same(earlier.record, record) ? earlier.since : at;
        return [keyOf(record), { type, at, record, since }];
      }),
    );
    observations.push({ at, shown });
  }
  return observations;
}

const assetOf = ({ assetId, assetName, networkId, networkName }: BalanceRecord) => ({
  asset_id: assetId,
  asset_name: assetName,
  network_id: networkId,
  network_name: networkName,
});

const exact = (text: string) => textOf(units(text));

function figures(account: string, { type, record, since }: Shown): ViewRow {
  return {
    account_id: account,
    vault_type: type,
    ...assetOf(record),
    total_balance: exact(record.total),
    available_balance: exact(record.available),
    processing_balance: exact(record.processing),
    staking_balance: exact(record.staking),
    claimable_balance: exact(record.claimable),
    unchanged_since: moment(since),
  };
}

export function snapshotRows(observed: ObservedBalances): ViewRow[] {
  return vaultTypes.flatMap((type) =>
    observationsOf(observed, type).flatMap(({ at, shown }) =>
      [...shown.values()].map((one) => ({ ...figures(observed.account, one), snapshot_at: moment(at) })),
    ),
  );
}

/** What was known at a moment: the last observation up to then. */
export function balancesAtRows(observed: ObservedBalances, at: Micros): ViewRow[] {
  return vaultTypes.flatMap((type) => {
    const last = observationsOf(observed, type).findLast((observation) => observation.at <= at);
    return [...(last?.shown.values() ?? [])].map((one) => ({
      ...figures(observed.account, one),
      observed_at: moment(one.at),
      age: moment(at - one.at),
    }));
  });
}

export function dailyRows(observed: ObservedBalances, timeZone: string, now: Micros): ViewRow[] {
  return vaultTypes.flatMap((type) => {
    const lastOfDay = new Map(
      observationsOf(observed, type).map((observation) => [dayOf(observation.at, timeZone), observation]),
    );
    return [...lastOfDay].flatMap(([day, { at, shown }]) => {
      const ends = startOfDay(nextDay(day), timeZone);
      return [...shown.values()].map((one) => ({
        ...figures(observed.account, one),
        day,
        observed_at: moment(at),
        age: moment((ends < now ? ends : now) - at),
      }));
    });
  });
}

export function changeRows(observed: ObservedBalances): ViewRow[] {
  return vaultTypes.flatMap((type) => {
    const observations = observationsOf(observed, type);
    return observations.flatMap(({ at, shown }, index) => {
      const earlier = observations[index - 1];
      const keys = new Set([...(earlier?.shown.keys() ?? []), ...shown.keys()]);
      return [...keys].flatMap((key) => {
        const [was, is] = [earlier?.shown.get(key)?.record, shown.get(key)?.record];
        const record = is ?? was;
        if (record === undefined || (was !== undefined && is !== undefined && same(was, is))) return [];
        const [before, after] = [total(was), total(is)];
        return [
          {
            account_id: observed.account,
            vault_type: type,
            ...assetOf(record),
            changed_at: moment(at),
            unchanged_until: moment(earlier?.at ?? null),
            change:
              earlier === undefined
                ? 'first observed'
                : was === undefined
                  ? 'appeared'
                  : is
                    ? 'changed'
                    : 'disappeared',
            ...beforeAndAfter(was, is),
            total_change: earlier === undefined ? null : textOf((after ?? 0n) - (before ?? 0n)),
          },
        ];
      });
    });
  });
}

const total = (record: BalanceRecord | undefined): Units | null =>
  record === undefined ? null : units(record.total);

function beforeAndAfter(was: BalanceRecord | undefined, is: BalanceRecord | undefined): ViewRow {
  const parts = ['total', 'available', 'processing', 'staking', 'claimable'] as const;
  return Object.fromEntries(
    parts.flatMap((part) => [
      [`${part}_before`, was === undefined ? null : exact(was[part])],
      [`${part}_after`, is === undefined ? null : exact(is[part])],
    ]),
  );
}

export function splitRows(observed: Observed): ViewRow[] {
  const last = observed.balances.findLast(({ lists }) => vaultTypes.every((type) => lists.has(type)));
  if (last === undefined) return [];
  const listed = new Map(
    vaultTypes.flatMap((type) => last.lists.get(type) ?? []).map((record) => [keyOf(record), record]),
  );
  return [...listed].map(([key, record]) => {
    const of = (type: Type) =>
      (last.lists.get(type) ?? [])
        .filter((one) => keyOf(one) === key)
        .reduce((all, one) => all + units(one.total), 0n);
    const [all, warm, cold] = [of('all'), of('warm'), of('cold')];
    return {
      account_id: observed.account,
      observed_at: moment(last.at),
      ...assetOf(record),
      warm_total: textOf(warm),
      cold_total: textOf(cold),
      all_total: textOf(all),
      difference: textOf(all - warm - cold),
      agrees: all === warm + cold,
      cold_share: warm + cold === 0n ? null : sixPlaces(cold, warm + cold),
    };
  });
}

export interface Price {
  readonly assetId: string;
  readonly currency: string;
  readonly asOf: Micros;
  readonly price: string;
}

/** Rows of balances, each with every currency in which its asset has a price at `priceAt(row)`. */
export function valueRows(
  rows: readonly ViewRow[],
  prices: readonly Price[],
  priceAt: (row: ViewRow) => Micros,
): ViewRow[] {
  return rows.flatMap((row) => {
    const latest = new Map<string, Price>();
    for (const price of prices.toSorted((a, b) => (a.asOf < b.asOf ? -1 : 1)))
      if (price.assetId === row['asset_id'] && price.asOf <= priceAt(row)) latest.set(price.currency, price);
    const {
      available_balance: _,
      processing_balance: __,
      staking_balance: ___,
      claimable_balance: ____,
      unchanged_since: _____,
      ...kept
    } = row;
    return [...latest.values()].map(({ currency, price, asOf }) => ({
      ...kept,
      currency,
      price: exact(price),
      price_as_of: moment(asOf),
      total_value: textOf(times(units(String(row['total_balance'])), units(price))),
    }));
  });
}

export function reconciliationRows(observed: Observed, timeZone: string): ViewRow[] {
  const since = sinceOf(observed);
  const postings = postingsOf(observed);
  const observations = observed.balances.filter(({ lists }) => lists.has('all'));
  const closings = new Map(observations.map((observation) => [dayOf(observation.at, timeZone), observation]));
  return [...closings].flatMap(([day, closing]) => {
    const opening = observations.findLast(({ at }) => dayOf(at, timeZone) < day);
    const between = postings.filter(({ at }) => opening !== undefined && at > opening.at && at <= closing.at);
    const assets = new Map([
      ...between.map(({ record }) => [record.assetId, record.assetName] as const),
      ...[opening, closing].flatMap((one) =>
        listOf(one).map((record) => [record.assetId, record.assetName] as const),
      ),
    ]);
    return [...assets].map(([assetId, assetName]) => {
      const own = between.filter(({ record }) => record.assetId === assetId);
      const [was, is] = [sumsOf(opening, assetId), sumsOf(closing, assetId)];
      const add = (part: 'inflow' | 'outflow' | 'fee' | 'staked') =>
        opening === undefined ? null : own.reduce<Units | null>((all, { [part]: one }) => plus(all, one), 0n);
      const [inflow, outflow, fee, staked] = [add('inflow'), add('outflow'), add('fee'), add('staked')];
      const rewards = staked === null ? null : is.staked - was.staked - staked;
      const expected = [minus(outflow), minus(fee), rewards].reduce(
        plus,
        plus(opening === undefined ? null : was.total, inflow),
      );
      return {
        account_id: observed.account,
        day,
        asset_id: assetId,
        asset_name: assetName || null,
        opening_observed_at: moment(opening?.at ?? null),
        opening_balance: opening === undefined ? null : textOf(was.total),
        inflow: textOrNull(inflow),
        outflow: textOrNull(outflow),
        fees: textOrNull(fee),
        staking_rewards: textOrNull(rewards),
        expected_balance: textOrNull(expected),
        closing_balance: textOf(is.total),
        closing_observed_at: moment(closing.at),
        unexplained_difference: textOrNull(expected === null ? null : is.total - expected),
        is_explained: expected === null ? null : is.total === expected,
        is_comparable: opening !== undefined && opening.at >= since,
      };
    });
  });
}

const plus = (a: Units | null, b: Units | null): Units | null => (a === null || b === null ? null : a + b);
const minus = (a: Units | null): Units | null => (a === null ? null : -a);

function listOf(reading: BalanceReading | undefined): readonly BalanceRecord[] {
  return reading?.lists.get('all') ?? [];
}

function sumsOf(reading: BalanceReading | undefined, assetId: string): { total: Units; staked: Units } {
  const own = listOf(reading).filter((record) => record.assetId === assetId);
  return {
    total: own.reduce((all, record) => all + units(record.total), 0n),
    staked: own.reduce((all, record) => all + units(record.staking) + units(record.claimable), 0n),
  };
}
