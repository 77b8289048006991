// Reads a stored record as it was read when it came: what the columns of its row have to hold.
import type { Balance } from '../../domain/balance.ts';
import type { Transaction } from '../../domain/transaction.ts';
import { balanceDecoder } from './balances.ts';
import { createContentDigest, isObject, TooDeep } from './content.ts';
import { type ExactJson, parseExactly } from './exact-json.ts';
import { Undecodable } from './fields.ts';
import type { RecordDecoder } from './items.ts';
import { transactionDecoder } from './transactions.ts';

/**
 * @param raw the column, as PostgreSQL shows it
 * @returns null when no record could have been stored so
 */
export function readStoredTransaction(raw: string): Transaction | null {
  return readStored(raw, transactionDecoder);
}

/** The same of a balance. */
export function readStoredBalance(raw: string): Balance | null {
  return readStored(raw, balanceDecoder);
}

function readStored<Record_>(raw: string, { decode }: RecordDecoder<Record_>): Record_ | null {
  const body = parseExactly(raw, true);
  const hash = digestOf(body);
  if (!isObject(body.value) || hash === null) return null;
  const reading = { ...body, tolerate: () => undefined };
  try {
    return decode(body.value, { raw, hash }, reading).record;
  } catch (error) {
    if (error instanceof Undecodable) return null;
    throw error;
  }
}

/** The digest of a stored record; null when it is nested deeper than any that is stored. */
export function digestOfStored(raw: string): string | null {
  return digestOf(parseExactly(raw, true));
}

function digestOf(body: ExactJson): string | null {
  try {
    return createContentDigest(body).digest(body.value, 'timestamp');
  } catch (error) {
    if (error instanceof TooDeep) return null;
    throw error;
  }
}
