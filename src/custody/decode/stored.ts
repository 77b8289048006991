// Reads a stored record as it was read on arrival: this is what the columns of its row must hold. Merges what
// is stored of a vault with the answer by its id.
import type { Balance } from '../../domain/balance.ts';
import type { KnownVault, Vault } from '../../domain/document.ts';
import type { DecodedItem } from '../../domain/page.ts';
import type { Transaction } from '../../domain/transaction.ts';
import {
  createContentDigest,
  type ExactJson,
  isObject,
  parseExactly,
  rawText,
  TooDeep,
} from './exact-json.ts';
import { Undecodable } from './fields.ts';
import type { RecordDecoder } from './items.ts';
import { balanceDecoder, transactionDecoder } from './records.ts';

/**
 * Reads a stored record as the first decoder does, or as a later one if that gives what the row has: a row
 * keeps what an earlier version read until its record changes; that is not an alteration.
 *
 * @param raw the column, as PostgreSQL shows it
 * @param fits whether a reading is what the row has
 * @returns null when no record could have been stored in this form
 */
export type StoredReader<Record_> = (raw: string, fits?: (record: Record_) => boolean) => Record_ | null;

/** @param decoders of this version, then of released ones that read a field differently */
export function storedReader<Record_>(
  ...decoders: readonly Pick<RecordDecoder<Record_>, 'decode'>[]
): StoredReader<Record_> {
  return (raw, fits = () => true) => {
    const body = parseExactly(raw);
    const { value } = body;
    const hash = digestOf(body);
    if (!isObject(value) || hash === null) return null;
    const reading = { ...body, tolerate: () => undefined };
    const readings = decoders.flatMap(({ decode }) => {
      try {
        return [decode(value, { raw, hash }, reading).record];
      } catch (error) {
        if (error instanceof Undecodable) return [];
        throw error;
      }
    });
    return (readings.length > 1 ? readings.find(fits) : undefined) ?? readings[0] ?? null;
  };
}

export const readStoredTransaction = storedReader<Transaction>(transactionDecoder);
export const readStoredBalance = storedReader<Balance>(balanceDecoder);

/** The digest of a stored record; null when it is nested deeper than any that is stored. */
export function digestOfStored(raw: string): string | null {
  return digestOf(parseExactly(raw));
}

function digestOf(body: ExactJson): string | null {
  try {
    return createContentDigest(body, undefined, true).digest(body.value, 'timestamp');
  } catch (error) {
    if (error instanceof TooDeep) return null;
    throw error;
  }
}

export function mergeVault(known: KnownVault, body: DecodedItem<Vault>): DecodedItem<Vault> {
  const { record } = body;
  // Both are parsed as one text, so that they share the mark of numbers.
  const parsed = parseExactly(`[${known.document},${record.document}]`);
  const [first, second]: unknown[] = Array.isArray(parsed.value) ? parsed.value : [];
  if (!isObject(first) || !isObject(second)) return body;
  const members = { ...first, ...second };
  const hash = createContentDigest(parsed).digest(members, 'timestamp');
  return {
    kind: 'record',
    key: known.vaultId,
    hash,
    record: {
      vaultId: known.vaultId,
      vaultType: record.vaultType ?? known.vaultType,
      name: record.name ?? known.name,
      document: rawText(members, parsed),
      contentHash: hash,
    },
  };
}
