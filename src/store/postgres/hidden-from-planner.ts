// A value hidden from the planner, for lookups by the primary key of a large table
// (docs/decisions/plan-hints.md).
import { type SQL, sql } from 'drizzle-orm';

/**
 * The account. A new account in a full database is missing from the statistics: if the planner sees its name,
 * it expects one row, and each lookup may read all rows of the account. If it does not, it expects an average
 * account.
 */
export function hiddenFromPlanner(account: string): SQL {
  return sql`(select ${account}::text)`;
}
