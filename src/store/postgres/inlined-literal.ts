// A value as part of a statement's text, for the few that come again and again, such as the name of an
// account: a prepared statement without parameters is planned once, and for that value.
import { type SQL, sql } from 'drizzle-orm';

/** What needs no quoting, and is no long text. */
const plain = /^[\w .:-]{1,64}$/;

/** A literal where the value is plain; else a parameter. */
export function inlinedLiteral(value: string): SQL {
  return plain.test(value) ? sql.raw(`'${value}'`) : sql`${value}`;
}
