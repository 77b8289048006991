/**
 * How start_date and end_date are read, of which section 4.1 shows no format: ISO 8601, a date or a date-time with or
 * without fractions and zone. A date stands for its whole day in UTC.
 */

const DAY_MS = 86_400_000;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_OR_TIME =
  /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/i;
const WITH_ZONE = /(?:Z|[T ].*[+-]\d{2}:?\d{2})$/i;

/** The first and the last millisecond that a date stands for; undefined when it cannot be read. */
export function readDate(text: string): readonly [first: number, last: number] | undefined {
  if (!DATE_OR_TIME.test(text)) return undefined;
  const isDay = DATE.test(text);
  const time = Date.parse(WITH_ZONE.test(text) || isDay ? text : `${text}Z`);
  // A day such as 31 February would roll over into March.
  const day = text.slice(0, 10);
  const midnight = new Date(`${day}T00:00:00Z`);
  const exists =
    !Number.isNaN(time) && !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
  if (!exists) return undefined;
  return isDay ? [time, time + DAY_MS - 1] : [time, time];
}
