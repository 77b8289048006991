// The schemas of base tables and the column types that they share. Amounts and times go in and out as text,
// because a JavaScript number or Date would round them.
import { sql } from 'drizzle-orm';
import { bigint, customType, numeric, pgSchema, timestamp } from 'drizzle-orm/pg-core';
import type { Decimal } from '../src/domain/decimal.ts';

export const custody = pgSchema('custody');
export const sync = pgSchema('sync');
/** The views of sql/; it has no table. */
export const reporting = pgSchema('reporting');
/** Tables and views behind those of reporting: readers have no access, and any version may change them. */
export const internal = pgSchema('internal');

/** A moment with microseconds. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'string' });

/** A digest, as bytes. */
export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/**
 * An amount without a declared precision, so that it keeps its scale. PostgreSQL writes it in the form of a
 * decimal.
 */
export const amount = (name: string) => numeric(name).$type<Decimal>();

/** One sequence for all history tables, so that their rows have one order. */
export const changeIds = custody.sequence('change_ids');

/**
 * Numbers the rows of the history tables in the order of the account's commits: a writer gets its numbers
 * while it holds the lock on the account's lease. So a reader that continues after the last number it has
 * read misses no row, in one table or in all of them together.
 */
export const changeNumber = (name: string) =>
  bigint(name, { mode: 'bigint' }).notNull().default(sql`nextval('custody.change_ids')`);
