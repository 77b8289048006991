/**
 * What the world consists of, as plain records that know nothing of the wire: transactions, balances, vaults and
 * whitelist entries. Invariant: amounts are exact decimal text, times are milliseconds since the epoch.
 */

/** Section 4.1: the values of transaction_type. */
export const transactionTypes = [
  'withdraw',
  'rebalance',
  'deposit',
  'stake',
  'claim',
  'unstake',
  'change pool',
] as const;
/** Section 3: the values of status. */
export const statuses = [
  'pending',
  'processing',
  'confirming',
  'completed',
  'rejected',
  'cancelled',
  'failed',
] as const;
/** Section 1: the types of vault. */
export const vaultTypes = ['warm', 'cold'] as const;

export type TransactionType = (typeof transactionTypes)[number];
export type VaultType = (typeof vaultTypes)[number];
/** Section 2.8: the parts of a balance whose sum is the total. */
export type Bucket = 'available' | 'processing' | 'staking' | 'claimable';

/** Whether a text is one of a list of values. */
export function isOneOf<T extends string>(values: readonly T[], text: string): text is T {
  return values.some((value) => value === text);
}

/** The index of a status in `statuses`; -1 for any other text. */
export function statusIndex(status: string | undefined): number {
  const names: readonly string[] = statuses;
  return names.indexOf(status ?? '');
}

/** The index of a transaction type in `transactionTypes`; -1 for any other text. */
export function typeIndex(transactionType: string | undefined): number {
  const names: readonly string[] = transactionTypes;
  return names.indexOf(transactionType ?? '');
}

/** Whether a transaction of this status can still move. */
export function isOpen(status: string): boolean {
  return status === 'pending' || status === 'processing' || status === 'confirming';
}

/** Sections 2.2 to 2.5; `createdAt` is what start_date and end_date filter by and is not on the wire. */
export interface TransactionRecord {
  readonly transactionId: string;
  readonly createdAt: number;
  readonly transactionType: string;
  readonly status: string;
  readonly assetId: string;
  readonly assetName: string;
  readonly networkId: string;
  readonly networkName: string;
  readonly amount: string;
  readonly fee: string;
  readonly sourceType: string;
  readonly sourceId: string;
  readonly sourceName: string;
  readonly sourceAddress: string;
  readonly destinationType: string;
  readonly destinationId: string;
  readonly destinationName: string;
  readonly destinationAddress: string;
  readonly memo: string;
  readonly txnHash: string;
  readonly blockexplorerLink: string;
  readonly note: string;
}

/** Sections 2.7 and 2.8. */
export interface BalanceRecord {
  readonly assetId: string;
  readonly assetName: string;
  readonly networkId: string;
  readonly networkName: string;
  readonly total: string;
  readonly available: string;
  readonly processing: string;
  readonly staking: string;
  readonly claimable: string;
}

/** Section 2.9 shows no vault record; this is the sandbox's own. */
export interface VaultRecord {
  readonly vaultId: string;
  readonly vaultType: VaultType;
  readonly name: string;
  readonly description: string;
  readonly createdAt: number;
  readonly addresses: readonly { readonly networkId: string; readonly address: string }[];
}

/** Section 2.9 shows no whitelist entry; this is the sandbox's own. */
export interface WhitelistRecord {
  readonly whitelistId: string;
  readonly name: string;
  readonly status: WhitelistStatus;
  readonly assetId: string;
  readonly networkId: string;
  readonly address: string;
  readonly memo: string;
  readonly createdAt: number;
}

/** The sandbox's own enumeration for whitelist entries, which gives WHT-01 something to check. */
export const whitelistStatuses = ['pending', 'approved', 'rejected'] as const;
type WhitelistStatus = (typeof whitelistStatuses)[number];
