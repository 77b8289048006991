// Reads start_date and end_date. Section 4.1 shows no format, so ISO 8601 is accepted: a date, or a date-time
// with or without fraction and zone. A date means its whole day in UTC.
const dayMs = 86_400_000;
const dateOnly = /^\d{4}-\d{2}-\d{2}$/;
const dateOrTime = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/i;
const withZone = /(?:Z|[T ].{5,18}[+-]\d{2}:?\d{2})$/i;

/** The first and the last millisecond of a date; undefined when it cannot be read. */
export function readDate(text: string): readonly [first: number, last: number] | undefined {
  if (!dateOrTime.test(text)) return undefined;
  const isDay = dateOnly.test(text);
  const time = Date.parse(withZone.test(text) || isDay ? text : `${text}Z`);
  // A day such as 31 February would roll over into March.
  const day = text.slice(0, 10);
  const midnight = new Date(`${day}T00:00:00Z`);
  const exists =
    !Number.isNaN(time) && !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
  if (!exists) return undefined;
  return isDay ? [time, time + dayMs - 1] : [time, time];
}

/** Formats of which a service may understand only one. */
export const dateFormats = ['milliseconds', 'seconds', 'day'] as const;
export type DateFormat = (typeof dateFormats)[number];

/** True for a text in this format, and for any where none is given. */
export function isWrittenAs(format: DateFormat | undefined, text: string): boolean {
  if (format === undefined) return true;
  const written = dateOnly.test(text) ? 'day' : text.includes('.') ? 'milliseconds' : 'seconds';
  return written === format;
}
