// One attempt at a request with native fetch: one timeout for headers and body, a limit on the size of the
// body, redirects within the origin only. Invariant: the key is sent to the base address's origin alone.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../base/clock.ts';
import type { CustodyConfig } from '../../base/config/config.ts';
import type { Secret } from '../../base/secret.ts';
import type { EndpointName } from '../../domain/endpoint.ts';
import { CustodyError } from '../../domain/errors.ts';
import type { Observation } from '../../domain/instant.ts';
import { decodeUtf8 } from '../decode/utf8.ts';
import type { ForeignText } from './foreign-text.ts';

/** A whole answer, of any status. */
export interface ServiceAnswer extends Observation {
  readonly status: number;
  readonly headers: Headers;
  /** The body. */
  readonly bytes: Buffer;
  /** The body, decoded by `decodeUtf8`. */
  readonly text: string;
}

export interface RequestAttempt {
  readonly endpoint: EndpointName;
  readonly url: URL;
  readonly key: Secret;
  readonly signal: AbortSignal;
  /** Called for every request that is sent, redirects included. */
  readonly onRequest: () => void;
}

export interface TransportOptions {
  readonly config: CustodyConfig;
  readonly clock: Clock;
  readonly foreign: ForeignText;
  readonly userAgent: string;
  readonly fetch: typeof globalThis.fetch;
  readonly maxBodyBytes: number;
}

export type Transport = (attempt: RequestAttempt) => Promise<ServiceAnswer>;

const maxRedirects = 3;
const maxErrorBytes = 64 * 1024;

/**
 * @returns a function that sends one request and reads its whole answer; it rejects with the signal's reason,
 *   or with a CustodyError `TIMEOUT`, `NETWORK`, `CERTIFICATE`, `BODY-TOO-LARGE` or `REDIRECT`
 */
export function createTransport(options: TransportOptions): Transport {
  const { config, foreign } = options;
  return async (attempt) => {
    attempt.signal.throwIfAborted();
    const controller = new AbortController();
    const stop = () => controller.abort();
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      controller.abort();
    }, config.timeoutMs);
    attempt.signal.addEventListener('abort', stop, { once: true });
    try {
      return await exchange(attempt, controller.signal, options);
    } catch (error) {
      attempt.signal.throwIfAborted();
      if (error instanceof CustodyError) throw error;
      if (timedOut) throw fault(attempt, 'TIMEOUT', `no whole answer within ${config.timeoutMs} ms`);
      const words = foreign.show(describeNetworkFault(error));
      throw fault(attempt, isUntrusted(error) ? 'CERTIFICATE' : 'NETWORK', words);
    } finally {
      clearTimeout(timer);
      attempt.signal.removeEventListener('abort', stop);
      // Close the connection of an answer that was not read to its end.
      controller.abort();
    }
  };
}

async function exchange(
  attempt: RequestAttempt,
  signal: AbortSignal,
  options: TransportOptions,
): Promise<ServiceAnswer> {
  const { config, clock, foreign, userAgent, fetch } = options;
  const requestHeaders = {
    accept: 'application/json',
    'user-agent': userAgent,
    [config.keyHeader]: config.keyPrefix + attempt.key.reveal(),
  };
  let url = attempt.url;
  for (let redirects = 0; ; redirects += 1) {
    attempt.onRequest();
    const beganAt = clock.now();
    const response = await fetch(url, { headers: requestHeaders, signal, redirect: 'manual' });
    const target = redirectTarget(response, url);
    if (target === null) {
      const bytes = await readBody(attempt, response, options.maxBodyBytes);
      const text = decodeUtf8(bytes);
      const { status, headers } = response;
      const arrivedAt = clock.now();
      // fetch frees the connection in the next turn of the event loop; one sent earlier would open another.
      await nextTurn();
      return { bytes, text, status, headers, beganAt, arrivedAt };
    }
    await response.body?.cancel();
    const isElsewhere = target.origin !== config.baseUrl.origin;
    if (isElsewhere || redirects === maxRedirects) {
      const where = isElsewhere
        ? `another origin, ${foreign.show(target.origin)}`
        : `more than ${maxRedirects} times`;
      const message = `the service redirects to ${where}; is CUSTODY_BASE_URL right?`;
      throw fault(attempt, 'REDIRECT', message, response.status);
    }
    url = target;
  }
}

/** The target of a redirect; null when the answer is not one. */
function redirectTarget(response: Response, from: URL): URL | null {
  const location = response.headers.get('location');
  if (![301, 302, 303, 307, 308].includes(response.status) || location === null) return null;
  try {
    return new URL(location, from);
  } catch {
    return null;
  }
}

async function readBody(attempt: RequestAttempt, response: Response, maxBodyBytes: number): Promise<Buffer> {
  const limit = response.ok ? maxBodyBytes : maxErrorBytes;
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (response.body !== null) {
    for await (const chunk of response.body) {
      size += chunk.byteLength;
      if (size > limit) {
        // The beginning of an error is enough; a list must be whole.
        if (!response.ok) break;
        throw fault(attempt, 'BODY-TOO-LARGE', `the body exceeds ${limit} bytes`, response.status);
      }
      chunks.push(chunk);
    }
  }
  return Buffer.concat(chunks);
}

/** A fault that no answer names. */
export function fault(
  { endpoint }: Pick<RequestAttempt, 'endpoint'>,
  code: 'TIMEOUT' | 'NETWORK' | 'CERTIFICATE' | 'BODY-TOO-LARGE' | 'REDIRECT' | 'BAD-ID',
  message: string,
  httpStatus: number | null = null,
): CustodyError {
  const kind = code === 'TIMEOUT' || code === 'NETWORK' ? 'transient' : 'permanent';
  return new CustodyError(`${endpoint}: ${code}: ${message}`, {
    kind,
    code,
    endpoint,
    httpStatus,
    retryAfterMs: null,
  });
}

/** True for a certificate that is not trusted, has expired or names another host: a retry cannot help. */
function isUntrusted(error: unknown): boolean {
  let cause: unknown = error;
  for (let depth = 0; depth < 5 && cause instanceof Error; depth += 1, cause = cause.cause)
    if ('code' in cause && typeof cause.code === 'string' && certificateCodes.test(cause.code)) return true;
  return false;
}

/** Names from OpenSSL and Node.js. */
const certificateCodes =
  /^(ERR_TLS_CERT_|CERT_|UNABLE_TO_(VERIFY|GET|DECRYPT|DECODE)_|SELF_SIGNED_CERT|DEPTH_ZERO_|INVALID_(CA|PURPOSE)|HOSTNAME_MISMATCH|PATH_LENGTH_EXCEEDED)/;

/** The messages of the chain of causes, in which fetch hides the reason behind "fetch failed". */
function describeNetworkFault(error: unknown): string {
  const words: string[] = [];
  for (let cause: unknown = error; cause instanceof Error && words.length < 4; cause = cause.cause) {
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
    words.push(cause.message.includes(code) ? cause.message : `${code} ${cause.message}`);
  }
  return words.join(': ') || 'unknown fault';
}
