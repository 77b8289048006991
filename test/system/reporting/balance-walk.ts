// What can be known of each balance, told from the observations one after the other: shown, not shown, or
// unknown, because a record could not be read that is its own or may be.
import type { BalanceRecord } from '../../../packages/sandbox/src/world/records.ts';
import { units, unitsOrNull } from './decimal.ts';
import type { Bounds, Observed, Type } from './observed.ts';
import type { Micros } from './zones.ts';

/** What the views of balances are told from. */
export type ObservedBalances = Pick<Observed, 'account' | 'balances'>;

export interface Known {
  readonly type: Type;
  /** The snapshot's moment. */
  readonly at: Micros;
  readonly assetId: string;
  readonly networkId: string;
  /** As it was last shown; null where it was never, or was gone in between. */
  readonly record: BalanceRecord | null;
  /** The first observation since when the amounts are the same. */
  readonly since: Micros | null;
  readonly isKnown: boolean;
  readonly lastKnownAt: Micros | null;
  nextKnownAt: Micros | null;
}

export interface Observation extends Bounds {
  readonly at: Micros;
  readonly shown: Map<string, Known>;
  /** A balance that is not shown may be there all the same. */
  readonly unidentified: boolean;
}

type Identity = Pick<BalanceRecord, 'assetId' | 'networkId'>;

export const keyOf = ({ assetId, networkId }: Identity) => JSON.stringify([assetId, networkId]);
const parts = ['total', 'available', 'processing', 'staking', 'claimable'] as const;

export const sameAmounts = (a: BalanceRecord, b: BalanceRecord) =>
  parts.every((part) => unitsOrNull(a[part]) === unitsOrNull(b[part]));

/** The observations of one vault type, in order, with what each showed or left unknown. */
export function observationsOf({ balances }: ObservedBalances, type: Type): Observation[] {
  const observations: Observation[] = [];
  for (const { at, lists, bounds, unreadable } of balances) {
    const list = lists.get(type);
    if (list === undefined) continue;
    const { named = [], unidentified = false } = unreadable?.get(type) ?? {};
    const before = observations.at(-1)?.shown ?? new Map<string, Known>();
    const shown = new Map<string, Known>();
    for (const record of list) {
      const { assetId, networkId } = record;
      const was = before.get(keyOf(record));
      const goesOn = was?.record !== null && was !== undefined && sameAmounts(was.record, record);
      const since = goesOn ? was.since : at;
      const known = { isKnown: true, lastKnownAt: null, nextKnownAt: null };
      shown.set(keyOf(record), { type, at, assetId, networkId, record, since, ...known });
    }
    const held = [...before.values()].filter((one) => !shown.has(keyOf(one)));
    // What names no network is a balance of its own only where none of the asset is missing.
    const candidates: readonly Identity[] = [
      ...held,
      ...named.filter(
        ({ assetId, networkId }) => networkId !== '' || !held.some((one) => one.assetId === assetId),
      ),
    ];
    for (const { assetId, networkId } of candidates) {
      const key = keyOf({ assetId, networkId });
      const isNamed = named.some(
        (one) => keyOf(one) === key || (one.networkId === '' && one.assetId === assetId),
      );
      if (shown.has(key) || !(isNamed || unidentified)) continue;
      const was = before.get(key);
      const lastKnownAt = was?.isKnown === false ? was.lastKnownAt : lastTelling(observations, key);
      const value = { record: was?.record ?? null, since: was?.since ?? null };
      shown.set(key, {
        type,
        at,
        assetId,
        networkId,
        ...value,
        isKnown: false,
        lastKnownAt,
        nextKnownAt: null,
      });
    }
    observations.push({
      at,
      shown,
      unidentified,
      ...(bounds?.get(type) ?? { askedAt: at, answeredAt: at }),
    });
  }
  tellNext(observations);
  return observations;
}

/** Whether an observation could tell of a balance what it was, or that it was not there. */
export function tells({ shown, unidentified }: Observation, key: string): boolean {
  const state = shown.get(key);
  return state === undefined ? !unidentified : state.isKnown;
}

function lastTelling(observations: readonly Observation[], key: string): Micros | null {
  return observations.findLast((observation) => tells(observation, key))?.at ?? null;
}

function tellNext(observations: readonly Observation[]): void {
  for (const [index, { shown }] of observations.entries())
    for (const [key, state] of shown) {
      if (state.isKnown) continue;
      const next = observations.slice(index + 1).find((later) => later.shown.get(key)?.isKnown !== false);
      state.nextKnownAt = next?.at ?? null;
    }
}

/** The last observation that was answered by a moment, and the one that was under way then. */
export function observationsAt(observations: readonly Observation[], at: Micros) {
  const last = observations.findLast(({ answeredAt }) => answeredAt <= at);
  const next = observations.find(({ answeredAt }) => answeredAt > at);
  return { last, underWay: next !== undefined && next.askedAt <= at ? next : undefined };
}

/** The sum of an asset's amounts; null where one of them is unknown, or where it may be there unseen. */
export function sumOf(
  observation: Observation,
  wanted: (known: Known) => boolean,
  amount: (record: BalanceRecord) => bigint = ({ total }) => units(total),
): bigint | null {
  const own = [...observation.shown.values()].filter(wanted);
  if (own.length === 0 && observation.unidentified) return null;
  if (own.some(({ isKnown }) => !isKnown)) return null;
  return own.reduce((all, { record }) => all + (record === null ? 0n : amount(record)), 0n);
}
