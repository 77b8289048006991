// An account that the planner does not see.
import { type SQL, sql } from 'drizzle-orm';

/**
 * The account, for lookups by the primary key of a large table. Of an account that is new in a full database the statistics say
 * nothing, and the planner, when it sees the name, takes it to have one row. Then every index that begins with the account looks
 * as good as the primary key, and each lookup may read all rows of the account. Not seeing it, it expects an average account.
 */
export function unseenAccount(account: string): SQL {
  return sql`(select ${account}::text)`;
}
