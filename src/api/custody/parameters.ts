// Reads the query of a request (docs/custody-service.md 4). Invariant: what is not understood is refused by
// name, and never left out silently, because a filter without effect would answer with records that nobody
// asked for.
import { type DateBounds, readDate } from './dates.ts';
import { Refusal, type RefusalCode } from './errors.ts';

export interface Query {
  /** The text of a parameter; undefined when it is not given. Empty text is a text. */
  text(name: string): string | undefined;
  /** One of the values. @throws Refusal with the code of the endpoint */
  oneOf<Value extends string>(name: string, values: readonly Value[], code: RefusalCode): Value | undefined;
  /** `limit`, at most `most`, and `offset`. */
  window<Limit extends number | null>(
    defaultLimit: Limit,
    most: number,
  ): { readonly limit: number | Limit; readonly offset: number };
  /** `start_date` and `end_date`, inclusive, as microseconds. @throws Refusal TXN-03 */
  dates(): { readonly from?: number; readonly to?: number };
}

/** @throws Refusal ERR-00 for a parameter that the endpoint does not know, is given twice, or holds U+0000 */
export function readQuery(search: URLSearchParams, known: readonly string[]): Query {
  const values = new Map<string, string>();
  for (const [name, value] of search) {
    if (!known.includes(name)) throw invalid(`${shown(name)} is not a parameter; ${listed(known)}`);
    if (values.has(name)) throw invalid(`${name} is repeated`);
    if (value.includes('\u0000')) throw invalid(`${name} contains U+0000`);
    values.set(name, value);
  }
  const integer = (name: string, least: number): number | undefined => {
    const text = values.get(name);
    if (text === undefined) return undefined;
    if (!/^\d+$/.test(text) || Number(text) < least)
      throw invalid(`${name} must be a whole number of at least ${least}`);
    return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
  };
  const dateOf = (name: string): DateBounds | undefined => {
    const text = values.get(name);
    if (text === undefined) return undefined;
    const found = readDate(text);
    if (found === null)
      throw new Refusal(
        'TXN-03',
        `${name} must be a date such as 2026-05-04, a date-time such as 2026-05-04T10:00:00Z, or seconds or milliseconds since 1970`,
      );
    return found;
  };
  return {
    text: (name) => values.get(name),
    oneOf(name, allowed, code) {
      const text = values.get(name);
      if (text === undefined) return undefined;
      const value = allowed.find((candidate) => candidate === text);
      if (value === undefined) throw new Refusal(code);
      return value;
    },
    window(defaultLimit, most) {
      const limit = integer('limit', 1);
      const offset = integer('offset', 0) ?? 0;
      return { limit: limit === undefined ? defaultLimit : Math.min(limit, most), offset };
    },
    dates() {
      const from = dateOf('start_date')?.first;
      const to = dateOf('end_date')?.last;
      if (from !== undefined && to !== undefined && from > to)
        throw new Refusal('TXN-03', 'start_date is after end_date');
      return {
        ...(from === undefined ? {} : { from: withinTime(from) }),
        ...(to === undefined ? {} : { to: withinTime(to) }),
      };
    },
  };
}

/** Nothing was mirrored before or after, and PostgreSQL reads every moment between. */
const earliest = Date.UTC(1900, 0) * 1_000;
const latest = Date.UTC(2200, 0) * 1_000;

function withinTime(micros: number): number {
  return Math.min(Math.max(micros, earliest), latest);
}

function invalid(what: string): Refusal {
  return new Refusal('ERR-00', what);
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'there are none' : `there are ${names.join(', ')}`;
}

function shown(name: string): string {
  return JSON.stringify(name.length <= 40 ? name : `${name.slice(0, 40)}…`);
}
