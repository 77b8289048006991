// What a request does with the database besides asking it: sees one state of it, and separates its faults
// from those of the program.
import { Late } from '../../base/waiting.ts';
import type { Database } from '../../store/postgres/database.ts';
import { isDatabaseOffline, sqlState } from '../../store/postgres/database-errors.ts';
import { sharedTransaction } from '../../store/postgres/shared-transaction.ts';
import { Refused } from './refusal.ts';

/** Everything that the work asks is answered from the same state, in one transaction. */
export async function withinOneState<Value>(
  database: Database,
  label: string,
  work: (database: Database) => Promise<Value>,
): Promise<Value> {
  return await database.transact(label, (tx) => work(sharedTransaction(database, tx)), { snapshot: true });
}

/** Whether it was the database that refused, was late or was not there. */
export function isFaultOfDatabase(error: unknown): boolean {
  if (error instanceof Refused) return ['timeout', 'unavailable'].includes(error.refusal.kind);
  return error instanceof Late || isDatabaseOffline(error) || sqlState(error) !== null;
}
