// Moments in a time zone, and calendar days as YYYY-MM-DD. The API speaks UTC; people read and type local
// times. A day that is over keeps the time zone in which it ended, so the API reports its bounds.
import type { Ask, Day } from '../api/ask.ts';
import { agoInWords, isDay, localOf, offsetAt } from '../api/words.ts';

/**
 * `2026-11-20T19:32:00`. Text that JavaScript cannot read as a date, such as a year of five digits, stays.
 */
export function localTime(moment: string, zone: string): string {
  const ms = Date.parse(moment);
  return Number.isNaN(ms) ? moment : localOf(ms, zone);
}

/** What a person types for a moment: a day, or a day with a time. */
const local = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d)?)?$/;

export function isLocalTime(text: string): boolean {
  return local.test(text);
}

/**
 * The moment of a local time, RFC 3339 in UTC. A day alone is its first moment. Where the clocks go back, the
 * first of the two; where they go forward, a time that they skip is as much later as they skip.
 *
 * @returns null for what no calendar holds
 */
export function momentOf(text: string, zone: string): string | null {
  if (!isLocalTime(text)) return null;
  const full = `${text}${'0000-00-00T00:00:00'.slice(text.length)}`;
  const wanted = Date.parse(`${full}Z`);
  if (Number.isNaN(wanted) || new Date(wanted).toISOString().slice(0, 19) !== full) return null;
  const dayMs = 86_400_000;
  const [before, after] = [offsetAt(wanted - dayMs, zone), offsetAt(wanted + dayMs, zone)];
  const found = [wanted - before, wanted - after].filter((ms) => localOf(ms, zone) === full);
  const ms = found.length > 0 ? Math.min(...found) : wanted - before;
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/**
 * With this suffix on the name of a moment's field, a form sends the moment that the field was filled with. A
 * field holds whole seconds of a local time, which comes twice when the clocks go back: left as it was, it
 * means that moment.
 */
export const originalSuffix = '.was';

/** What a moment becomes when a field is filled with it and sent; null for text that is not a moment. */
export function roundTripped(moment: string, zone: string): string | null {
  return Number.isNaN(Date.parse(moment)) ? null : momentOf(localTime(moment, zone), zone);
}

const weekdays = new Intl.DateTimeFormat('en-GB', { weekday: 'short', timeZone: 'UTC' });
const months = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/**
 * The shortest form of a moment: `4 min ago` within the last hour, `Tue 11:47` within the last six
 * days, then `31 Oct`, and `31 Oct 2024` of another year.
 *
 * @param moment RFC 3339
 */
export function shortTime(
  moment: string,
  { now, zone }: { readonly now: string; readonly zone: string },
): string {
  const ms = Date.parse(moment);
  const age = Date.parse(now) - ms;
  if (Number.isNaN(ms) || age < 0) return localTime(moment, zone).replace('T', ' ');
  if (age < 3_600_000) return agoInWords(moment, now);
  const local = localTime(moment, zone);
  const day = Date.parse(`${local.slice(0, 10)}T00:00:00Z`);
  if (age < 6 * 86_400_000) return `${weekdays.format(day)} ${local.slice(11, 16)}`;
  const date = months.format(day);
  return local.slice(0, 4) === localTime(now, zone).slice(0, 4) ? date : `${date} ${local.slice(0, 4)}`;
}

const dayMs = 86_400_000;
const words = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' });

export function dayLater(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

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

/** A microsecond later: of a limit that counts itself. @param moment RFC 3339 in UTC */
export function justAfter(moment: string): string {
  const [whole = '', micros = '0'] = moment.replace('Z', '').split('.');
  const later = Number(micros.padEnd(6, '0')) + 1;
  if (later < 1_000_000) return `${whole}.${String(later).padStart(6, '0')}Z`;
  return `${new Date(Date.parse(`${whole}Z`) + 1000).toISOString().slice(0, 19)}.000000Z`;
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

/** The moment up to which `at` looks: itself, or the first one after the day; null where that is unknown. */
export function endOf(at: string, closed: Day | null): string {
  return isDay(at) ? (closed?.ends_at ?? `${dayLater(at, 1)}T00:00:00Z`) : at;
}

/** The moment that a field shows for `at`: for a day its last second. */
export function fieldMoment(at: string, closed: Day | null): string {
  return isDay(at) ? new Date(Date.parse(endOf(at, closed)) - 1000).toISOString() : at;
}

function midnight(day: string, zone: string): string {
  return momentOf(day, zone) ?? `${day}T00:00:00Z`;
}

/** The days from one to another that the mirror knows, in order. */
export async function daysBetween(ask: Ask, first: string, last?: string): Promise<readonly Day[]> {
  return (await ask.known('listDays', { day_from: first, day_to: last, sort: 'day', limit: 500 })).data;
}

/** The present day, by the clock of the database. */
export async function todayOf(ask: Ask, now: string): Promise<string> {
  const utc = now.slice(0, 10);
  return (await daysBetween(ask, dayLater(utc, -2))).at(-1)?.day ?? utc;
}

/** The day on which the moment is; null before the first one. */
export async function dayThatHolds(ask: Ask, moment: string): Promise<string | null> {
  return (await ask.known('listDays', { holds: moment })).data[0]?.day ?? null;
}

/** The ends of the periods before this day that are known: balances were observed on their last days. */
export async function observedEnds(ask: Ask, today: string): Promise<ReturnType<typeof lastEnds>> {
  const ends = [];
  for (const end of lastEnds(today)) if (await isObserved(ask, end[1])) ends.push(end);
  return ends;
}

async function isObserved(ask: Ask, day: string): Promise<boolean> {
  const [bounds] = await daysBetween(ask, day, day);
  if (bounds === undefined) return false;
  const { starts_at: snapshot_from, ends_at: snapshot_to } = bounds;
  const query = { snapshot_from, snapshot_to, sort: 'snapshot_at', limit: 1 } as const;
  // One that began on the day may have been answered on the next.
  return (await ask.known('listSnapshots', query)).data.some((row) => isBy(row.answered_at, snapshot_to));
}

/**
 * Whether the last observation of all vaults by then identified each record: what it does not list was not
 * held.
 *
 * @param at a moment, or a day for its close; undefined for now
 */
export async function listsAll(ask: Ask, at: string | undefined): Promise<boolean> {
  const end = at !== undefined && isDay(at) ? (await daysBetween(ask, at, at))[0]?.ends_at : at;
  if (at !== undefined && end === undefined) return false;
  const { data } = await ask.known('listSnapshots', { vault_type: 'all', snapshot_to: end, limit: 3 });
  return data.find((row) => end === undefined || isBy(row.answered_at, end))?.unidentified_count === 0;
}

export async function isObservedBy(ask: Ask, moment: string): Promise<boolean> {
  const { data } = await ask.known('listSnapshots', { sort: 'snapshot_at', limit: 3 });
  return data.some((row) => isBy(row.answered_at, moment));
}

function isBy(moment: string, end: string): boolean {
  return Date.parse(moment) <= Date.parse(end);
}
