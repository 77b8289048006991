// Retries after transient failures: when, and how often.
import { ApiError } from './api-error.ts';
import { sleep } from './waiting.ts';

export interface RetryPolicy {
  /** The most attempts for a call. */
  readonly attempts: number;
  /** About how long to wait before the second attempt; the wait doubles with each further one. */
  readonly firstDelayMs: number;
  readonly greatestDelayMs: number;
  readonly random: () => number;
  /** Called for each failure that is followed by another attempt. */
  readonly onRetry: (error: ApiError, delayMs: number) => void;
}

/** @param failures how many there were in a row, this one included */
function delayAfter(error: ApiError, failures: number, policy: RetryPolicy): number {
  const { firstDelayMs, greatestDelayMs, random } = policy;
  // Never earlier than the mirror asks for, and not all clients at the same moment.
  if (error.retryAfterMs !== null) return error.retryAfterMs + random() * firstDelayMs;
  const ceiling = Math.min(greatestDelayMs, firstDelayMs * 2 ** Math.min(failures - 1, 30));
  return ceiling * (0.5 + random() / 2);
}

/** @throws ApiError of the last attempt, or of one that asks to wait longer than a call may */
export async function withRetries<Result>(
  policy: RetryPolicy,
  signal: AbortSignal | undefined,
  attempt: () => Promise<Result>,
): Promise<Result> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof ApiError) || !error.isTransient || failures >= policy.attempts) throw error;
      if ((error.retryAfterMs ?? 0) > policy.greatestDelayMs) throw error;
      await pauseAfter(error, failures, policy, signal);
    }
  }
}

export async function pauseAfter(
  error: ApiError,
  failures: number,
  policy: RetryPolicy,
  signal: AbortSignal | undefined,
): Promise<void> {
  const delayMs = delayAfter(error, failures, policy);
  policy.onRetry(error, delayMs);
  await sleep(delayMs, signal);
}
