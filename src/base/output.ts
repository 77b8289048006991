// Standard output and standard error of the process. Invariant: a write returns at once even if nobody reads,
// and only whole texts come out, in order. Unread text is buffered up to a limit; anything beyond it is
// dropped and counted.
import { constants, fstatSync, openSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';

export interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number | undefined;
  write(text: string): unknown;
  /** Called for each dropped text, and with their number once texts are accepted again. */
  watch?(watcher: DropWatcher): void;
}

export interface DropWatcher {
  readonly onDrop: () => void;
  readonly onTaken: (dropped: number) => void;
}

export interface ProcessOutput extends Output {
  watch(watcher: DropWatcher): void;
  /**
   * Waits until everything is written, at most this long and until the signal is aborted.
   *
   * @returns the error code if something stays unwritten; else null
   */
  settle(withinMs: number, signal?: AbortSignal): Promise<string | null>;
}

/** How often a blocked destination is tried again. */
const retryMs = 50;
/** Shorter writes to a pipe are atomic (PIPE_BUF), so several processes can write to it. */
const maxWrite = 4_096;

/** @param maxWaiting how many bytes may wait; unbounded for 0 */
export function createOutput(
  stream: { readonly fd: number; readonly isTTY?: boolean; readonly columns?: number },
  maxWaiting: number,
): ProcessOutput {
  const dest = withoutWaiting(stream.fd);
  const sink = pino.destination({
    dest,
    sync: true,
    maxLength: maxWaiting,
    maxWrite,
    retryEAGAIN: () => false,
  });
  const state = { fault: null as string | null, dropped: 0, isRetrying: false };
  let watcher: DropWatcher | null = null;
  // At EPIPE pino's own listener gives up for good, but the reader of a FIFO may come back.
  sink.removeAllListeners('error');
  sink.on('error', ({ code = 'UNKNOWN' }: NodeJS.ErrnoException) => {
    state.fault = code;
  });
  sink.on('drop', () => {
    state.dropped += 1;
    watcher?.onDrop();
  });
  /** Writes the buffered texts, then the text. It succeeds or fails at once. */
  const attempt = (text: string) => {
    const { dropped, fault } = state;
    state.fault = null;
    sink.write(text);
    // A text that is dropped is not an attempt.
    if (state.dropped > dropped) state.fault ??= fault ?? 'EAGAIN';
    if (state.fault !== null) return retryLater();
    state.dropped = 0;
    if (dropped > 0) watcher?.onTaken(dropped);
  };
  const retryLater = () => {
    if (state.isRetrying) return;
    state.isRetrying = true;
    setTimeout(() => {
      state.isRetrying = false;
      attempt('');
    }, retryMs).unref();
  };
  return {
    isTTY: stream.isTTY === true,
    get columns() {
      return stream.columns;
    },
    write: attempt,
    watch: (given) => {
      watcher = given;
    },
    async settle(withinMs, signal) {
      const until = performance.now() + withinMs;
      const waits = () => state.fault === 'EAGAIN' && performance.now() < until && signal?.aborted !== true;
      while (waits()) await pause(retryMs);
      return state.fault;
    },
  };
}

/**
 * A pipe or terminal, opened once more, so that a write to it never waits. Whether writes wait is up to the
 * open file: others may share it, and Node.js makes writes to terminals wait.
 */
function withoutWaiting(fd: number): number {
  try {
    if (fstatSync(fd).isFile()) return fd;
    return openSync(`/dev/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch {
    // A socket cannot be opened. Node.js writes to sockets and pipes without waiting.
    return fd;
  }
}
