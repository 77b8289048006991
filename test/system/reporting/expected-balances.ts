// What the views of balances must show, from the recorded observations alone, walked through naively one
// after the other.
import type { BalanceRecord } from '../../../packages/sandbox/src/world/records.ts';
import {
  type Known,
  keyOf,
  type Observation,
  type ObservedBalances,
  observationsAt,
  observationsOf,
  sameAmounts,
  sumOf,
  tells,
} from './balance-walk.ts';
import { sixPlaces, sum, textOf, textOrNull, times, type Units, units } from './decimal.ts';
import { moment } from './expected-transactions.ts';
import { type Type, vaultTypes } from './observed.ts';
import type { ViewRow } from './views.ts';
import { dayOf, type Micros, nextDay, startOfDay, type Zone } from './zones.ts';

const exact = (text: string) => textOf(units(text));

const assetOf = ({ assetId, networkId, record }: Omit<Known, 'type'>) => ({
  asset_id: assetId,
  asset_name: record?.assetName ?? null,
  network_id: networkId,
  network_name: record?.networkName ?? null,
});

function figures(account: string, known: Known): ViewRow {
  const record = known.isKnown ? known.record : null;
  const figure = (part: keyof BalanceRecord) => (record === null ? null : exact(String(record[part])));
  return {
    account_id: account,
    vault_type: known.type,
    ...assetOf(known),
    total_balance: figure('total'),
    available_balance: figure('available'),
    processing_balance: figure('processing'),
    staking_balance: figure('staking'),
    claimable_balance: figure('claimable'),
    unchanged_since: known.isKnown ? moment(known.since) : null,
    is_known: known.isKnown,
    last_known_at: moment(known.lastKnownAt),
    next_known_at: moment(known.nextKnownAt),
  };
}

const boundsOf = ({ askedAt, answeredAt }: Observation) => ({
  asked_at: moment(askedAt),
  answered_at: moment(answeredAt),
});

export function snapshotRows(observed: ObservedBalances): ViewRow[] {
  return vaultTypes.flatMap((type) =>
    observationsOf(observed, type).flatMap((observation) =>
      [...observation.shown.values()].map((one) => ({
        ...figures(observed.account, one),
        snapshot_at: moment(observation.at),
        ...boundsOf(observation),
      })),
    ),
  );
}

/** The last observation of all. */
export function currentRows(observed: ObservedBalances, now: Micros): ViewRow[] {
  return vaultTypes.flatMap((type) => {
    const last = observationsOf(observed, type).at(-1);
    return [...(last?.shown.values() ?? [])].map((one) => {
      const { next_known_at: _, ...row } = figures(observed.account, one);
      return {
        ...row,
        observed_at: moment(one.at),
        age: moment(now - one.at),
        ...(last && boundsOf(last)),
      };
    });
  });
}

/**
 * What was known at a moment: the last observation answered by then, but for what changes in one that is
 * under way.
 */
export function balancesAtRows(observed: ObservedBalances, at: Micros): ViewRow[] {
  return vaultTypes.flatMap((type) => {
    const { last, underWay } = observationsAt(observationsOf(observed, type), at);
    const keys = new Set([...(last?.shown.keys() ?? []), ...(underWay?.shown.keys() ?? [])]);
    return [...keys].map((key) => {
      const [was, is] = [last?.shown.get(key), underWay?.shown.get(key)];
      const one = was ?? is;
      if (one === undefined) throw new Error('nothing was shown');
      const isKnown =
        was?.isKnown === true &&
        (underWay === undefined ||
          (is?.isKnown === true &&
            was.record !== null &&
            is.record !== null &&
            sameAmounts(was.record, is.record)));
      const lastKnownAt = was?.isKnown === false ? was.lastKnownAt : (last?.at ?? null);
      const nextKnownAt =
        underWay === undefined
          ? (was?.nextKnownAt ?? null)
          : is?.isKnown === false
            ? is.nextKnownAt
            : underWay.at;
      const state = isKnown
        ? { isKnown, lastKnownAt: null, nextKnownAt: null }
        : { isKnown, lastKnownAt, nextKnownAt };
      const named = { ...one, record: was?.record ?? is?.record ?? null };
      return {
        ...figures(observed.account, { ...named, ...state }),
        observed_at: moment(last?.at ?? null),
        age: moment(last === undefined ? null : at - last.at),
      };
    });
  });
}

/** An observation counts on the day on which it was answered. */
export function dailyRows(observed: ObservedBalances, timeZone: Zone, now: Micros): ViewRow[] {
  return vaultTypes.flatMap((type) => {
    const lastOfDay = new Map(
      observationsOf(observed, type).map((observation) => [
        dayOf(observation.answeredAt, timeZone),
        observation,
      ]),
    );
    return [...lastOfDay].flatMap(([day, observation]) => {
      const ends = startOfDay(nextDay(day), timeZone);
      return [...observation.shown.values()].map((one) => ({
        ...figures(observed.account, one),
        day,
        observed_at: moment(observation.at),
        age: moment((ends < now ? ends : now) - observation.at),
        ...boundsOf(observation),
        ends_at: moment(ends),
      }));
    });
  });
}

