// Reads a stored record as it was read on arrival: this is what the columns of its row must hold.
import type { Balance } from '../../domain/balance.ts';
import type { Transaction } from '../../domain/transaction.ts';
import { balanceDecoder } from './balances.ts';
import { createContentDigest, isObject, TooDeep } from './content.ts';
import { type ExactJson, parseExactly } from './exact-json.ts';
import { Undecodable } from './fields.ts';
import type { RecordDecoder } from './items.ts';
import { transactionDecoder } from './transactions.ts';

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
