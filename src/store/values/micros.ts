// Moments as whole microseconds, the precision of PostgreSQL's timestamptz: a moment that is read back equals
// the moment that was written, which a floating-point millisecond would not.
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { type Instant, microsToIso } from '../../domain/instant.ts';

export { microsToIso };

/** Whole microseconds since 1970-01-01T00:00:00Z. */
export type Micros = number;

/** Rounds an instant to the precision of the database, as `instantToIso` does. */
export function toMicros(instant: Instant): Micros {
  return Math.round(instant * 1000);
}

export function microsToInstant(micros: Micros): Instant {
  return micros / 1000;
}

/**
 * A `timestamptz` as microseconds. The mirror writes no infinite moment, nor one beyond the years 1 to 9999:
 * these become the nearest end.
 */
export function microsOf(moment: SQLWrapper): SQL {
  return sql`(extract(epoch from case when ${moment} > '9999-12-31Z' then '9999-12-31Z'::timestamptz
    when ${moment} < '0001-01-01Z' then '0001-01-01Z'::timestamptz else ${moment} end) * 1000000)::bigint`;
}

/** Selects a `timestamptz` as microseconds, as `microsOf` has them; null stays null. */
export function selectMicros(moment: SQLWrapper): SQL<Micros> {
  return microsOf(moment).mapWith(Number);
}

/** Selects a `timestamptz` that may be null as microseconds. */
export function selectMicrosOrNull(moment: SQLWrapper): SQL<Micros | null> {
  return selectMicros(moment);
}

/** A `timestamptz` as text: ISO 8601 in UTC with microseconds; null stays null. */
export function shownMoment(moment: SQL): SQL {
  return sql`to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}

/** Selects a `timestamptz` as ISO 8601 in UTC with microseconds; null stays null. */
export function selectIso(moment: SQLWrapper): SQL<string | null> {
  return microsOf(moment).mapWith((micros) => microsToIso(Number(micros)));
}

/** ISO 8601 with an offset as microseconds. As PostgreSQL does, it rounds further digits half to even. */
export function momentOfText(iso: string): string {
  const minute = iso.slice(0, 16).toUpperCase();
  const [, second = '00', fraction = '', offset = 'Z'] =
    /^(?::(\d\d))?(?:\.(\d+))?(\D.*|)$/.exec(iso.slice(16).toUpperCase()) ?? [];
  const zone = offset.replace(/^(.\d\d)(\d\d)$/, '$1:$2');
  const exact = Number(`0.${fraction}0`) * 1_000_000;
  const nearest = Math.round(exact);
  const micros = exact % 1 === 0.5 && nearest % 2 === 1 ? nearest - 1 : nearest;
  const wholeMs = Date.parse(`${minute}:${second}${zone}`);
  // Microseconds after the year 2255 are not safe integers.
  return Number.isNaN(wholeMs) ? 'NaN' : String(BigInt(wholeMs) * 1_000n + BigInt(micros));
}
