// The limiter of one endpoint. Each request is a job of its Bottleneck, which orders them by priority and
// bounds how many are in flight. Its reservoir holds the turns that the rate controller gave and no job took:
// without one nothing leaves. Invariants: no request leaves before its turn; an aborted call ends at once and
// takes no turn.
import type Bottleneck from 'bottleneck';
import type { Sleep } from '../../base/loop.ts';
import { createBottleneck } from './bottleneck.ts';
import type { RateController, Reply, Sent } from './token-bucket.ts';

/** As Bottleneck counts: 0 is the most urgent, 9 the least. */
const priorities = { urgent: 1, normal: 5, background: 9 } as const;
export type Priority = keyof typeof priorities;

export interface LimiterOptions {
  readonly maxConcurrency: number;
  readonly controller: RateController;
  readonly monotonicMs: () => number;
  readonly sleep: Sleep;
  readonly onChange: (limiter: Limiter) => void;
}

const unknown: Reply = { outcome: 'unknown', waitMs: null, quota: null };

export class Limiter {
  readonly #options: LimiterOptions;
  readonly #bottleneck: Bottleneck;
  /** The calls that wait for a turn. Bottleneck keeps the jobs of aborted calls as well. */
  readonly #waiting = new Set<object>();
  /** Turns that no job has taken yet: what the reservoir counts. */
  readonly #turns: Sent[] = [];
  readonly #sending = new Set<Promise<unknown>>();
  #maxConcurrency: number;
  #timer: AbortController | null = null;
  #movesUntil = 0;

  constructor(options: LimiterOptions) {
    this.#options = options;
    this.#maxConcurrency = options.maxConcurrency;
    this.#bottleneck = createBottleneck(options.maxConcurrency);
  }

  /** Number of calls that wait for their turn. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Until when it knows that it waits, or when it last gave a turn. */
  get movesUntil(): number {
    return this.#movesUntil;
  }

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
  ): Promise<Result> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const call = {};
      const leave = () => {
        this.#waiting.delete(call);
        reject(signal.reason);
        this.#giveTurns();
      };
      const enqueue = () => {
        this.#bottleneck.schedule({ priority: priorities[priority] }, job).catch(reject);
      };
      const job = async () => {
        const turn = this.#turns.shift();
        if (turn === undefined) throw new TypeError('a request left without a turn');
        if (this.#options.controller.isBackingOff(this.#options.monotonicMs())) {
          // Since the turn was given, the service has asked to wait.
          if (this.#waiting.has(call)) enqueue();
          return this.#ended(turn, unknown);
        }
        if (!this.#waiting.delete(call)) return this.#passOn(turn);
        signal.removeEventListener('abort', leave);
        await this.#send(turn, send).then(resolve, reject);
      };
      this.#waiting.add(call);
      signal.addEventListener('abort', leave, { once: true });
      enqueue();
      this.#giveTurns();
    });
  }

  /** Sets how many requests may be in flight, from the next answer on: the present one may say to wait. */
  allow(maxConcurrency: number): void {
    if (maxConcurrency === this.#maxConcurrency) return;
    this.#maxConcurrency = maxConcurrency;
    void this.#bottleneck.updateSettings({ maxConcurrent: maxConcurrency });
  }

  /** Resolves when no request is in flight. Abort the calls that wait before. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#sending);
  }

  async #send<Result>(turn: Sent, send: (replied: (reply: Reply) => void) => Promise<Result>) {
    let reply = unknown;
    const sending = send((given) => {
      reply = given;
    });
    this.#sending.add(sending);
    try {
      return await sending;
    } finally {
      this.#sending.delete(sending);
      this.#ended(turn, reply);
    }
  }

  /** The call of this job was aborted: its turn goes to another one that waits, or back to the controller. */
  #passOn(turn: Sent): void {
    if (this.#waiting.size <= this.#turns.length) this.#ended(turn, unknown);
    else this.#give(turn);
  }

  #ended(turn: Sent, reply: Reply): void {
    const { controller, monotonicMs } = this.#options;
    controller.answered(monotonicMs(), turn, reply);
    this.#giveTurns();
  }

  #give(turn: Sent): void {
    this.#turns.push(turn);
    this.#movesUntil = Math.max(this.#movesUntil, this.#options.monotonicMs());
    void this.#bottleneck.incrementReservoir(1);
  }

  /** Gives every turn that is due, and sets a timer for the next one. */
  #giveTurns(): void {
    const { controller, monotonicMs, onChange } = this.#options;
    this.#timer?.abort();
    this.#timer = null;
    while (
      this.#waiting.size > this.#turns.length &&
      this.#turns.length + this.#sending.size < this.#maxConcurrency
    ) {
      const delayMs = controller.delayMs(monotonicMs());
      if (delayMs > 0) {
        this.#setTimer(delayMs);
        break;
      }
      this.#give(controller.sent(monotonicMs()));
    }
    onChange(this);
  }

  #setTimer(delayMs: number): void {
    // The controller wants an answer first; that answer gives the next turn.
    if (delayMs === Number.POSITIVE_INFINITY) return;
    this.#movesUntil = this.#options.monotonicMs() + delayMs;
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
