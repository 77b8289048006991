// A page: one answer of a list endpoint, with its items in the order received, decoded or not, and its time.
// An answer that says "no records found" (TXN-02, BAL-00, BAL-01, VAL-01, WHT-00) is a page without items.
import type { Observation } from './instant.ts';

/** The longest key in bytes; a PostgreSQL index holds it safely. */
export const longestKeyBytes = 1_024;

export function fitsKey(text: string): boolean {
  return text.length * 3 <= longestKeyBytes || Buffer.byteLength(text) <= longestKeyBytes;
}

/** A decoded record. `key` identifies it within its list; `hash` digests its content without timestamps. */
export interface DecodedItem<Record_> {
  readonly kind: 'record';
  readonly key: string;
  readonly hash: string;
  readonly record: Record_;
}

/** A record that could not be decoded. Its text goes to the quarantine. */
export interface UndecodableItem {
  readonly kind: 'undecodable';
  /** The record's id, the digest of one that is too long, or `hash`. The same record keeps its key. */
  readonly key: string;
  /** Digest of the content without timestamps; without an id, of its lasting part. */
  readonly hash: string;
  readonly reason: string;
  /** JSON text of the record, storable as PostgreSQL text. */
  readonly raw: string;
}

export type ListItem<Record_> = DecodedItem<Record_> | UndecodableItem;

export interface Page<Record_> extends Observation {
  readonly items: readonly ListItem<Record_>[];
  /** The timestamp of the envelope, ISO 8601, which only lists of balances have; else null. */
  readonly sourceTimestamp: string | null;
}

/** Where a page begins and how many records it asks for; members left out are not sent. */
export interface PageRequest {
  readonly offset?: number;
  readonly limit?: number;
}
