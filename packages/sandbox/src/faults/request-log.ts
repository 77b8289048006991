// Counts the requests per endpoint and keeps the latest ones, for tests. Invariant: the counters cover every
// request since the start or `reset`; only the log of single requests is bounded.
import type { Endpoint } from '../http/endpoints.ts';
import type { ErrorCode } from '../http/errors.ts';
import type { FaultKind } from './fault-kinds.ts';

/** A request and its answer. */
export interface LoggedRequest {
  readonly number: number;
  readonly time: number;
  readonly method: string;
  /** Path without the base path and the query. */
  readonly path: string;
  readonly query: string;
  /** Undefined for a path outside the interface. */
  readonly endpoint: Endpoint | undefined;
  /** Undefined when no status was sent. */
  readonly status: number | undefined;
  readonly errorCode: ErrorCode | undefined;
  readonly fault: FaultKind | undefined;
}

const maxRecent = 1000;

export class RequestLog {
  #recent: LoggedRequest[] = [];
  #counts: Partial<Record<Endpoint, number>> = {};
  #total = 0;
  #running = 0;

  /** All requests, those to unknown paths included. */
  get total(): number {
    return this.#total;
  }

  /** Requests per endpoint. */
  get byEndpoint(): Readonly<Partial<Record<Endpoint, number>>> {
    return { ...this.#counts };
  }

  /** Requests being answered now. */
  get running(): number {
    return this.#running;
  }

  /** The latest requests, oldest first. */
  recent(): readonly LoggedRequest[] {
    return this.#recent.slice(-maxRecent);
  }

  begin(): void {
    this.#running += 1;
  }

  end(): void {
    this.#running -= 1;
  }

  record(request: LoggedRequest): void {
    this.#total += 1;
    const { endpoint } = request;
    if (endpoint !== undefined) this.#counts[endpoint] = (this.#counts[endpoint] ?? 0) + 1;
    this.#recent.push(request);
    if (this.#recent.length >= maxRecent * 2) this.#recent = this.#recent.slice(-maxRecent);
  }

  /** Sets all counters to 0, except that of the requests being answered. */
  reset(): void {
    this.#recent = [];
    this.#counts = {};
    this.#total = 0;
  }
}
