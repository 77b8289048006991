// One answer of a list endpoint: its items in the order they came, decoded or not, and when it was read.
// An answer that says "no records found" (TXN-02, BAL-00, BAL-01, VAL-01, WHT-00) is a page without items.
import type { Observation } from './instant.ts';

/** What an entry of an index can hold, with room to spare: no key has more bytes. */
export const longestKeyBytes = 1_024;

export function fitsKey(text: string): boolean {
  return text.length * 3 <= longestKeyBytes || Buffer.byteLength(text) <= longestKeyBytes;
}

/** A record that was understood. `key` identifies it within its list; `hash` stands for its content without timestamps. */
export interface DecodedItem<Record_> {
  readonly kind: 'record';
  readonly key: string;
  readonly hash: string;
  readonly record: Record_;
}

/** A record that was not understood: kept as text for the quarantine. */
export interface UndecodableItem {
  readonly kind: 'undecodable';
  /** The record's id, or the digest of one that is too long; without an id the hash. The same bad record has the same key. */
  readonly key: string;
  /** Stands for the content without timestamps; for a record without an id, for the part of it that lasts. */
  readonly hash: string;
  readonly reason: string;
  /** JSON text of the record, storable as PostgreSQL text. */
  readonly raw: string;
}

export type ListItem<Record_> = DecodedItem<Record_> | UndecodableItem;

export interface Page<Record_> extends Observation {
  readonly items: readonly ListItem<Record_>[];
  /** The envelope's timestamp where the list has one (balances), ISO 8601; else null. */
  readonly sourceTimestamp: string | null;
}

/** Where a page begins and how many records are asked for; absent members are not sent. */
export interface PageRequest {
  readonly offset?: number;
  readonly limit?: number;
}
