// A transaction as the mirror stores it (docs/custody-service.md 2.2 to 2.5), without the spellings of the
// wire.
import {
  columnOf,
  type Field,
  namesOf,
  type transactionDetails,
  transactionFields,
  type Values,
} from './fields.ts';

/** The fields whose change is a revision: all fields of a transaction but id, status and timestamp. */
export type TransactionDetails = Values<typeof transactionDetails>;

/** A record with one of these and without `transaction` holds the details itself. */
export const flatTransactionNames = ['transaction_type', 'asset_id', 'amount', 'source', 'destination'];

/**
 * A decoded transaction. `sourceTimestamp` is ISO 8601 with offset, as sent; null when absent or unreadable.
 */
export interface Transaction extends Values<typeof transactionFields> {
  /** The record as received, as JSON text that PostgreSQL's jsonb accepts (see domain/json.ts). */
  readonly raw: string;
  /** Digest of the record without its timestamp; equal digests mean unchanged content. */
  readonly contentHash: string;
}

const enumerated = namesOf(transactionFields).flatMap((name) => {
  const { values: known }: Field = transactionFields[name];
  return known === undefined ? [] : [{ name, known, column: columnOf(name) }];
});

/** Undocumented values, as `field:value`. They are kept and reported, never refused. */
export function unknownEnumerationValues(transaction: Transaction): readonly string[] {
  const found: string[] = [];
  for (const { name, known, column } of enumerated) {
    const value = transaction[name];
    if (value !== null && value !== '' && !known.includes(value)) found.push(`${column}:${value}`);
  }
  return found;
}

/** Pages and alerts call a transaction stuck after this long: most settle within hours. */
export const stuckAfterHours = 24;

/** How many past days pages and alerts check for payments and reconciliations. */
export const checkedDays = 7;
