// Moments in a time zone, in both directions. The API speaks UTC; people read and type local times.

import { agoInWords } from '../../../../src/domain/words.ts';
import { localOf, offsetAt } from '../api/interface.ts';

/**
 * The local time of a moment, as a form's field wants it: `2026-11-20T19:32:00`. One of which JavaScript
 * knows no date, such as a year of five digits that a person mistyped, stays as it is.
 *
 * @param moment RFC 3339
 * @param zone an IANA name
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
 * A form sends under the name of a moment's field with this behind it the moment that the field was filled
 * with. A field holds whole seconds of a local time, of which there are two when the clocks go back: left as
 * it was, it means that moment.
 */
export const originalSuffix = '.was';

/** What the moment becomes when a field that was filled with it is sent; null for text that is none. */
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
