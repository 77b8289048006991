// The formats in which start_date and end_date may be written (interface.md 4.1 shows none), and the moments by which
// they can be told apart: pure functions.
import type { Instant } from '../domain/instant.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

export interface DateFormat {
  /** Under this name it stands in sync.learned. */
  readonly name: 'iso-ms' | 'iso-seconds' | 'iso-date' | 'epoch-ms' | 'epoch-s';
  write(at: Instant): string;
  /** The least by which two written moments differ, milliseconds. */
  readonly unitMs: number;
  /** By how much clocks and the meaning of a date may differ from ours, milliseconds: a day may be that of any zone. */
  readonly marginMs: number;
}

/** The likeliest first. */
export const dateFormats: readonly DateFormat[] = [
  { name: 'iso-ms', write: iso, unitMs: second, marginMs: 15 * minute },
  {
    name: 'iso-seconds',
    write: (at) => `${iso(at).slice(0, 19)}Z`,
    unitMs: second,
    marginMs: 15 * minute,
  },
  { name: 'iso-date', write: (at) => iso(at).slice(0, 10), unitMs: day, marginMs: 36 * hour },
  { name: 'epoch-ms', write: (at) => String(Math.floor(at)), unitMs: second, marginMs: 15 * minute },
  { name: 'epoch-s', write: (at) => String(Math.floor(at / 1_000)), unitMs: second, marginMs: 15 * minute },
];

function iso(at: Instant): string {
  return new Date(Math.floor(at)).toISOString();
}

/** A moment before any record. */
export const longAgo: Instant = Date.UTC(2000, 0, 2);

/**
 * A moment after every record, at least two days ahead. Where the calendar has one, it is a day that lies in the past
 * when its day is taken for its month: a format that is misread so shows by it.
 */
export function futureMoment(now: Instant): Instant {
  const today = Math.floor(now / day) * day;
  for (
    let at = today + 3 * day;
    new Date(at).getUTCFullYear() === new Date(now).getUTCFullYear();
    at += day
  ) {
    const date = new Date(at);
    if (date.getUTCDate() > 12) continue;
    const swapped = Date.UTC(date.getUTCFullYear(), date.getUTCDate() - 1, date.getUTCMonth() + 1);
    if (swapped < now - 2 * day) return at;
  }
  return today + 400 * day;
}
