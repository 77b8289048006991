// Spans of time that people ask for, beginning and ending at midnight of the reader's zone.
import { dayLater, dayOf } from '../view/days.ts';
import { momentOf } from '../view/zone.ts';

export interface Span {
  readonly from: string;
  readonly to: string | null;
}

/** The last days until now: today and so many days before it. */
export function lastDays(now: string, zone: string, days: number): Span {
  return { from: midnight(dayLater(dayOf(now, zone), -days), zone), to: null };
}

/** The calendar week before this one, from Monday to Sunday. */
export function lastWeek(now: string, zone: string): Span {
  const day = dayOf(now, zone);
  const sinceMonday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
  const monday = dayLater(day, -sinceMonday);
  return { from: midnight(dayLater(monday, -7), zone), to: midnight(monday, zone) };
}

export function lastMonth(now: string, zone: string): Span {
  const first = `${dayOf(now, zone).slice(0, 7)}-01`;
  const before = `${dayLater(first, -1).slice(0, 7)}-01`;
  return { from: midnight(before, zone), to: midnight(first, zone) };
}

function midnight(day: string, zone: string): string {
  return momentOf(day, zone) ?? `${day}T00:00:00Z`;
}
