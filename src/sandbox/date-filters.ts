/**
 * How start_date and end_date can be read, of which section 4.1 shows nothing: one reading per format, and those a
 * service gets wrong. Invariant: a reading takes what is its format and refuses the rest; only `iso` takes several.
 */

/** The readings: formats, services that mistake what they are given, and those without dates. */
export const DATE_FILTERS = [
  'iso', // a date, or a date-time with or without fractions and zone
  'iso-ms', // 2026-01-31T23:59:59.999Z and nothing else
  'iso-seconds', // 2026-01-31T23:59:59Z and nothing else
  'iso-date', // 2026-01-31 and nothing else
  'epoch-ms',
  'epoch-s',
  'day-first', // a date whose day is taken for its month and the other way round
  'local-time', // a date-time whose zone is not looked at: it is that of a place eight hours behind UTC
  'seconds-as-ms', // at most ten digits, taken for milliseconds
  'ms-as-seconds', // thirteen digits, taken for seconds
  'ignored',
  'rejected', // any date is TXN-03
] as const;
export type DateFilter = (typeof DATE_FILTERS)[number];

/** The milliseconds that a date stands for, the first and the last of them; undefined when it cannot be read. */
type Reading = (text: string) => readonly [first: number, last: number] | undefined;

/** Null where dates are not looked at. */
export function dateReading(filter: DateFilter): Reading | null {
  return READINGS[filter];
}

const DAY = 86_400_000;
const ISO_DATE = /^\d{4}-\d{2}-\d{2}$/;
const ISO_ANY = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/i;
const ISO_ZONE = /(?:Z|T.*[+-]\d{2}:?\d{2}| .*[+-]\d{2}:?\d{2})$/i;
const ISO_MS = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const ISO_SECONDS = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;

const READINGS: Readonly<Record<DateFilter, Reading | null>> = {
  iso: readIso,
  'iso-ms': only(ISO_MS, readIso),
  'iso-seconds': only(ISO_SECONDS, readIso),
  'iso-date': only(ISO_DATE, readIso),
  'epoch-ms': only(/^\d{1,15}$/, (text) => point(Number(text))),
  'epoch-s': only(/^\d{1,10}$/, (text) => point(Number(text) * 1000)),
  'day-first': (text) => readIso(text.replace(/^(\d{4})-(\d{2})-(\d{2})/, '$1-$3-$2')),
  'local-time': only(ISO_MS, (text) => point(Date.parse(text) + 8 * 3_600_000)),
  'seconds-as-ms': only(/^\d{1,10}$/, (text) => point(Number(text))),
  'ms-as-seconds': only(/^\d{11,13}$/, (text) => point(Number(text) * 1000)),
  ignored: null,
  rejected: () => undefined,
};

function only(form: RegExp, read: Reading): Reading {
  return (text) => (form.test(text) ? read(text) : undefined);
}

function point(time: number): readonly [number, number] {
  return [time, time];
}

function readIso(text: string): readonly [number, number] | undefined {
  if (!ISO_ANY.test(text)) return undefined;
  const isDay = ISO_DATE.test(text);
  const time = Date.parse(ISO_ZONE.test(text) || isDay ? text : `${text}Z`);
  // A day such as 31 February would roll over into March.
  const day = text.slice(0, 10);
  const midnight = new Date(`${day}T00:00:00Z`);
  const exists =
    !Number.isNaN(time) && !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
  if (!exists) return undefined;
  return isDay ? [time, time + DAY - 1] : point(time);
}
