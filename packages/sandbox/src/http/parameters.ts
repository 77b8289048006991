// Reads query parameters (section 4). Invariant: a parameter of the wrong data type is ERR-00; a value
// outside an enumeration and an impossible date range have the code of the endpoint; nothing is guessed.
import { type DateFormat, isWrittenAs, readDate } from './dates.ts';
import type { ErrorCode } from './errors.ts';

/** A request that is answered with an error of section 7. */
export class RefusedRequest extends Error {
  readonly code: ErrorCode;
  readonly details: string | undefined;

  constructor(code: ErrorCode, details?: string) {
    super(details ?? code);
    this.code = code;
    this.details = details;
  }
}

/** The query of a request. A name that occurs twice is refused. */
export class RequestQuery {
  readonly #values = new Map<string, string>();

  constructor(search: URLSearchParams) {
    for (const [name, value] of search) {
      if (this.#values.has(name)) throw new RefusedRequest('ERR-00', `${name} is given more than once`);
      this.#values.set(name, value);
    }
  }

  text(name: string): string | undefined {
    return this.#values.get(name);
  }

  /** Refuses names that the endpoint does not know. */
  only(names: readonly string[]): void {
    for (const name of this.#values.keys()) {
      if (!names.includes(name))
        throw new RefusedRequest('ERR-00', `${name} is not a parameter of this endpoint`);
    }
  }

  /** A whole number of at least `least`. */
  integer(name: string, least: number): number | undefined {
    const text = this.#values.get(name);
    if (text === undefined) return undefined;
    const value = Number(text);
    if (!/^\d{1,15}$/.test(text) || value < least) {
      throw new RefusedRequest('ERR-00', `${name} must be a whole number of at least ${least}`);
    }
    return value;
  }

  /** start_date and end_date as inclusive milliseconds. @param format the only one that is understood */
  dates(format?: DateFormat): { from?: number; to?: number } {
    const date = (name: string) => {
      const text = this.#values.get(name);
      if (text === undefined) return undefined;
      const found = readDate(text);
      if (found === undefined || !isWrittenAs(format, text))
        throw new RefusedRequest('TXN-03', `${name} cannot be read as a date`);
      return found;
    };
    const from = date('start_date')?.[0];
    const to = date('end_date')?.[1];
    if (from !== undefined && to !== undefined && from > to) throw new RefusedRequest('TXN-03');
    return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
  }
}
