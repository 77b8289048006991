// Reads what the headers of an answer say about waiting: Retry-After, and the common rate-limit headers.
import type { Instant } from '../../domain/instant.ts';

/** Longer waits are cut to this. */
const maxWaitMs = 15 * 60_000;

/**
 * Retry-After in milliseconds. A date counts from the Date header of the answer, or else from our clock.
 *
 * @returns null when absent or unreadable
 */
export function retryAfterMs(headers: Pick<Headers, 'get'>, nowMs: Instant): number | null {
  const value = headers.get('retry-after')?.trim();
  if (value === undefined || value === '') return null;
  if (/^\d+(\.\d+)?$/.test(value)) return capped(Number(value) * 1000);
  // Date.parse accepts almost any text; an HTTP date names its month.
  const until = /[a-z]{3}/i.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(until)) return null;
  return capped(until - answeredAt(headers, nowMs));
}

/** The service's time of its answer, or else ours: the two clocks may differ. */
function answeredAt(headers: Pick<Headers, 'get'>, nowMs: Instant): Instant {
  const date = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(date) ? nowMs : date;
}

/** How many requests may still be sent, and in how many milliseconds the count starts again. */
export interface Quota {
  readonly remaining: number;
  readonly resetMs: number;
}

/**
 * `RateLimit: limit=10, remaining=3, reset=5` or `"default";r=3;t=5`, `RateLimit-Remaining`,
 * `X-RateLimit-Remaining`.
 */
export function readQuota(headers: Pick<Headers, 'get'>, nowMs: Instant): Quota | null {
  const combined = headers.get('ratelimit') ?? '';
  const remaining =
    parameter(combined, 'remaining') ??
    parameter(combined, 'r') ??
    plainNumber(headers.get('ratelimit-remaining')) ??
    plainNumber(headers.get('x-ratelimit-remaining')) ??
    plainNumber(headers.get('x-rate-limit-remaining'));
  const reset =
    parameter(combined, 'reset') ??
    parameter(combined, 't') ??
    plainNumber(headers.get('ratelimit-reset')) ??
    plainNumber(headers.get('x-ratelimit-reset')) ??
    plainNumber(headers.get('x-rate-limit-reset'));
  if (remaining === null || reset === null) return null;
  return { remaining, resetMs: capped(untilReset(reset, answeredAt(headers, nowMs))) };
}

/** Milliseconds until a reset in seconds from now, or seconds or milliseconds since 1970, by its size. */
function untilReset(reset: number, nowMs: Instant): number {
  if (reset > 1e11) return reset - nowMs;
  return reset > 1e8 ? reset * 1000 - nowMs : reset * 1000;
}

function parameter(header: string, name: string): number | null {
  return plainNumber(new RegExp(`(?:^|[;,\\s])${name}\\s*=\\s*(\\d+(?:\\.\\d+)?)`, 'i').exec(header)?.[1]);
}

function plainNumber(text: string | null | undefined): number | null {
  const number = /^\s*(\d{1,15}(?:\.\d{1,9})?)/.exec(text ?? '')?.[1];
  return number === undefined ? null : Number(number);
}

function capped(ms: number): number {
  return Math.min(maxWaitMs, Math.max(0, Math.ceil(ms)));
}
