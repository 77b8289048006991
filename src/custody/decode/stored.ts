// Reads a stored record as it was read when it came: what the columns of its row have to hold.
import type { Transaction } from '../../domain/transaction.ts';
import { createContentDigest, isObject, TooDeep } from './content.ts';
import { parseExactly } from './exact-json.ts';
import { Undecodable } from './fields.ts';
import { transactionDecoder } from './transactions.ts';

/**
 * @param raw the column, as PostgreSQL shows it
 * @returns null when no record could have been stored so
 */
export function readStoredTransaction(raw: string): Transaction | null {
  const body = parseExactly(raw, true);
  if (!isObject(body.value)) return null;
  const reading = { ...body, tolerate: () => undefined };
  try {
    const hash = createContentDigest(body).digest(body.value, 'timestamp');
    return transactionDecoder.decode(body.value, { raw, hash }, reading).record;
  } catch (error) {
    if (error instanceof Undecodable || error instanceof TooDeep) return null;
    throw error;
  }
}
