/**
 * The rate limit of the sandbox (section 8 shows neither threshold nor window): so many requests per second and
 * endpoint, in a sliding window. Invariant: in no window are more requests let through than the rate allows.
 */

/** What the limiter says of one request. */
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

  /** @param rate requests per second; a fraction lets one through in each longer window */
  constructor(rate: number) {
    this.#capacity = Math.max(1, Math.floor(rate));
    this.#windowMs = rate >= 1 ? 1000 : 1000 / rate;
  }

  /** Counts a request of an endpoint at a time in milliseconds. */
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
