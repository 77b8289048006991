// One request and its answer: the address, the key, the time limit, and what becomes an ApiError. Its
// messages name the route and what the mirror said; the key and the values of a query are in none of them.

import type { Problem } from '../generated/types/api-types.ts';
import { ApiError } from './api-error.ts';
import { type Deadline, deadline } from './waiting.ts';

/** What the client needs of `fetch`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface Connection {
  readonly fetch: Fetch;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly key: string | null;
  /** For a whole answer; for a stream, until its beginning and between two parts of it. */
  readonly timeoutMs: number;
}

export interface Question {
  /** Below /api, with the names of parameters in braces. */
  readonly path: string;
  readonly values: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal | undefined;
  /** How long the mirror may hold the answer back, in milliseconds. */
  readonly heldMs?: number;
}

/** The JSON of the answer. */
export function askJson(connection: Connection, question: Question): Promise<unknown> {
  return ask(connection, question, 'application/json', async (response, limit) => {
    const text = await response.text();
    limit.release();
    try {
      return JSON.parse(text);
    } catch (cause) {
      throw new ApiError(`${nameOf(question)}: the response ended early`, { isTransient: true, cause });
    }
  });
}

/** The bytes of the answer, as they come. */
export function askStream(
  connection: Connection,
  question: Question,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  return ask(connection, question, 'text/csv', async ({ body }, limit) => {
    if (body === null)
      throw new ApiError(`${nameOf(question)}: the response has no body`, { isTransient: true });
    return watched(body, limit, (cause) => unanswered(question, limit, cause));
  });
}

async function ask<Result>(
  connection: Connection,
  question: Question,
  accept: string,
  read: (response: Response, limit: Deadline) => Promise<Result>,
): Promise<Result> {
  const { fetch, key, timeoutMs } = connection;
  const url = addressOf(connection, question);
  question.signal?.throwIfAborted();
  const limit = deadline(timeoutMs + (question.heldMs ?? 0), question.signal);
  try {
    const response = await fetch(url, {
      headers: { accept, ...(key === null ? {} : { authorization: `Bearer ${key}` }) },
      // The key goes to no other address than the one that was given.
      redirect: 'manual',
      signal: limit.signal,
    });
    await refuse(response, question, accept, key);
    return await read(response, limit);
  } catch (error) {
    limit.release();
    throw error instanceof ApiError ? error : unanswered(question, limit, error);
  }
}

/**
 * @returns the error that the caller gets for a failed request: the reason of its signal, or that no whole
 * answer came
 */
function unanswered(question: Question, limit: Deadline, cause: unknown): unknown {
  if (question.signal?.aborted) return question.signal.reason;
  const why = limit.isOver() ? 'in time' : `(${codeOf(cause)})`;
  return new ApiError(`${nameOf(question)}: no complete response ${why}`, { isTransient: true, cause });
}

/** The code of the system, such as ECONNRESET: the rest of an error may hold more than is meant for a log. */
function codeOf(error: unknown): string {
  for (let inner = error, depth = 0; inner instanceof Error && depth < 5; inner = inner.cause, depth += 1)
    if ('code' in inner && typeof inner.code === 'string' && /^[A-Z_]{3,40}$/.test(inner.code))
      return inner.code;
  return 'the connection failed';
}

function nameOf({ path }: Question): string {
  return `GET /api${path}`;
}

function addressOf({ baseUrl }: Connection, { path, values }: Question): string {
  const search = new URLSearchParams();
  let filled = path;
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    const text = value instanceof Date ? value.toISOString() : String(value);
    if (!path.includes(`{${name}}`)) search.append(name, text);
    else if (text === '') throw new TypeError(`${name}: nothing has this identifier`);
    // Addresses drop the parts `.` and `..`, so the API reads them, and what looks alike, behind a tilde.
    else
      filled = filled.replace(`{${name}}`, () =>
        encodeURIComponent(/^~*\.{1,2}$/.test(text) ? `~${text}` : text),
      );
  }
  return `${baseUrl}/api${filled}${search.size === 0 ? '' : `?${search}`}`;
}

/** @throws ApiError for anything but an answer in the form that was asked for */
async function refuse(
  response: Response,
  question: Question,
  accept: string,
  key: string | null,
): Promise<void> {
  const { status, type, headers } = response;
  const name = nameOf(question);
  if (type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    await response.body?.cancel();
    throw new ApiError(`${name}: the response is a redirect; use the address of the mirror itself`, {
      status,
      isTransient: false,
    });
  }
  if (!response.ok) {
    const problem = await problemOf(response);
    const said = problem === null ? '' : ` ${problem.code}: ${problem.detail}`;
    const message = `${name}: ${status}${said}`;
    throw new ApiError(key === null ? message : message.replaceAll(key, '…'), {
      status,
      problem,
      retryAfterMs: retryAfterOf(headers),
      isTransient: status === 408 || status === 429 || status >= 500 || problem?.code === 'changes-ahead',
    });
  }
  if (headers.get('content-type')?.startsWith(accept)) return;
  await response.body?.cancel();
  throw new ApiError(`${name}: the response is not ${accept}; is this the address of a mirror?`, {
    status,
    isTransient: false,
  });
}

async function problemOf(response: Response): Promise<Problem | null> {
  try {
    const body: unknown = JSON.parse(await response.text());
    return isProblem(body) ? body : null;
  } catch {
    return null;
  }
}

function isProblem(body: unknown): body is Problem {
  return (
    typeof body === 'object' &&
    body !== null &&
    'code' in body &&
    typeof body.code === 'string' &&
    'detail' in body &&
    typeof body.detail === 'string'
  );
}

/** Seconds, or a moment by the sender's clock. */
function retryAfterOf(headers: Headers): number | null {
  const text = headers.get('retry-after');
  if (text === null) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const ms = Date.parse(text) - Date.parse(headers.get('date') ?? '');
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}

/** The body, for as long as its parts come in time. */
function watched(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  limit: Deadline,
  errorOf: (cause: unknown) => unknown,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      limit.renew();
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        limit.release();
        controller.close();
      } catch (cause) {
        limit.release();
        controller.error(errorOf(cause));
      }
    },
    async cancel(reason) {
      limit.release();
      await reader.cancel(reason);
    },
  });
}
