// Decides what a snapshot changes: which intervals of balances end with it, which begin, and which balances
// are unknown. Pure. An interval goes on while amounts and names are written exactly as before. A balance
// that could not be read neither ends nor begins: its interval goes on, and its value is unknown.
import { type Balance, type BalanceIdentity, balanceKey, sameAmounts } from '../../domain/balance.ts';
import { balanceFields, namesOf } from '../../domain/fields.ts';
import type { Micros } from '../values/micros.ts';

/** A balance as it is mirrored. */
export interface CurrentBalance extends Omit<Balance, 'raw'> {
  /** First snapshot since when the amounts are the same numbers. */
  readonly unchangedSince: Micros;
}

/** What a snapshot showed. */
export interface ObservedBalances {
  /** Each balance at most once. */
  readonly readable: readonly Balance[];
  /** Balances whose own record could not be read. */
  readonly unreadable: readonly BalanceIdentity[];
  /** Records that do not even show which balance they belong to. */
  readonly unidentified: number;
}

export interface BegunBalance extends Balance {
  /** Null where the amounts are new with this snapshot. */
  readonly unchangedSince: Micros | null;
}

export interface BalanceStep {
  /** Balances whose values end. One that changed is in `begun` as well. */
  readonly ended: readonly CurrentBalance[];
  /** Balances with new values. */
  readonly begun: readonly BegunBalance[];
  /** Balances whose value this snapshot does not show. */
  readonly unknown: readonly BalanceIdentity[];
  /** Balances that began, changed or ended, each counted once. */
  readonly changed: number;
  /** Of these, the balances that the mirror did not have before. */
  readonly appeared: number;
}

const fields = namesOf(balanceFields);

/**
 * @param current the balances of the previous snapshot
 * @param unknown the balances that it left unknown
 */
export function stepBalances(
  current: readonly CurrentBalance[],
  unknown: readonly BalanceIdentity[],
  observed: ObservedBalances,
): BalanceStep {
  const currentByKey = new Map(current.map((balance) => [balanceKey(balance), balance]));
  const shown = new Set(observed.readable.map(balanceKey));
  const ended: CurrentBalance[] = [];
  const begun: BegunBalance[] = [];
  for (const balance of observed.readable) {
    const before = currentByKey.get(balanceKey(balance));
    if (before !== undefined && fields.every((field) => before[field] === balance[field])) continue;
    if (before !== undefined) ended.push(before);
    const isSameAmount = before !== undefined && sameAmounts(before, balance);
    begun.push({ ...balance, unchangedSince: isSameAmount ? before.unchangedSince : null });
  }
  const held = [...current, ...unknown].filter((balance) => !shown.has(balanceKey(balance)));
  const unreadable = new Map(
    unknownOf(held, observed)
      .filter((balance) => !shown.has(balanceKey(balance)))
      .map(({ assetId, networkId }) => [balanceKey({ assetId, networkId }), { assetId, networkId }]),
  );
  const gone = current.filter(
    (balance) => !shown.has(balanceKey(balance)) && !unreadable.has(balanceKey(balance)),
  );
  return {
    ended: [...ended, ...gone],
    begun,
    unknown: [...unreadable.values()],
    changed: begun.length + gone.length,
    appeared: begun.length - ended.length,
  };
}

/**
 * An unreadable record that names an asset without a network may be of any network on which that asset is
 * held.
 */
function unknownOf(
  held: readonly BalanceIdentity[],
  { unreadable, unidentified }: ObservedBalances,
): readonly BalanceIdentity[] {
  const keys = new Set(unreadable.map(balanceKey));
  const withoutNetwork = new Set(
    unreadable.filter(({ networkId }) => networkId === '').map(({ assetId }) => assetId),
  );
  const assetsHeld = new Set(held.map(({ assetId }) => assetId));
  return [
    ...held.filter(
      (balance) => unidentified > 0 || keys.has(balanceKey(balance)) || withoutNetwork.has(balance.assetId),
    ),
    ...unreadable.filter(({ assetId, networkId }) => networkId !== '' || !assetsHeld.has(assetId)),
  ];
}
