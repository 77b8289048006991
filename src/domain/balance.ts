// The balance of one asset in one vault type (interface.md 2.6 to 2.8).
import { addDecimals, type Decimal, equalDecimals } from './decimal.ts';

/** `all` is GET /balances; `warm` and `cold` are GET /balances/{vault_type}. */
export const balanceVaultTypes = ['all', 'warm', 'cold'] as const;
export type BalanceVaultType = (typeof balanceVaultTypes)[number];

export interface Balance {
  readonly assetId: string;
  /** Empty text when the service names no network: the pair identifies the balance. */
  readonly networkId: string;
  readonly assetName: string | null;
  readonly networkName: string | null;
  readonly totalBalance: Decimal | null;
  readonly availableBalance: Decimal | null;
  readonly processingBalance: Decimal | null;
  readonly stakingBalance: Decimal | null;
  readonly claimableBalance: Decimal | null;
  /** The element as received, as JSON text that PostgreSQL's jsonb accepts. */
  readonly raw: string;
}

export type BalanceIdentity = Pick<Balance, 'assetId' | 'networkId'>;

/** The key of a balance within one vault type: a JSON array of asset and network. */
export function balanceKey(balance: BalanceIdentity): string {
  return JSON.stringify([balance.assetId, balance.networkId]);
}

/** The balance that a key names; null for the key of a record without an asset, which is a digest. */
export function balanceOfKey(key: string): BalanceIdentity | null {
  if (!key.startsWith('[')) return null;
  const [assetId, networkId]: unknown[] = JSON.parse(key);
  return typeof assetId === 'string' && typeof networkId === 'string' ? { assetId, networkId } : null;
}

/** True when all amounts are the same numbers; trailing zeros do not count. */
export function sameAmounts(a: BalanceAmounts, b: BalanceAmounts): boolean {
  return amounts.every((name) => {
    const [one, other] = [a[name], b[name]];
    return one === null || other === null ? one === other : equalDecimals(one, other);
  });
}

const amounts = [
  'totalBalance',
  'availableBalance',
  'processingBalance',
  'stakingBalance',
  'claimableBalance',
] as const satisfies readonly (keyof Balance)[];

export type BalanceAmounts = Pick<Balance, (typeof amounts)[number]>;

/**
 * True when total = available + processing + staking + claimable, as the samples of interface.md 2.8 suggest; null when a
 * part is missing. The document does not state this rule, so a difference is reported and the balance is kept.
 */
export function balancePartsAgree(balance: Balance): boolean | null {
  const { totalBalance, availableBalance, processingBalance, stakingBalance, claimableBalance } = balance;
  if (
    totalBalance === null ||
    availableBalance === null ||
    processingBalance === null ||
    stakingBalance === null ||
    claimableBalance === null
  )
    return null;
  const sum = addDecimals([availableBalance, processingBalance, stakingBalance, claimableBalance]);
  return equalDecimals(totalBalance, sum);
}
