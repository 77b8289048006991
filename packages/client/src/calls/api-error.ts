// The error of a call that the mirror refuses or does not answer.
import type { Problem } from '../generated/types/api-types.ts';

export interface ApiErrorDetails {
  readonly status?: number;
  readonly problem?: Problem | null;
  readonly retryAfterMs?: number | null;
  readonly isTransient: boolean;
  readonly cause?: unknown;
}

export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** The status of HTTP; null if no complete response arrived. */
  readonly status: number | null;
  /** The problem that the mirror reports (RFC 9457); null if none. Programs should act on its `code`. */
  readonly problem: Problem | null;
  /** How long the mirror asks to wait, in milliseconds; null if it does not. */
  readonly retryAfterMs: number | null;
  /** Whether a retry may succeed: no response, too many requests, a failure or a lag of the mirror. */
  readonly isTransient: boolean;

  constructor(message: string, { status, problem, retryAfterMs, isTransient, cause }: ApiErrorDetails) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status ?? null;
    this.problem = problem ?? null;
    this.retryAfterMs = retryAfterMs ?? null;
    this.isTransient = isTransient;
  }
}
