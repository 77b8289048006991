// Lets a request see one state of the database, and distinguishes faults of the database from those of the
// program.
import { Late } from '../../base/waiting.ts';
import { type Database, sharedTransaction } from '../../store/postgres/database.ts';
import { isDatabaseOffline, sqlState } from '../../store/postgres/database-errors.ts';
import { Refused } from './refusal.ts';

/** Answers everything that the work asks from the same state, in one transaction. */
export async function withinOneState<Value>(
  database: Database,
  label: string,
  work: (database: Database) => Promise<Value>,
): Promise<Value> {
  return await database.transact(label, (tx) => work(sharedTransaction(database, tx)), { snapshot: true });
}

/** Whether the database refused, was late or was unreachable. */
export function isFaultOfDatabase(error: unknown): boolean {
  if (error instanceof Refused) return ['timeout', 'unavailable'].includes(error.refusal.kind);
  return error instanceof Late || isDatabaseOffline(error) || sqlState(error) !== null;
}
