// Watches the server's answers to the statements of a transaction: how long each took, and whether any
// arrives. A connection that the network has dropped returns neither answer nor error until TCP gives up
// after a quarter of an hour.
import { setMaxListeners } from 'node:events';
import type { Socket } from 'node:net';
import { unlessStopped, within } from '../../base/waiting.ts';
import { MirrorError } from '../../domain/errors.ts';
import { Client } from './server-choice.ts';

// Cancels the work of a server process over a separate connection: the pool may have none left.

/** Our work at a server process: behind a pooler the process serves somebody else right after. */
export interface ServerTransaction {
  readonly pid: number;
  /** When the transaction began, by the server. */
  readonly since: string;
}

interface Cancelling {
  /** Resolves when no cancellation is in flight. */
  settled(): Promise<void>;
  /** Unsubscribes from the signal. */
  release(): void;
}

/** If it takes longer, the statement timeout has to end it. */
const waitMs = 2_000;

export function cancelOnAbort(cancel: () => Promise<void>, signal: AbortSignal): Cancelling {
  let sent: Promise<void> = Promise.resolve();
  const onAbort = () => {
    sent = cancel();
  };
  signal.addEventListener('abort', onAbort, { once: true });
  return { settled: () => sent, release: () => signal.removeEventListener('abort', onAbort) };
}

/** A server that does not track activities reports no start times either. */
const cancel = `select pg_catalog.pg_cancel_backend(pid) from pg_catalog.pg_stat_activity
  where pid = $1 and (xact_start = $2::timestamptz or state = 'disabled')`;

/** Resolves when the server has received it, or after two seconds. Never rejects. */
export async function cancelTransaction(
  connectionString: string,
  { pid, since }: ServerTransaction,
): Promise<void> {
  const client = new Client({
    connectionString,
    application_name: 'custody-mirror cancel',
    connectionTimeoutMillis: waitMs,
    query_timeout: waitMs,
  });
  client.on('error', () => undefined);
  const sending = client.connect().then(() => client.query(cancel, [pid, since]));
  await within(waitMs, sending).catch(() => undefined);
  void client.end().catch(() => undefined);
}

export interface ResponseWatchdog {
  /**
   * The answer to a statement.
   *
   * @param onEnd gets its duration in milliseconds, without that of the statements sent before it
   * @throws MirrorError `DATABASE-UNREACHABLE` if none arrives in time, whatever the driver does
   */
  answer<T>(label: string, statement: () => PromiseLike<T>, onEnd?: (ms: number) => void): Promise<T>;
  /** The transaction at the server once it has begun; null if it could not begin. */
  begun: Promise<ServerTransaction | null>;
  /** Cancels the running statement, once the transaction has begun. Never rejects. */
  cancel(): Promise<void>;
  /** Drops the connection if a statement is waiting and nothing has arrived since then. */
  giveUpIfSilentSince(moment: number): void;
  /** Whether not even `begin` succeeded on this connection: nothing was done. */
  readonly couldNotBegin: boolean;
}

/**
 * `begin` takes no time: if it is unanswered for this long, the network has dropped the connection, or the
 * server is down.
 */
const beginMs = 5_000;
/** The longest delay that a timer supports. */
const longestTimerMs = 2 ** 31 - 1;

interface WatchOptions {
  readonly target: string;
  /** How long a statement may stay unanswered before its connection is dropped. */
  readonly longestMs: number;
  readonly cancelTransaction: (transaction: ServerTransaction) => Promise<void>;
  /** Called with the time of the last data. */
  readonly onGiveUp: (silentSince: number) => void;
}

/** Breaks the connection if statements are waiting and nothing arrives for too long. */
export function watchResponses(
  socket: Socket,
  { target, longestMs, cancelTransaction, onGiveUp }: WatchOptions,
): ResponseWatchdog {
  const givenUp = new AbortController();
  setMaxListeners(0, givenUp.signal);
  const limitOf = (label: string) => (label === 'begin' ? Math.min(longestMs, beginMs) : longestMs);
  /** When the server could start on the oldest waiting statement: when it was sent, or data last arrived. */
  let freeAt = 0;
  const giveUp = (label: string) => {
    const heardAt = waiting.heardAt();
    const silentMs = Math.min(limitOf(label), performance.now() - heardAt);
    // The server may still be working on the statement and hold its locks. A commit that waits for a standby
    // is not cancelled.
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
        if (label.startsWith('begin')) watchdog.couldNotBegin = true;
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

/** The statements waiting for answers, oldest first; late if nothing arrives for too long. */
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
    // A process that was frozen first reads the answers already received.
    timer = setTimeout(() => setImmediate(look), Math.min(ms, longestTimerMs));
  };
  const oldest = () => [...waiting][0]?.label;
  /** When data last arrived, including part of a long answer. */
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
    /** @returns a function to call when it is answered */
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
  if (label === 'begin') return 'check the network, and whether a pooler has a free server connection';
  if (label === 'commit')
    return 'it may have been committed nevertheless; check the network, and whether a synchronous standby is offline';
  return 'check the network';
}
