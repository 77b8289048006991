// Reads start_date and end_date, whose format the service does not document (docs/custody-service.md 4.1): an
// ISO 8601 date, which means the whole day in UTC, or a date-time, which is in UTC unless it names its
// offset; or the seconds (10 digits) or milliseconds (13 digits) since 1970. A bound is a whole number of
// microseconds, the precision of first_seen_at.
import { isDay, isInCalendar } from '../../domain/instant.ts';

export interface DateBounds {
  /** The first and the last microsecond that the text names. */
  readonly first: number;
  readonly last: number;
}

const dayMicros = 86_400_000_000;
/** A blank before the offset is a plus sign that nobody encoded. */
const dateTime =
  /^(\d{4}-\d\d-\d\d)[T ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:[.,](\d{1,9}))?)?(?:(Z)|([+\- ])([01]\d|2[0-3]):?([0-5]\d))?$/i;
const epoch = /^(?:\d{10}|\d{13})$/;

/** @returns null when the text is no such date */
export function readDate(text: string): DateBounds | null {
  const day = midnight(text);
  if (day !== null) return { first: day, last: day + dayMicros - 1 };
  if (epoch.test(text)) {
    const unit = text.length === 10 ? 1_000_000 : 1_000;
    return span(Number(text) * unit, unit);
  }
  const match = dateTime.exec(text);
  if (match === null) return null;
  const [, dayText = '', hours, minutes, seconds, fraction = '', , sign, offsetHours, offsetMinutes] = match;
  const start = midnight(dayText);
  if (start === null) return null;
  const time = (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds ?? 0)) * 1_000_000;
  const offset =
    sign === undefined
      ? 0
      : (Number(offsetHours) * 60 + Number(offsetMinutes)) * 60_000_000 * (sign === '-' ? -1 : 1);
  const unit = seconds === undefined ? 60_000_000 : 10 ** Math.max(0, 6 - fraction.length);
  return span(start + time + Number(fraction.padEnd(6, '0').slice(0, 6)) - offset, unit);
}

/** As exact as it was written: a second without a fraction is the whole second. */
function span(first: number, unit: number): DateBounds {
  return { first, last: first + unit - 1 };
}

/** The first microsecond of a day that the calendar has. */
function midnight(text: string): number | null {
  return isDay(text) && isInCalendar(text) ? Date.parse(`${text}T00:00:00Z`) * 1_000 : null;
}
