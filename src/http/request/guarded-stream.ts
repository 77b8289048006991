// Limits answers in progress, so that no client ties up this process. A whole answer waits in memory until
// the client has read it: limited in total size, and each in time. A long one, such as CSV, is sent while it
// is read, and cut if its client stops reading, or if it lasts too long; then its source ends, and its
// database connection returns to the pool.
//
// A cut answer ends without the last chunk of HTTP, so that no client takes it for a whole one. node-server
// would write the text of an error into the body and onto the console: therefore the stream never fails, and
// the connection is closed from here.
import type { ServerResponse } from 'node:http';
import type { Context } from 'hono';
import type { AccessEnv, CutReason } from './environment.ts';
import { ClientGone, rateLimited } from './refusal.ts';

/** Undefined for a request without a connection, as in a test. */
function outgoingOf(c: Context): ServerResponse | undefined {
  return (c.env as Partial<AccessEnv['Bindings']> | undefined)?.outgoing;
}

/** Calls back when the connection has sent the answer or has broken, even if it broke before. */
export function whenClosed(c: Context, then: () => void): void {
  const outgoing = outgoingOf(c);
  if (outgoing?.destroyed === true) then();
  else outgoing?.once('close', then);
}

/**
 * Counts and logs it, where the server has said how (observe.ts), and resets the connection: HTTP/1.0 takes a
 * plain end for a whole answer.
 */
function abortResponse(c: Context, reason: CutReason, cause?: unknown): void {
  const report = c.get('onCut') as AccessEnv['Variables']['onCut'] | undefined;
  report?.(reason, cause);
  outgoingOf(c)?.socket?.resetAndDestroy();
}

/** Of all answers in progress in this process; one alone may be larger. */
const mostBytes = 64 * 2 ** 20;
/** The longest time for a client to take a whole answer. */
const takeWithinMs = 60_000;

let bytesUnderWay = 0;

/**
 * Counts the answer until its connection has sent it.
 *
 * @throws Refused `rate-limited` when too much is in progress already
 */
export function holdBytes(c: Context, bytes: number): void {
  const outgoing = outgoingOf(c);
  if (outgoing === undefined) return;
  if (bytesUnderWay > 0 && bytesUnderWay + bytes > mostBytes)
    throw rateLimited('clients have not yet received earlier responses', 5);
  bytesUnderWay += bytes;
  const timer = setTimeout(() => abortResponse(c, 'slow'), takeWithinMs).unref();
  whenClosed(c, () => {
    clearTimeout(timer);
    bytesUnderWay -= bytes;
  });
}

export interface StreamLimits {
  /** How long the client may read nothing. Default 30 seconds. */
  readonly stallMs?: number;
  /** The longest time for all of it. Default 10 minutes. */
  readonly deadlineMs?: number;
}

/**
 * The body of an answer.
 *
 * @param source begins at the first read, so never for HEAD. It ends when its signal is aborted, and releases
 *   what it holds when it is returned, as a generator does in `finally`
 */
export function guardedStream(
  c: Context,
  source: (signal: AbortSignal) => AsyncIterable<string | Uint8Array<ArrayBuffer>>,
  { stallMs = 30_000, deadlineMs = 600_000 }: StreamLimits = {},
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const controller = new AbortController();
  const { signal } = controller;
  let parts: AsyncIterator<string | Uint8Array<ArrayBuffer>> | null = null;
  let stall: NodeJS.Timeout | undefined;
  let deadline: NodeJS.Timeout | undefined;
  const clearTimers = () => {
    clearTimeout(stall);
    clearTimeout(deadline);
  };
  const endSource = (reason: Error) => {
    clearTimers();
    controller.abort(reason);
    Promise.resolve(parts?.return?.()).catch(() => undefined);
  };
  const cut = (reason: CutReason, cause?: unknown) => {
    if (signal.aborted) return;
    endSource(new Error(`the answer was cut (${reason})`));
    abortResponse(c, reason, cause);
  };
  const encode = new TextEncoder();
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(stream) {
        clearTimeout(stall);
        deadline ??= setTimeout(() => cut('deadline'), deadlineMs).unref();
        try {
          parts ??= source(signal)[Symbol.asyncIterator]();
          const { done, value } = await parts.next();
          if (signal.aborted) return;
          if (done === true) {
            clearTimers();
            return stream.close();
          }
          stream.enqueue(typeof value === 'string' ? encode.encode(value) : value);
          stall = setTimeout(() => cut('slow'), stallMs).unref();
        } catch (error) {
          cut('failed', error);
        }
      },
      cancel() {
        if (!signal.aborted) endSource(new ClientGone('the client closed the connection'));
      },
    },
    // Nothing is read ahead of the client.
    { highWaterMark: 0 },
  );
}
