// The rate limit of the sandbox: a number of requests per second and endpoint, in a sliding window (section 8
// shows neither number nor window). Invariant: no window lets more requests through than the rate allows.
/** The decision about a request. */
export interface RateVerdict {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Milliseconds until the next request is let through. */
  readonly waitMs: number;
}

export class RateLimit {
  readonly #capacity: number;
  readonly #windowMs: number;
  readonly #passed = new Map<string, number[]>();

  /** @param rate requests per second; below 1, one request in each window of 1/rate seconds */
  constructor(rate: number) {
    this.#capacity = Math.max(1, Math.floor(rate));
    this.#windowMs = rate >= 1 ? 1000 : 1000 / rate;
  }

  /** Counts a request to the endpoint. @param now milliseconds */
  take(endpoint: string, now: number): RateVerdict {
    const passed = (this.#passed.get(endpoint) ?? []).filter((time) => time > now - this.#windowMs);
    this.#passed.set(endpoint, passed);
    const allowed = passed.length < this.#capacity;
    if (allowed) passed.push(now);
    const remaining = this.#capacity - passed.length;
    const waitMs = remaining > 0 ? 0 : (passed[0] ?? now) + this.#windowMs - now;
    return { allowed, limit: this.#capacity, remaining, waitMs };
  }
}
