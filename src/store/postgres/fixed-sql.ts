// The text of statements, and of parts that are the same for every request. Their text is made once: from its parts, the text of a long statement
// takes as much of the processor as the rest of a small answer.
import { type SQL, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';

const dialect = new PgDialect();

export function textOf(statement: SQL): { readonly sql: string; readonly params: unknown[] } {
  return dialect.sqlToQuery(statement);
}

/** The same part as one text. @throws TypeError for one that holds a parameter */
export function fixedSql<T>(part: SQL<T>): SQL<T> {
  const { sql: text, params } = textOf(part);
  if (params.length > 0) throw new TypeError(`a fixed part of a statement holds a parameter: ${text}`);
  return sql.raw(text) as SQL<T>;
}

/** What needs no quoting, and is no long text. */
const plain = /^[\w .:-]{1,64}$/;

/**
 * A value that comes again, such as the name of an account or a status: part of the text where it is plain, so that a kept
 * statement is planned for it; else a parameter.
 */
export function frequentValue(value: string): SQL {
  return plain.test(value) ? sql.raw(`'${value}'`) : sql`${value}`;
}
