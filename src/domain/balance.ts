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

/** What identifies a balance within one vault type. */
export function balanceKey(balance: Pick<Balance, 'assetId' | 'networkId'>): string {
  return JSON.stringify([balance.assetId, balance.networkId]);
}

/**
 * Whether total = available + processing + staking + claimable, as the samples of interface.md 2.8 suggest; null when a
 * part is missing. The document does not state it as a rule, so a difference is reported and nothing is refused.
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
