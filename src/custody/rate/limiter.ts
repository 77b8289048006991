// One endpoint's limiter: a Bottleneck bounds what is in flight and orders what waits by priority; behind it, the pace of
// the rate controller. Invariants: no request leaves before its turn; a call that is aborted leaves at once, and costs
// neither a turn nor a place.
import Bottleneck from 'bottleneck';
import type { Sleep } from '../../base/loop.ts';
import type { RateController, Reply, Sent } from './given-rate.ts';

export type Priority = 'urgent' | 'normal' | 'background';

/** Bottleneck's priorities: the lower number goes first. */
const priorities: Readonly<Record<Priority, number>> = { urgent: 1, normal: 5, background: 8 };

export interface Limiter {
  /** Sends when its turn has come; `send` tells the rate controller what became of it through `replied`. */
  run<Result>(
    priority: Priority,
    signal: AbortSignal,
    send: (replied: (reply: Reply) => void) => Promise<Result>,
  ): Promise<Result>;
  /** Lets more requests be in flight together. */
  widen(maxConcurrency: number): void;
  /** Calls that wait for their turn. */
  readonly waiting: number;
  stop(): Promise<void>;
}

export interface LimiterOptions {
  readonly maxConcurrency: number;
  readonly controller: RateController;
  readonly monotonicMs: () => number;
  readonly sleep: Sleep;
  readonly onChange: (limiter: Limiter) => void;
}

export function createLimiter(options: LimiterOptions): Limiter {
  const { controller, monotonicMs, onChange } = options;
  const bottleneck = new Bottleneck({ maxConcurrent: options.maxConcurrency });
  const pace = createPace(options);
  let concurrency = options.maxConcurrency;
  let waiting = 0;
  let stopped: Promise<void> | null = null;

  const changeWaiting = (by: number) => {
    waiting += by;
    onChange(limiter);
  };

  const limiter: Limiter = {
    run(priority, signal, send) {
      signal.throwIfAborted();
      changeWaiting(1);
      let left = false;
      const leave = () => {
        if (!left) changeWaiting(-1);
        left = true;
      };
      return new Promise((resolve, reject) => {
        const onAbort = () => {
          leave();
          reject(signal.reason);
        };
        signal.addEventListener('abort', onAbort, { once: true });
        const job = async () => {
          // An aborted call was answered already: this throws, and its place is given on at once.
          const sent = await pace.turn(priorities[priority], signal);
          leave();
          let reply: Reply = { outcome: 'unknown', waitMs: null, quota: null };
          try {
            resolve(
              await send((given) => {
                reply = given;
              }),
            );
          } finally {
            controller.answered(monotonicMs(), sent, reply);
            pace.wake();
            onChange(limiter);
          }
        };
        void bottleneck
          .schedule({ priority: priorities[priority] }, job)
          .catch(reject)
          .finally(() => {
            leave();
            signal.removeEventListener('abort', onAbort);
          });
      });
    },
    widen(maxConcurrency) {
      if (maxConcurrency === concurrency) return;
      concurrency = maxConcurrency;
      bottleneck.updateSettings({ maxConcurrent: maxConcurrency });
    },
    get waiting() {
      return waiting;
    },
    stop() {
      stopped ??= bottleneck.stop({ dropWaitingJobs: true });
      return stopped;
    },
  };
  return limiter;
}

interface Waiter {
  readonly priority: number;
  readonly go: (sent: Sent) => void;
}

/** Gives turns at the controller's pace, the most urgent waiter first. */
function createPace({ controller, monotonicMs, sleep }: LimiterOptions) {
  const waiters: Waiter[] = [];
  let nap: AbortController | null = null;

  const wake = () => {
    nap?.abort();
    nap = null;
    const [next] = waiters;
    if (next === undefined) return;
    const delayMs = controller.delayMs(monotonicMs());
    if (delayMs <= 0) {
      waiters.shift();
      // The controller is told before the next turn is given, so that no two are given for one.
      next.go(controller.sent(monotonicMs()));
      wake();
      return;
    }
    // Without an end to the wait, the next answer wakes.
    if (delayMs === Number.POSITIVE_INFINITY) return;
    const controllerOfNap = new AbortController();
    nap = controllerOfNap;
    sleep(Math.ceil(delayMs), controllerOfNap.signal).then(
      () => {
        if (nap === controllerOfNap) wake();
      },
      () => undefined,
    );
  };

  return {
    wake,
    async turn(priority: number, signal: AbortSignal): Promise<Sent> {
      signal.throwIfAborted();
      return await new Promise((resolve, reject) => {
        const onAbort = () => {
          waiters.splice(waiters.indexOf(waiter), 1);
          reject(signal.reason);
          wake();
        };
        const waiter: Waiter = {
          priority,
          go: (sent) => {
            signal.removeEventListener('abort', onAbort);
            resolve(sent);
          },
        };
        const position = waiters.findIndex((other) => other.priority > priority);
        waiters.splice(position < 0 ? waiters.length : position, 0, waiter);
        signal.addEventListener('abort', onAbort, { once: true });
        wake();
      });
    },
  };
}
