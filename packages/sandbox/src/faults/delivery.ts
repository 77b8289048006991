// Sends an answer, whole or broken in the way of a fault. Invariant: every wait ends when the client leaves
// or the sandbox closes, so no fault keeps the process alive.
import type { ServerResponse } from 'node:http';
import type { Reply } from '../http/errors.ts';
import { errorReply, htmlReply } from '../http/errors.ts';
import type { Fault } from './faults.ts';

/** Waits; resolves early when the signal is aborted. */
export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>;

/** What a broken delivery needs. */
export interface DeliveryContext {
  readonly sleep: Sleep;
  /** Aborted when the connection ends, because the client leaves or the sandbox closes. */
  readonly signal: AbortSignal;
  readonly now: () => number;
  /** Path and query of the request, for redirects. */
  readonly target: string;
}

/** Sends a whole answer. */
export function deliver(response: ServerResponse, reply: Reply): void {
  const body = toBuffer(reply.body);
  response.writeHead(reply.status, {
    ...reply.headers,
    'content-type': reply.contentType,
    'content-length': body.length,
  });
  response.end(body);
}

/**
 * The answer of a fault that replaces the answer of the endpoint; undefined for a fault that breaks that
 * answer.
 */
export function faultReply(
  { kind, rule }: Fault,
  context: Pick<DeliveryContext, 'now' | 'target'>,
): Reply | undefined {
  const seconds = rule.retryAfter ?? 1;
  switch (kind) {
    case 'err01':
    case 'poison':
      return errorReply('ERR-01');
    case 'err02':
      return errorReply('ERR-02');
    case 'err03':
      return errorReply('ERR-03', undefined, { 'retry-after': String(seconds) });
    case 'err03-date':
      return errorReply('ERR-03', undefined, {
        'retry-after': new Date(context.now() + seconds * 1000).toUTCString(),
      });
    case 'err03-bare':
      return errorReply('ERR-03');
    case 'http500':
      return htmlReply(500, 'Internal Server Error');
    case 'http502':
      return htmlReply(502, 'Bad Gateway');
    case 'http503':
      return htmlReply(503, 'Service Temporarily Unavailable');
    case 'html':
      return htmlReply(200, 'Please sign in');
    case 'redirect':
      return redirect(context.target);
    case 'redirectother':
      return redirect((rule.redirectTo ?? 'http://custody.invalid') + context.target);
    default:
      return undefined;
  }
}

function redirect(location: string): Reply {
  const page = htmlReply(307, 'Temporary Redirect');
  return { ...page, headers: { location } };
}

/** Sends an answer broken in the way of the fault; resolves when nothing more will be sent. */
export async function deliverBroken(
  response: ServerResponse,
  reply: Reply,
  { kind, rule }: Fault,
  context: DeliveryContext,
): Promise<void> {
  const body = toBuffer(reply.body);
  const half = body.subarray(0, Math.max(1, Math.floor(body.length / 2)));
  const headers = { ...reply.headers, 'content-type': reply.contentType };
  switch (kind) {
    case 'reset':
      response.socket?.resetAndDestroy();
      return;
    case 'stall':
      await untilAborted(context.signal);
      return;
    case 'badjson':
      response.writeHead(reply.status, { ...headers, 'content-length': half.length });
      response.end(half);
      return;
    case 'wrongtype':
      deliver(response, { ...reply, contentType: 'text/plain; charset=utf-8' });
      return;
    case 'truncated':
      response.writeHead(reply.status, { ...headers, 'content-length': body.length });
      response.write(half, () => response.socket?.destroy());
      return;
    case 'stallbody':
      response.writeHead(reply.status, { ...headers, 'content-length': body.length });
      response.write(half);
      await untilAborted(context.signal);
      return;
    case 'slow':
      response.writeHead(reply.status, { ...headers, 'content-length': body.length });
      await trickle(response, body, rule.delayMs ?? 1000, context);
      return;
    case 'huge':
      response.writeHead(200, headers);
      await flood(response, rule.bytes ?? 256 * 1024 * 1024, context.signal);
      return;
    default:
      deliver(response, reply);
  }
}

function toBuffer(body: string | Buffer): Buffer {
  return typeof body === 'string' ? Buffer.from(body) : body;
}

const pieces = 10;

async function trickle(
  response: ServerResponse,
  body: Buffer,
  delayMs: number,
  { sleep, signal }: DeliveryContext,
): Promise<void> {
  const size = Math.ceil(body.length / pieces);
  for (let start = 0; start < body.length && !signal.aborted; start += size) {
    response.write(body.subarray(start, start + size));
    await sleep(delayMs / pieces, signal);
  }
  response.end();
}

async function flood(response: ServerResponse, bytes: number, signal: AbortSignal): Promise<void> {
  const piece = Buffer.alloc(64 * 1024, ' ');
  response.write('{"transactions":[');
  for (let sent = 0; sent < bytes && !signal.aborted; sent += piece.length) {
    if (!response.write(piece)) await drained(response, signal);
  }
  response.end(']}');
}

function drained(response: ServerResponse, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      signal.removeEventListener('abort', done);
      response.off('drain', done);
      resolve();
    };
    response.once('drain', done);
    signal.addEventListener('abort', done, { once: true });
  });
}

function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
