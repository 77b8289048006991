// What a call rejects with when the mirror refuses it, or does not answer.
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
  /** The status of HTTP; null where no whole answer came. */
  readonly status: number | null;
  /** What the mirror says of it (RFC 9457); null where it says nothing. Programs decide by its `code`. */
  readonly problem: Problem | null;
  /** How long the mirror asks to wait, in milliseconds; null where it does not. */
  readonly retryAfterMs: number | null;
  /** Whether the same call may succeed later: no answer, too many requests, or a failure of the mirror. */
  readonly isTransient: boolean;

  constructor(message: string, { status, problem, retryAfterMs, isTransient, cause }: ApiErrorDetails) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status ?? null;
    this.problem = problem ?? null;
    this.retryAfterMs = retryAfterMs ?? null;
    this.isTransient = isTransient;
  }
}
