// The limiter of one endpoint: one queue orders the calls by priority, and the rate controller says when the next may go.
// Invariants: no request leaves before its turn; an aborted call leaves the queue at once and takes no turn.
import type { Sleep } from '../../base/loop.ts';
import type { RateController, Reply, Sent } from './given-rate.ts';

/** From the most urgent to the least. */
const priorities = ['urgent', 'normal', 'background'] as const;
export type Priority = (typeof priorities)[number];

export interface Limiter {
  /**
   * Waits for a turn, then sends.
   *
   * @param send passes what the answer says about the rate to `replied`; without that call it says nothing
   * @throws the reason of the signal, if it is aborted before the turn
   */
  run<Result>(
    priority: Priority,
    signal: AbortSignal,
    send: (replied: (reply: Reply) => void) => Promise<Result>,
  ): Promise<Result>;
  /** Sets how many requests may be in flight together. */
  allow(maxConcurrency: number): void;
  /** Number of calls that wait for their turn. */
  readonly waiting: number;
  /** Resolves when no request is in flight. Abort the calls that wait before. */
  idle(): Promise<void>;
}

export interface LimiterOptions {
  readonly maxConcurrency: number;
  readonly controller: RateController;
  readonly monotonicMs: () => number;
  readonly sleep: Sleep;
  readonly onChange: (limiter: Limiter) => void;
}

interface WaitingCall {
  readonly rank: number;
  readonly go: (sent: Sent) => void;
}

export function createLimiter({
  controller,
  monotonicMs,
  sleep,
  onChange,
  ...options
}: LimiterOptions): Limiter {
  const queue: WaitingCall[] = [];
  const calls = new Set<Promise<unknown>>();
  let { maxConcurrency } = options;
  let inFlight = 0;
  let timer: AbortController | null = null;

  /** Gives every turn that is due, and sets a timer for the next one. */
  const giveTurns = () => {
    timer?.abort();
    timer = null;
    while (queue.length > 0 && inFlight < maxConcurrency) {
      const delayMs = controller.delayMs(monotonicMs());
      if (delayMs > 0) {
        setTimer(delayMs);
        return;
      }
      inFlight += 1;
      queue.shift()?.go(controller.sent(monotonicMs()));
    }
  };

  const setTimer = (delayMs: number) => {
    // The controller wants an answer first; that answer gives the next turn.
    if (delayMs === Number.POSITIVE_INFINITY) return;
    const set = new AbortController();
    timer = set;
    sleep(Math.ceil(delayMs), set.signal).then(
      () => {
        if (timer === set) giveTurns();
      },
      () => undefined,
    );
  };

  const waitForTurn = (priority: Priority, signal: AbortSignal) =>
    new Promise<Sent>((resolve, reject) => {
      const rank = priorities.indexOf(priority);
      const leave = () => {
        queue.splice(queue.indexOf(call), 1);
        reject(signal.reason);
        giveTurns();
        onChange(limiter);
      };
      const call: WaitingCall = {
        rank,
        go: (sent) => {
          signal.removeEventListener('abort', leave);
          resolve(sent);
        },
      };
      const position = queue.findIndex((other) => other.rank > rank);
      queue.splice(position < 0 ? queue.length : position, 0, call);
      signal.addEventListener('abort', leave, { once: true });
      giveTurns();
      onChange(limiter);
    });

  const limiter: Limiter = {
    async run(priority, signal, send) {
      signal.throwIfAborted();
      const sent = await waitForTurn(priority, signal);
      let reply: Reply = { outcome: 'unknown', waitMs: null, quota: null };
      const call = send((told) => {
        reply = told;
      });
      calls.add(call);
      try {
        return await call;
      } finally {
        calls.delete(call);
        inFlight -= 1;
        controller.answered(monotonicMs(), sent, reply);
        giveTurns();
        onChange(limiter);
      }
    },
    allow(allowed) {
      maxConcurrency = allowed;
      giveTurns();
    },
    get waiting() {
      return queue.length;
    },
    async idle() {
      await Promise.allSettled(calls);
    },
  };
  return limiter;
}