export function changeRows(observed: ObservedBalances): ViewRow[] {
  return vaultTypes.flatMap((type) => {
    const observations = observationsOf(observed, type);
    return observations.flatMap((observation, index) => {
      const keys = new Set(observations.slice(0, index + 1).flatMap(({ shown }) => [...shown.keys()]));
      return [...keys].flatMap((key) => {
        if (!tells(observation, key)) return [];
        const earlier = observations.slice(0, index).findLast((one) => tells(one, key));
        const [was, is] = [earlier?.shown.get(key), observation.shown.get(key)];
        const [before, after] = [was?.record ?? undefined, is?.record ?? undefined];
        if (after === undefined && before === undefined) return [];
        if (before !== undefined && after !== undefined && sameAmounts(before, after)) return [];
        const named = is ?? was;
        if (named === undefined) throw new Error('nothing was shown');
        const change =
          earlier === undefined
            ? 'first observed'
            : was === undefined
              ? 'appeared'
              : is
                ? 'changed'
                : 'disappeared';
        return [
          {
            account_id: observed.account,
            vault_type: type,
            ...assetOf(
              change === 'disappeared' ? { ...named, record: lastNamed(observations, index, key) } : named,
            ),
            changed_at: moment(observation.at),
            unchanged_until: moment(earlier?.at ?? null),
            change,
            ...beforeAndAfter(before, after),
            total_change: earlier === undefined ? null : textOf((total(after) ?? 0n) - (total(before) ?? 0n)),
            changed_after: moment(earlier?.askedAt ?? null),
            changed_before: moment(observation.answeredAt),
          },
        ];
      });
    });
  });
}

function lastNamed(observations: readonly Observation[], index: number, key: string): BalanceRecord | null {
  return (
    observations
      .slice(0, index)
      .findLast(({ shown }) => shown.has(key))
      ?.shown.get(key)?.record ?? null
  );
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

export function splitRows(observed: ObservedBalances): ViewRow[] {
  const last = observed.balances.findLast(({ lists }) => vaultTypes.every((type) => lists.has(type)));
  if (last === undefined) return [];
  const ofType = new Map(
    vaultTypes.map((type) => [type, observationsOf(observed, type).find(({ at }) => at === last.at)]),
  );
  const known = [...ofType.values()].flatMap((one) => [...(one?.shown.values() ?? [])]);
  const listed = new Map<string, Known>();
  for (const one of known) if (one.record !== null || !listed.has(keyOf(one))) listed.set(keyOf(one), one);
  const bounds = [...ofType.values()].flatMap((one) => (one === undefined ? [] : [one]));
  return [...listed].map(([key, one]) => {
    const of = (type: Type) => {
      const observation = ofType.get(type);
      return observation === undefined ? null : sumOf(observation, (other) => keyOf(other) === key);
    };
    const [all, warm, cold] = [of('all'), of('warm'), of('cold')];
    const difference = sum([all, warm === null ? null : -warm, cold === null ? null : -cold]);
    const held = sum([warm, cold]);
    return {
      account_id: observed.account,
      observed_at: moment(last.at),
      ...assetOf(one),
      warm_total: textOrNull(warm),
      cold_total: textOrNull(cold),
      all_total: textOrNull(all),
      difference: textOrNull(difference),
      agrees: difference === null ? null : difference === 0n,
      cold_share: held === null || cold === null || held === 0n ? null : sixPlaces(cold, held),
      is_known: all !== null && warm !== null && cold !== null,
      asked_at: moment(bounds.map(({ askedAt }) => askedAt).reduce((a, b) => (a < b ? a : b))),
      answered_at: moment(bounds.map(({ answeredAt }) => answeredAt).reduce((a, b) => (a > b ? a : b))),
    };
  });
}

/** The end of a day takes the last price before it; today, the last until now. */
export function closing(now: Micros): (row: ViewRow) => Micros {
  return (row) => {
    const last = BigInt(String(row['ends_at'])) - 1n;
    return last < now ? last : now;
  };
}

export interface Price {
  readonly assetId: string;
  readonly currency: string;
  readonly asOf: Micros;
  readonly price: string;
}

/** Columns of balances that stand in no view of their values. */
const withoutValue = new Set(
  `available_balance processing_balance staking_balance claimable_balance unchanged_since last_known_at next_known_at
   asked_at answered_at ends_at`.split(/\s+/),
);

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
    const kept = Object.fromEntries(Object.entries(row).filter(([name]) => !withoutValue.has(name)));
    return [...latest.values()].map(({ currency, price, asOf }) => ({
      ...kept,
      currency,
      price: exact(price),
      price_as_of: moment(asOf),
      total_value:
        row['total_balance'] === null
          ? null
          : textOf(times(units(String(row['total_balance'])), units(price))),
    }));
  });
}
