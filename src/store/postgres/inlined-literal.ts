// A value inlined into a statement's text, for the few that recur, such as the name of an account: a prepared
// statement without parameters is planned once, and for that value.
import { type SQL, sql } from 'drizzle-orm';

/** A short text that needs no quoting. */
const plain = /^[\w .:-]{1,64}$/;

/** A literal if the value is plain, else a parameter. */
export function inlinedLiteral(value: string): SQL {
  return plain.test(value) ? sql.raw(`'${value}'`) : sql`${value}`;
}

// A value hidden from the planner, for lookups by the primary key of a large table
// (docs/decisions/plan-hints.md).

/**
 * The account. A new account in a full database is missing from the statistics: if the planner sees its name,
 * it expects one row, and each lookup may read all rows of the account. If it does not, it expects an average
 * account.
 */
export function hiddenFromPlanner(account: string): SQL {
  return sql`(select ${account}::text)`;
}
