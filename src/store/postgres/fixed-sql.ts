// Parts of statements that are the same for every request. Their text is made once: from its parts, the text of a long statement
// takes as much of the processor as the rest of a small answer.
import { type SQL, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';

const dialect = new PgDialect();

/** The same part as one text. @throws TypeError for one that holds a parameter */
export function fixedSql<T>(part: SQL<T>): SQL<T> {
  const { sql: text, params } = dialect.sqlToQuery(part);
  if (params.length > 0) throw new TypeError(`a fixed part of a statement holds a parameter: ${text}`);
  return sql.raw(text) as SQL<T>;
}
