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
  /** Sets how many requests may be in flight together, from the next answer on: the present one may say to wait. */
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

export function createLimiter(options: LimiterOptions): Limiter {
  return new QueueLimiter(options);
}

class QueueLimiter implements Limiter {
  readonly #options: LimiterOptions;
  readonly #queue: WaitingCall[] = [];
  readonly #sending = new Set<Promise<unknown>>();
  #maxConcurrency: number;
  #inFlight = 0;
  #timer: AbortController | null = null;

  constructor(options: LimiterOptions) {
    this.#options = options;
    this.#maxConcurrency = options.maxConcurrency;
  }

  get waiting(): number {
    return this.#queue.length;
  }

  async run<Result>(
    priority: Priority,
    signal: AbortSignal,
    send: (replied: (reply: Reply) => void) => Promise<Result>,
  ): Promise<Result> {
    signal.throwIfAborted();
    const sent = await this.#waitForTurn(priorities.indexOf(priority), signal);
    let reply: Reply = { outcome: 'unknown', waitMs: null, quota: null };
    const sending = send((given) => {
      reply = given;
    });
    this.#sending.add(sending);
    try {
      return await sending;
    } finally {
      this.#sending.delete(sending);
      this.#inFlight -= 1;
      this.#options.controller.answered(this.#options.monotonicMs(), sent, reply);
      this.#giveTurns();
    }
  }

  allow(maxConcurrency: number): void {
    this.#maxConcurrency = maxConcurrency;
  }

  async idle(): Promise<void> {
    await Promise.allSettled(this.#sending);
  }

  #waitForTurn(rank: number, signal: AbortSignal): Promise<Sent> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#queue.splice(this.#queue.indexOf(call), 1);
        reject(signal.reason);
        this.#giveTurns();
      };
      const call: WaitingCall = {
        rank,
        go: (sent) => {
          signal.removeEventListener('abort', leave);
          resolve(sent);
        },
      };
      const position = this.#queue.findIndex((other) => other.rank > rank);
      this.#queue.splice(position < 0 ? this.#queue.length : position, 0, call);
      signal.addEventListener('abort', leave, { once: true });
      this.#giveTurns();
    });
  }

  /** Gives every turn that is due, and sets a timer for the next one. */
  #giveTurns(): void {
    const { controller, monotonicMs, onChange } = this.#options;
    this.#timer?.abort();
    this.#timer = null;
    let delayMs = 0;
    while (delayMs <= 0 && this.#queue.length > 0 && this.#inFlight < this.#maxConcurrency) {
      delayMs = controller.delayMs(monotonicMs());
      if (delayMs > 0) this.#setTimer(delayMs);
      else {
        this.#inFlight += 1;
        this.#queue.shift()?.go(controller.sent(monotonicMs()));
      }
    }
    onChange(this);
  }

  #setTimer(delayMs: number): void {
    // The controller wants an answer first; that answer gives the next turn.
    if (delayMs === Number.POSITIVE_INFINITY) return;
    const timer = new AbortController();
    this.#timer = timer;
    this.#options.sleep(Math.ceil(delayMs), timer.signal).then(
      () => {
        if (this.#timer === timer) this.#giveTurns();
      },
      () => undefined,
    );
  }
}
