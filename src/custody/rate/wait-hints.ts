// Reads how long an answer asks to wait: Retry-After.
import type { Instant } from '../../domain/instant.ts';

/** Longer waits are cut to this. */
const maxWaitMs = 15 * 60_000;

/**
 * Retry-After in milliseconds. A date counts from the Date header of the answer, or else from our clock: the
 * two may differ.
 *
 * @returns null when absent or unreadable
 */
export function retryAfterMs(headers: Pick<Headers, 'get'>, nowMs: Instant): number | null {
  const value = headers.get('retry-after')?.trim() ?? '';
  // Date.parse accepts almost any text; an HTTP date names its month.
  const until = /[a-z]{3}/i.test(value) ? Date.parse(value) : Number.NaN;
  const answeredAt = Date.parse(headers.get('date') ?? '');
  const ms = /^\d+(\.\d+)?$/.test(value)
    ? Number(value) * 1000
    : until - (Number.isNaN(answeredAt) ? nowMs : answeredAt);
  return Number.isNaN(ms) ? null : Math.min(maxWaitMs, Math.max(0, Math.ceil(ms)));
}
