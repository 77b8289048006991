// A value inlined into a statement's text, for the few that recur, such as the name of an account: a prepared
// statement without parameters is planned once, and for that value.
import { type SQL, sql } from 'drizzle-orm';

/** A short text that needs no quoting. */
const plain = /^[\w .:-]{1,64}$/;

/** A literal if the value is plain, else a parameter. */
export function inlinedLiteral(value: string): SQL {
  return plain.test(value) ? sql.raw(`'${value}'`) : sql`${value}`;
}
