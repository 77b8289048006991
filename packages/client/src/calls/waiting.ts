// Waiting for a time or a signal. It leaves no listeners on the caller's signals, which may be long-lived.

/** The longest wait of a timer. With a longer one it would not wait at all. */
const longestMs = 2 ** 31 - 1;

/** @throws the reason of the signal as soon as it is aborted */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', stop);
        resolve();
      },
      Math.min(ms, longestMs),
    );
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}

export interface Deadline {
  /** Aborts at the deadline, and when the signal of the caller does. */
  readonly signal: AbortSignal;
  /** Whether the time was over. */
  isOver(): boolean;
  /** Restarts the full time. */
  renew(): void;
  /** Ends the watch over time and signal. */
  release(): void;
}

export function deadline(ms: number, of: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  let over = false;
  const stop = () => controller.abort(of?.reason);
  const begin = () =>
    setTimeout(() => {
      over = true;
      controller.abort();
    }, ms);
  let timer = begin();
  if (of?.aborted) stop();
  else of?.addEventListener('abort', stop, { once: true });
  return {
    signal: controller.signal,
    isOver: () => over,
    renew() {
      clearTimeout(timer);
      timer = begin();
    },
    release() {
      clearTimeout(timer);
      of?.removeEventListener('abort', stop);
    },
  };
}
