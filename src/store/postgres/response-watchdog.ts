// The answers of the server to the statements of a transaction: how long each took, and that there is one.
// Over a connection that the network has forgotten comes neither answer nor error, until TCP gives up after a
// quarter of an hour.
import { setMaxListeners } from 'node:events';
import type { Socket } from 'node:net';
import { unlessStopped } from '../../base/waiting.ts';
import { MirrorError } from '../../domain/errors.ts';
import type { ServerTransaction } from './cancel.ts';

export interface ResponseWatchdog {
  /**
   * The answer to a statement.
   *
   * @param onEnd gets the milliseconds that it took, without those of the statements sent before it
   * @throws MirrorError `DATABASE-UNREACHABLE` when none comes in time, whatever the driver does
   */
  answer<T>(label: string, statement: () => PromiseLike<T>, onEnd?: (ms: number) => void): Promise<T>;
  /** The transaction at the server, when it has begun; null when it could not begin. */
  begun: Promise<ServerTransaction | null>;
  /** Cancels the statement under way, once the transaction has begun. Never rejects. */
  cancel(): Promise<void>;
  /** Gives the connection up if a statement waits and nothing has come since then. */
  giveUpIfSilentSince(moment: number): void;
  /** Over this connection not even the beginning succeeded: nothing was done. */
  readonly couldNotBegin: boolean;
}

/**
 * A beginning is no work: where it is not answered for so long, the network has forgotten the connection, or
 * the server is away.
 */
const beginMs = 5_000;
/** The longest time that a timer counts. */
const longestTimerMs = 2 ** 31 - 1;

export interface WatchOptions {
  readonly target: string;
  /** A connection that answers no statement for so long is given up. */
  readonly longestMs: number;
  readonly cancelTransaction: (transaction: ServerTransaction) => Promise<void>;
  /** Called with the moment since when nothing had come. */
  readonly onGiveUp: (silentSince: number) => void;
}

/** Breaks the connection when statements wait and nothing came for so long. */
export function watchResponses(
  socket: Socket,
  { target, longestMs, cancelTransaction, onGiveUp }: WatchOptions,
): ResponseWatchdog {
  const givenUp = new AbortController();
  setMaxListeners(0, givenUp.signal);
  const limitOf = (label: string) => (label === 'begin' ? Math.min(longestMs, beginMs) : longestMs);
  /** When the server could begin with the oldest that waits: it was sent then, or something came. */
  let freeAt = 0;
  const giveUp = (label: string) => {
    const heardAt = waiting.heardAt();
    const silentMs = Math.min(limitOf(label), performance.now() - heardAt);
    // The server may still work on the statement, and hold its locks. A commit that waits for a standby is
    // left to it.
    if (label !== 'commit') void watchdog.cancel();
    givenUp.abort(noAnswer(target, label, silentMs));
    socket.destroy();
    onGiveUp(heardAt);
  };
  const waiting = createWaiting(socket, limitOf, giveUp);
  const watchdog = {
    couldNotBegin: false,
    begun: Promise.resolve<ServerTransaction | null>(null),
    async cancel() {
      const begun = await watchdog.begun;
      if (begun !== null) await cancelTransaction(begun);
    },
    giveUpIfSilentSince(moment: number) {
      const oldest = waiting.oldest();
      if (oldest !== undefined && waiting.heardAt() <= moment) giveUp(oldest);
    },
    async answer<T>(label: string, statement: () => PromiseLike<T>, onEnd?: (ms: number) => void) {
      const sentAt = performance.now();
      if (waiting.oldest() === undefined) freeAt = sentAt;
      const answered = waiting.add(label);
      try {
        return await unlessStopped(givenUp.signal, async () => await statement());
      } catch (error) {
        if (label === 'begin') watchdog.couldNotBegin = true;
        throw error;
      } finally {
        answered();
        const ms = performance.now() - Math.max(sentAt, freeAt);
        freeAt = performance.now();
        onEnd?.(ms);
      }
    },
  };
  return watchdog;
}

/** The statements that wait for answers, oldest first; it is late when nothing comes for too long. */
function createWaiting(socket: Socket, limitOf: (label: string) => number, onLate: (label: string) => void) {
  const waiting = new Set<{ readonly label: string }>();
  let heardAt = 0;
  let cameBytes = 0;
  let timer: NodeJS.Timeout | undefined;
  const hear = () => {
    heardAt = performance.now();
    cameBytes = socket.bytesRead;
  };
  const lookIn = (ms: number) => {
    clearTimeout(timer);
    // A process that was frozen first reads the answers that lie there.
    timer = setTimeout(() => setImmediate(look), Math.min(ms, longestTimerMs));
  };
  const oldest = () => [...waiting][0]?.label;
  /** When something came last, a part of a long answer included. */
  const lastHeardAt = () => {
    if (socket.bytesRead > cameBytes) hear();
    return heardAt;
  };
  const look = () => {
    const label = oldest();
    if (label === undefined) return;
    const leftMs = limitOf(label) - (performance.now() - lastHeardAt());
    if (leftMs > 0) lookIn(leftMs);
    else onLate(label);
  };
  return {
    oldest,
    heardAt: lastHeardAt,
    /** @returns to be called when it is answered */
    add(label: string): () => void {
      const one = { label };
      if (waiting.size === 0) {
        hear();
        lookIn(limitOf(label));
      }
      waiting.add(one);
      return () => {
        hear();
        waiting.delete(one);
        if (waiting.size === 0) clearTimeout(timer);
      };
    },
  };
}

function noAnswer(target: string, label: string, limitMs: number): MirrorError {
  return new MirrorError(
    'DATABASE-UNREACHABLE',
    `database ${target} did not answer (${label}) within ${Math.round(limitMs / 100) / 10} s: the connection is given up, and the next attempt opens another; ${whereToLook(label)}`,
  );
}

function whereToLook(label: string): string {
  if (label === 'begin') return 'check the network, and whether a pooler has a connection of the server free';
  if (label === 'commit')
    return 'it may have been committed all the same; check the network, and whether a synchronous standby is away';
  return 'check the network';
}
