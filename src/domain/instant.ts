// A moment on the database's clock, in milliseconds since the epoch with a fractional part.
// Two instants of one process are ordered as the events were: they come from one monotonic clock (base/clock.ts).

/** Milliseconds since 1970-01-01T00:00:00Z; the fraction carries microseconds. */
export type Instant = number;

/** Renders an instant as ISO 8601 in UTC with microseconds, the precision of PostgreSQL's `timestamptz`. */
export function instantToIso(instant: Instant): string {
  const wholeMs = Math.floor(instant);
  const micros = Math.floor((instant - wholeMs) * 1000);
  const iso = new Date(wholeMs).toISOString();
  return `${iso.slice(0, -1)}${String(micros).padStart(3, '0')}Z`;
}

/** When a request was begun and when its answer had arrived, both on one clock. */
export interface Observation {
  readonly beganAt: Instant;
  readonly arrivedAt: Instant;
}
