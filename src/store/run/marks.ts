// Marks: what a statement of a transaction found, for those that were sent after it before its answer was known. A mark is a setting
// that is local to the transaction, so that it is not there in any other, nor where the transaction never began.
import { type SQL, sql } from 'drizzle-orm';

/** `fenced`: the lease is held. `known`: the transactions among those of a commit that are not to be written, an array. */
export type Mark = 'fenced' | 'known';

const settings: Readonly<Record<Mark, string>> = {
  fenced: 'custody_mirror.fenced',
  known: 'custody_mirror.known',
};

/** Sets the mark to a text, and tells whether there is one now: null and an empty text are none. */
export function setMark(mark: Mark, value: SQL): SQL<boolean> {
  return sql<boolean>`(set_config(${sql.raw(`'${settings[mark]}'`)}, coalesce(${value}, ''), true) <> '')`;
}

/** The text of the mark; null where it was not set. */
export function markOf(mark: Mark): SQL {
  return sql`nullif(current_setting(${sql.raw(`'${settings[mark]}'`)}, true), '')`;
}
