// A value that the planner does not see, for lookups by the primary key of a large table
// (docs/decisions/plan-hints.md).
import { type SQL, sql } from 'drizzle-orm';

/**
 * The account, of which the statistics say nothing while it is new in a full database: the planner, when it
 * sees the name, takes it to have one row, and each lookup may read all rows of the account. Not seeing it,
 * it expects an average account.
 */
export function hiddenFromPlanner(account: string): SQL {
  return sql`(select ${account}::text)`;
}
