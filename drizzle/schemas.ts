// The schemas of base tables and the column types they share: amounts and times go in and out as text, because a
// JavaScript number or Date would round them.
import { bigint, customType, numeric, pgSchema, timestamp } from 'drizzle-orm/pg-core';

export const custody = pgSchema('custody');
export const sync = pgSchema('sync');
/** The views of sql/; it has no table. */
export const reporting = pgSchema('reporting');
/** What views rest on and no reader needs: neither granted nor promised to stay. */
export const internal = pgSchema('internal');

/** A moment with microseconds. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'string' });

/** A digest, as bytes. */
export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/** An amount without precision, so that the scale it was written with is kept. */
export const amount = (name: string) => numeric(name);

/**
 * Numbers the rows of a history table in the order they were committed in, within an account: every writer draws it while
 * it holds the account's lease row, so whoever has read up to a number misses nothing below it.
 */
export const changeNumber = (name: string) =>
  bigint(name, { mode: 'bigint' }).notNull().generatedAlwaysAsIdentity();
