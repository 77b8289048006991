// From one snapshot to the next: which balances end with it, which begin, and which are unknown. Pure. A balance goes on while
// its amounts and names are written exactly as before; what else the record holds is kept as it was when the interval began.
// What could not be read neither ends nor begins: it goes on and is unknown.
import { type Balance, type BalanceIdentity, balanceKey, sameAmounts } from '../../domain/balance.ts';
import type { Micros } from '../postgres/micros.ts';

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
  /** Records of which not even that could be read which balance they are. */
  readonly unidentified: number;
}

export interface BegunBalance extends Balance {
  /** Null where the amounts began with this snapshot. */
  readonly unchangedSince: Micros | null;
}

export interface BalanceStep {
  /** Balances that no longer show these values. */
  readonly ended: readonly CurrentBalance[];
  /** Balances that show new ones. One that changed is in both. */
  readonly begun: readonly BegunBalance[];
  /** Balances of which this snapshot does not tell whether there is any. */
  readonly unknown: readonly BalanceIdentity[];
  /** Balances that began, changed or ended, each counted once. */
  readonly changed: number;
}

const compared = [
  'assetName',
  'networkName',
  'totalBalance',
  'availableBalance',
  'processingBalance',
  'stakingBalance',
  'claimableBalance',
] as const satisfies readonly (keyof CurrentBalance)[];

/** @param unknown the balances that the snapshot before left unknown */
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
    if (before !== undefined && compared.every((field) => before[field] === balance[field])) continue;
    if (before !== undefined) ended.push(before);
    const goesOn = before !== undefined && sameAmounts(before, balance);
    begun.push({ ...balance, unchangedSince: goesOn ? before.unchangedSince : null });
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
  };
}

/** A record that names its asset and no network may be that of any network: of one that is held, if there is such. */
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
