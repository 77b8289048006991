// The balance of one asset in one vault type (docs/custody-service.md 2.6 to 2.8).
import { addDecimals, equalDecimals } from './decimal.ts';
import { balanceAmounts, type balanceFields, namesOf, type Values } from './fields.ts';

/** `all` is GET /balances; `warm` and `cold` are GET /balances/{vault_type}. */
export const balanceVaultTypes = ['all', 'warm', 'cold'] as const;
export type BalanceVaultType = (typeof balanceVaultTypes)[number];

/** `networkId` is empty when the service names no network. */
export interface Balance extends Values<typeof balanceFields> {
  /** The element as received, as JSON text that PostgreSQL's jsonb accepts. */
  readonly raw: string;
}

export type BalanceAmounts = Values<typeof balanceAmounts>;

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

/** Whether all amounts are equal as numbers; trailing zeros do not count. */
export function sameAmounts(a: BalanceAmounts, b: BalanceAmounts): boolean {
  return amounts.every((name) => {
    const [one, other] = [a[name], b[name]];
    return one === null || other === null ? one === other : equalDecimals(one, other);
  });
}

const amounts = namesOf(balanceAmounts);

/**
 * Whether the total is the sum of all other amounts, as the samples in docs/custody-service.md 2.8 suggest;
 * null when one is missing. The service does not state this rule, so a difference is reported and the balance
 * is kept.
 */
export function balancePartsAgree(balance: BalanceAmounts): boolean | null {
  const [total, ...parts] = amounts.map((name) => balance[name]);
  const known = parts.filter((part) => part !== null);
  if (total === undefined || total === null || known.length < parts.length) return null;
  return equalDecimals(total, addDecimals(known));
}
