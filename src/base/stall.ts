// The watchdog of every job: ends work that makes no progress, or that continues after a stop, whatever it
// waits for. It does not rely on lower layers: a library may hang and ignore its signal.
import { MirrorError } from '../domain/errors.ts';
import { unlessOverdue, unlessStopped, withLinkedSignal } from './waiting.ts';

/**
 * The longest that one statement takes, including network time, a new connection and the wait for a free one.
 */
const longestStatementMs = 90_000;
/** A step may take this many times its own limits. */
const patience = 5;

/** How long work may make no progress: one attempt, the wait before the next one, and one statement. */
export function stallLimitMs({ timeoutMs = 0, retryMaxMs = 0 } = {}): number {
  return patience * (timeoutMs + 2 * retryMaxMs + longestStatementMs);
}

export interface StallOptions {
  /** Names the work in the error. */
  readonly name: string;
  readonly limitMs: number;
  /** Any number that changes with each step: an answer, a statement, a turn of the limiter. */
  readonly progress: () => number;
  /** How long the work may take to end after a stop. Default 3 seconds: `run` waits for 4. */
  readonly stopsWithinMs?: number;
}

/**
 * How many checks for progress fit into the limit. Checks are counted rather than time: a process that was
 * frozen for an hour has checked once.
 */
const looks = 10;

/**
 * The outcome of the work. Its signal is aborted along with the given one, and when the work is abandoned.
 *
 * @param work `abandoned` is aborted when nobody waits for the work any more: from then on it must have no
 *   effect
 * @throws MirrorError `JOB-STALLED` when it makes no progress; the reason of the signal when it is aborted
 *   and the work does not end; a later outcome is ignored
 */
export async function unlessStalled<Value>(
  { name, limitMs, progress, stopsWithinMs = 3_000 }: StallOptions,
  signal: AbortSignal,
  work: (signal: AbortSignal, abandoned: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const abandoned = new AbortController();
  let seen = progress();
  let quiet = 0;
  const look = () => {
    const now = progress();
    quiet = now === seen ? quiet + 1 : 0;
    seen = now;
    if (quiet > looks) abandoned.abort(stalled(name, limitMs));
  };
  const looking = setInterval(look, limitMs / looks);
  try {
    return await withLinkedSignal([signal, abandoned.signal], (either) =>
      unlessOverdue(either, stopsWithinMs, () =>
        unlessStopped(abandoned.signal, () => work(either, abandoned.signal)),
      ),
    );
  } catch (error) {
    abandoned.abort(error);
    throw error;
  } finally {
    clearInterval(looking);
  }
}

function stalled(name: string, limitMs: number): MirrorError {
  const minutes = Math.max(1, Math.round(limitMs / 60_000));
  return new MirrorError(
    'JOB-STALLED',
    `${name} made no progress for ${minutes} min, far longer than its limits allow, and was aborted; the next run starts again`,
  );
}
