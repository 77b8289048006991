// Calendar days, as YYYY-MM-DD, and the spans of moments that people ask for: midnights of the reader's zone.
// The read API reports where the account's days begin and end (page/days.ts).

import { isDay } from '../../../../src/domain/instant.ts';
import type { Day } from '../api/interface.ts';
import { localTime, momentOf } from './zone.ts';

const dayMs = 86_400_000;
const words = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' });

/** The day so many days later. */
export function dayLater(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

/** The day on which the moment is in the zone. */
function dayOf(moment: string, zone: string): string {
  return localTime(moment, zone).slice(0, 10);
}

/** `Friday 20 November 2026`. */
export function dayInWords(day: string): string {
  return words.format(Date.parse(`${day}T00:00:00Z`)).replace(',', '');
}

export interface Span {
  readonly from: string;
  readonly to: string | null;
}

/** So many times 24 hours before the moment, to the minute. */
export function daysBefore(moment: string, days: number): string {
  return `${new Date(Date.parse(moment) - days * dayMs).toISOString().slice(0, 16)}:00Z`;
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

/** The last days of the periods before this day, the latest first: `at` a day is at its end. */
export function lastEnds(day: string): readonly (readonly [word: string, day: string])[] {
  const [year = '', month = ''] = day.split('-');
  const quarter = String(Math.floor((Number(month) - 1) / 3) * 3 + 1).padStart(2, '0');
  return [
    ['yesterday', dayLater(day, -1)],
    ['last month', dayLater(`${year}-${month}-01`, -1)],
    ['last quarter', dayLater(`${year}-${quarter}-01`, -1)],
    ['last year', dayLater(`${year}-01-01`, -1)],
  ];
}

/**
 * Until when `at` looks: itself, or the first moment after the day.
 *
 * @param closed the day of the account; null where the mirror knows no such day
 */
export function endOf(at: string, closed: Day | null): string {
  return isDay(at) ? (closed?.ends_at ?? `${dayLater(at, 1)}T00:00:00Z`) : at;
}

/** The moment that stands in a field for `at`: of a day its last second. */
export function fieldMoment(at: string, closed: Day | null): string {
  return isDay(at) ? new Date(Date.parse(endOf(at, closed)) - 1000).toISOString() : at;
}

function midnight(day: string, zone: string): string {
  return momentOf(day, zone) ?? `${day}T00:00:00Z`;
}
