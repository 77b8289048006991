// Calendar days, as YYYY-MM-DD.
import { localTime } from './zone.ts';

const dayMs = 86_400_000;
const words = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

/** The day so many days later. */
export function dayLater(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

/** The day on which the moment is in the zone. */
export function dayOf(moment: string, zone: string): string {
  return localTime(moment, zone).slice(0, 10);
}

/** `Friday 20 November 2026`. */
export function dayInWords(day: string): string {
  return words.format(Date.parse(`${day}T00:00:00Z`)).replace(',', '');
}
