// A transaction as the mirror stores it (interface.md 2.2 to 2.5), without the spellings of the wire.
// `sourceTimestamp` is the time of retrieval; it never decides whether a record changed.
import type { Decimal } from './decimal.ts';

/** Statuses that a transaction is expected to leave. */
export const openStatuses: readonly string[] = ['pending', 'processing', 'confirming'];
/** Statuses that are expected to be final; leaving one is an anomaly. */
export const terminalStatuses: readonly string[] = ['completed', 'rejected', 'cancelled', 'failed'];
/** interface.md 3. A status outside this list is kept as text and reported. */
export const transactionStatuses = [...openStatuses, ...terminalStatuses];

/** interface.md 2.3. */
export const transactionTypes = [
  'withdraw',
  'rebalance',
  'deposit',
  'stake',
  'claim',
  'unstake',
  'change pool',
] as const;

/** interface.md 2.4. */
const sourceTypes = ['vault', 'external', 'whitelist', 'network'] as const;
/** interface.md 2.5. */
const destinationTypes = ['vault', 'whitelist', 'network', 'stake pool', 'validator'] as const;

/** The fields whose change is a revision: all fields of a transaction but id, status and timestamp. */
export interface TransactionDetails {
  readonly transactionType: string | null;
  readonly assetId: string | null;
  readonly assetName: string | null;
  readonly networkId: string | null;
  readonly networkName: string | null;
  readonly amount: Decimal | null;
  readonly fee: Decimal | null;
  readonly sourceType: string | null;
  readonly sourceId: string | null;
  readonly sourceName: string | null;
  readonly sourceAddress: string | null;
  readonly destinationType: string | null;
  readonly destinationId: string | null;
  readonly destinationName: string | null;
  readonly destinationAddress: string | null;
  readonly destinationMemo: string | null;
  readonly txnHash: string | null;
  readonly blockexplorerLink: string | null;
  readonly note: string | null;
}

/** A decoded transaction. Null means that the field was absent or null, or that an amount was empty. */
export interface Transaction extends TransactionDetails {
  readonly transactionId: string;
  readonly status: string;
  /** ISO 8601 with offset, as sent; null when absent or unreadable. */
  readonly sourceTimestamp: string | null;
  /** The record as received, as JSON text that PostgreSQL's jsonb accepts (see domain/json.ts). */
  readonly raw: string;
  /** Digest of the record without its timestamp; equal digests mean unchanged content. */
  readonly contentHash: string;
}

/** Values outside the enumerations of interface.md, as `field:value`. They are kept and reported, never refused. */
export function unknownEnumerationValues(transaction: Transaction): readonly string[] {
  const found: string[] = [];
  const check = (field: string, value: string | null, known: readonly string[]) => {
    if (value !== null && value !== '' && !known.includes(value)) found.push(`${field}:${value}`);
  };
  check('status', transaction.status, transactionStatuses);
  check('transaction_type', transaction.transactionType, transactionTypes);
  check('source_type', transaction.sourceType, sourceTypes);
  check('destination_type', transaction.destinationType, destinationTypes);
  return found;
}
