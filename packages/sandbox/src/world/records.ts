// The records of the world, independent of the wire: transactions, balances, vaults and whitelist entries.
// Invariant: amounts are exact decimal text, times are milliseconds since the epoch.
/** The values of transaction_type (section 4.1). */
export const transactionTypes = [
  'withdraw',
  'rebalance',
  'deposit',
  'stake',
  'claim',
  'unstake',
  'change pool',
] as const;
/** The values of status (section 3). */
export const statuses = [
  'pending',
  'processing',
  'confirming',
  'completed',
  'rejected',
  'cancelled',
  'failed',
] as const;
/** The types of vaults (section 1). */
export const vaultTypes = ['warm', 'cold'] as const;

export type TransactionType = (typeof transactionTypes)[number];
export type VaultType = (typeof vaultTypes)[number];
/** The parts of a balance; their sum is the total (section 2.8). */
export type Bucket = 'available' | 'processing' | 'staking' | 'claimable';

/** True when the text is one of the values. */
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

/** True when a transaction can still leave this status. */
export function isOpen(status: string): boolean {
  return status === 'pending' || status === 'processing' || status === 'confirming';
}

/**
 * A transaction (sections 2.2 to 2.5). start_date and end_date filter by `createdAt`, which is not on the
 * wire.
 */
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

/** A balance (sections 2.7 and 2.8). */
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

/** A vault. Section 2.9 shows no record, so this shape is the sandbox's own. */
export interface VaultRecord {
  readonly vaultId: string;
  readonly vaultType: VaultType;
  readonly name: string;
  readonly description: string;
  readonly createdAt: number;
  readonly addresses: readonly { readonly networkId: string; readonly address: string }[];
}

/** A whitelist entry. Section 2.9 shows none, so this shape is the sandbox's own. */
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

/** The status of whitelist entries: the sandbox's own enumeration, for WHT-01. */
export const whitelistStatuses = ['pending', 'approved', 'rejected'] as const;
type WhitelistStatus = (typeof whitelistStatuses)[number];
