// Marks: what a statement of a transaction found, for those that were sent after it before its answer was known. A mark is a setting
// that is local to the transaction, so that it is not there in any other, nor where the transaction never began. It begins with the name
// of the attempt that set it, so that one that somebody gave the session or the role counts for nothing.
import { randomUUID } from 'node:crypto';
import { type SQL, sql } from 'drizzle-orm';

/** `fenced`: the lease is held. `known`: the transactions among those of a commit that are not to be written, an array. */
export type Mark = 'fenced' | 'known';

/** Names one attempt at a transaction; all have the same length. */
export type Attempt = string;

export const nameAttempt = (): Attempt => randomUUID();

/** Sets the mark to a text, and tells whether there is one now: null is none. */
export function setMark(mark: Mark, attempt: Attempt, value: SQL): SQL<boolean> {
  return sql<boolean>`(set_config(${nameOf(mark)}, coalesce(${attempt}::text || ${value}, ''), true) <> '')`;
}

/** The text of the mark; null where this attempt did not set it. */
export function markOf(mark: Mark, attempt: Attempt): SQL {
  const setting = sql`current_setting(${nameOf(mark)}, true)`;
  return sql`case when starts_with(${setting}, ${attempt}) then substr(${setting}, ${sql.raw(String(attempt.length + 1))}) end`;
}

function nameOf(mark: Mark): SQL {
  return sql.raw(`'custody_mirror.${mark}'`);
}
