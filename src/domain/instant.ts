// Moments on the clock of the account (base/clock.ts), which have the order of their events.

/** Milliseconds since 1970-01-01T00:00:00Z; the fraction carries microseconds. */
export type Instant = number;

/** ISO 8601 in UTC with microseconds, the precision of PostgreSQL's `timestamptz`. */
export function instantToIso(instant: Instant): string {
  return microsToIso(Math.round(instant * 1000));
}

/** ISO 8601 in UTC from whole microseconds since 1970, which PostgreSQL reads whatever its settings. */
export function microsToIso(micros: number): string {
  const wholeMs = Math.floor(micros / 1000);
  const iso = new Date(wholeMs).toISOString();
  return `${iso.slice(0, -1)}${String(micros - wholeMs * 1000).padStart(3, '0')}Z`;
}

/** When a request began and when its whole answer had arrived. */
export interface Observation {
  readonly beganAt: Instant;
  readonly arrivedAt: Instant;
}

/** Whether a requested moment is a calendar day, `YYYY-MM-DD`, which stands for the end of that day. */
export function isDay(at: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(at);
}

/** Whether the calendar has this day, `YYYY-MM-DD`: JavaScript takes 31 February for a day of March. */
export function isInCalendar(day: string): boolean {
  // Every month has these days: a sweep asks for each record.
  if (/^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])$/.test(day)) return true;
  const ms = Date.parse(`${day}T00:00:00Z`);
  return !day.startsWith('0000') && !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day);
}
