/**
 * Reads query parameters as section 4 gives them. Invariant: a parameter of the wrong data type is ERR-00, a value
 * outside an enumeration or an impossible date range has the endpoint's own code, and nothing is guessed.
 */
import type { ErrorCode } from './errors.ts';

/** A request that is answered with an error of section 7. */
export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly details: string | undefined;

  constructor(code: ErrorCode, details?: string) {
    super(details ?? code);
    this.code = code;
    this.details = details;
  }
}

/** How start_date and end_date are read; section 4.1 does not show their format. */
export const DATE_FILTERS = ['iso', 'epoch-ms', 'ignored'] as const;
export type DateFilter = (typeof DATE_FILTERS)[number];

/** The query of one request, every name at most once. */
export class Query {
  readonly #values = new Map<string, string>();

  constructor(search: URLSearchParams) {
    for (const [name, value] of search) {
      if (this.#values.has(name)) throw new Refusal('ERR-00', `${name} is given more than once`);
      this.#values.set(name, value);
    }
  }

  text(name: string): string | undefined {
    return this.#values.get(name);
  }

  /** Refuses names the endpoint does not know. */
  only(names: readonly string[]): void {
    for (const name of this.#values.keys()) {
      if (!names.includes(name)) throw new Refusal('ERR-00', `${name} is no parameter of this endpoint`);
    }
  }

  /** A whole number of at least `least`. */
  integer(name: string, least: number): number | undefined {
    const text = this.#values.get(name);
    if (text === undefined) return undefined;
    const value = Number(text);
    if (!/^\d{1,15}$/.test(text) || value < least) {
      throw new Refusal('ERR-00', `${name} must be a whole number of at least ${least}`);
    }
    return value;
  }

  /** start_date and end_date as inclusive milliseconds. */
  dates(format: DateFilter): { from?: number; to?: number } {
    if (format === 'ignored') return {};
    const from = this.#date('start_date', format, 0);
    const to = this.#date('end_date', format, DAY - 1);
    if (from !== undefined && to !== undefined && from > to) throw new Refusal('TXN-03');
    return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
  }

  #date(name: string, format: DateFilter, dayOffset: number): number | undefined {
    const text = this.#values.get(name);
    if (text === undefined) return undefined;
    if (format === 'epoch-ms') {
      if (!/^\d{1,15}$/.test(text))
        throw new Refusal('TXN-03', `${name} must be milliseconds since the epoch`);
      return Number(text);
    }
    const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
    const time = ISO_DATE.test(text)
      ? Date.parse(ISO_ZONE.test(text) || isDay ? text : `${text}Z`)
      : Number.NaN;
    // A day such as 31 February would roll over into March.
    const day = text.slice(0, 10);
    const exists = !Number.isNaN(time) && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
    if (!exists) throw new Refusal('TXN-03', `${name} must be an ISO 8601 date or date-time`);
    return isDay ? time + dayOffset : time;
  }
}

const DAY = 86_400_000;
const ISO_DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/i;
const ISO_ZONE = /(?:Z|T.*[+-]\d{2}:?\d{2}| .*[+-]\d{2}:?\d{2})$/i;
