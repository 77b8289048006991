// One attempt at a request: one deadline for all of it, a limit on the size of the body, redirects within the
// origin only, each over another connection. Invariants: the key is sent to the base address's origin alone;
// an attempt ends at its deadline whatever the HTTP client, a decoder or a socket does.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { constants, gunzip } from 'node:zlib';
import type { Clock } from '../../base/clock.ts';
import type { CustodyConfig } from '../../base/config/config.ts';
import { proxyName } from '../../base/config/proxy.ts';
import type { Logger } from '../../base/logger.ts';
import type { Secret } from '../../base/secret.ts';
import { Late, unlessStopped, within } from '../../base/waiting.ts';
import type { EndpointName, RequestTally } from '../../domain/endpoint.ts';
import { CustodyError, type CustodyFaultKind, type clientFixes, errorCode } from '../../domain/errors.ts';
import type { Observation } from '../../domain/instant.ts';
import {
  type Connection,
  type Connections,
  type HttpAnswer,
  NoWebAssembly,
  ProxyFault,
} from './connections.ts';
import type { ForeignText } from './foreign-text.ts';

/** A complete answer, of any status. */
export interface ServiceAnswer extends Observation {
  readonly status: number;
  readonly headers: HttpAnswer['headers'];
  readonly body: Buffer;
}

export interface RequestAttempt {
  readonly endpoint: EndpointName;
  readonly url: URL;
  readonly key: Secret;
  readonly signal: AbortSignal;
  /** Counts every request that is sent, redirects included. */
  readonly tally: RequestTally;
}

export interface TransportTools {
  readonly config: Pick<CustodyConfig, 'baseUrl' | 'proxy' | 'timeoutMs' | 'keyHeader' | 'keyPrefix'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly foreign: ForeignText;
  readonly userAgent: string;
  readonly connections: Connections;
  readonly maxBodyBytes: number;
}

export interface Received {
  readonly answer: ServiceAnswer;
  /** To be kept or dropped once the answer was read. */
  readonly connection: Pick<Connection, 'keep' | 'drop'>;
}

const maxRedirects = 3;
const maxErrorBytes = 64 * 1024;

/**
 * Sends one request and reads its whole answer.
 *
 * @throws the signal's reason, or a CustodyError `TIMEOUT`, `NETWORK`, `PROXY`, `CERTIFICATE`,
 *   `BODY-TOO-LARGE` or `REDIRECT`
 */
export async function send(attempt: RequestAttempt, tools: TransportTools): Promise<Received> {
  const { config, connections } = tools;
  attempt.signal.throwIfAborted();
  let connection = connections.take();
  let isOver = false;
  const another = () => {
    if (isOver) throw new Late('the attempt is over');
    connection.drop();
    connection = connections.take();
    return connection;
  };
  try {
    // Unsolicited bytes are read, and end the connection, before anything is asked.
    if (connection.isUsed) for (let turn = 0; turn < 2; turn += 1) await nextTurn();
    // After the deadline or an abort, leftovers are not awaited.
    const answer = await unlessStopped(attempt.signal, () =>
      within(config.timeoutMs, exchange(attempt, connection, another, tools)),
    );
    return { answer, connection };
  } catch (error) {
    isOver = true;
    connection.drop();
    attempt.signal.throwIfAborted();
    throw error instanceof CustodyError ? error : explained(error, attempt, connection, tools);
  }
}

/** A connection fault: the proxy, a certificate, or the network. */
function explained(
  error: unknown,
  attempt: RequestAttempt,
  { awaitsProxy }: Connection,
  { config: { proxy, timeoutMs }, foreign }: TransportTools,
): CustodyError {
  const name = proxy === null ? '' : proxyName(proxy);
  const way = proxy === null ? '' : ` (through the proxy ${name})`;
  if (error instanceof Late)
    return awaitsProxy()
      ? fault(attempt, 'PROXY', `the proxy ${name} opened no tunnel within ${timeoutMs} ms`)
      : fault(attempt, 'TIMEOUT', `no complete answer within ${timeoutMs} ms${way}`);
  const causes = causesOf(error);
  const ofProxy = causes.find((cause) => cause instanceof ProxyFault);
  const words = foreign.show(ofProxy?.message ?? describe(causes)) + (ofProxy === undefined ? way : '');
  if (error instanceof NoWebAssembly) return fault(attempt, 'NETWORK', error.message, null, 'permanent');
  if (causes.some(isUntrusted)) return fault(attempt, 'CERTIFICATE', words);
  if (ofProxy === undefined) return fault(attempt, 'NETWORK', words);
  return fault(attempt, 'PROXY', words, null, ofProxy.isRefusal ? 'permanent' : 'transient');
}

async function exchange(
  attempt: RequestAttempt,
  first: Connection,
  another: () => Connection,
  { config, clock, logger, foreign, userAgent, maxBodyBytes }: TransportTools,
): Promise<ServiceAnswer> {
  const headers = {
    accept: 'application/json',
    'accept-encoding': 'gzip',
    'user-agent': userAgent,
    [config.keyHeader]: config.keyPrefix + attempt.key.reveal(),
  };
  let { url } = attempt;
  let connection = first;
  for (let redirects = 0; ; redirects += 1) {
    attempt.tally.requests += 1;
    const path = foreign.show(attempt.url.pathname + attempt.url.search);
    logger.trace({ endpoint: attempt.endpoint, path }, 'request sent');
    const beganAt = clock.now();
    const answer = await connection.fetch(url, { headers, redirect: 'manual' });
    const target = redirectTarget(answer, url);
    if (target === null) {
      const body = await readBody(attempt, answer, maxBodyBytes);
      const { status, headers } = answer;
      return { body, status, headers, beganAt, arrivedAt: clock.now() };
    }
    const isElsewhere = target.origin !== config.baseUrl.origin;
    if (isElsewhere || redirects === maxRedirects) {
      const where = isElsewhere
        ? `another origin, ${foreign.show(target.origin)}`
        : `more than ${maxRedirects} times`;
      const message = `the service redirects to ${where}; is CUSTODY_BASE_URL right?`;
      throw fault(attempt, 'REDIRECT', message, answer.status);
    }
    url = target;
    connection = another();
  }
}

/** The target of a redirect; null when the answer is not one. */
function redirectTarget(response: HttpAnswer, from: URL): URL | null {
  const location = response.headers.get('location');
  if (![301, 302, 303, 307, 308].includes(response.status) || location === null) return null;
  try {
    return new URL(location, from);
  } catch {
    return null;
  }
}

async function readBody(attempt: RequestAttempt, answer: HttpAnswer, most: number): Promise<Buffer> {
  const isError = answer.status < 200 || answer.status > 299;
  const tooLarge = () => fault(attempt, 'BODY-TOO-LARGE', `the body exceeds ${most} bytes`, answer.status);
  const limit = isError ? Math.min(most, maxErrorBytes) : most;
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Not `for await`: leaving it early waits for the body to close.
  const body = answer.body?.[Symbol.asyncIterator]();
  for (let part = await body?.next(); part !== undefined && !part.done; part = await body?.next()) {
    size += part.value.byteLength;
    chunks.push(part.value);
    // The beginning of an error is enough; a list must be whole.
    if (size > limit && isError) break;
    if (size > limit) throw tooLarge();
  }
  try {
    return await decompressed(Buffer.concat(chunks), answer.headers.get('content-encoding'), most);
  } catch (error) {
    // Status and headers of an error are enough.
    if (isError) return Buffer.alloc(0);
    if (errorCode(error) === 'ERR_BUFFER_TOO_LARGE') throw tooLarge();
    throw error;
  }
}

/** The last ones are set by mistake by services that send plain text. */
const unencoded = ['', 'identity', 'none', 'utf-8', 'utf8'];

/** @param encoding the header Content-Encoding */
async function decompressed(body: Buffer, encoding: string | null, maxOutputLength: number): Promise<Buffer> {
  const name = (encoding ?? '').trim().toLowerCase();
  if (unencoded.includes(name)) return body;
  if (name !== 'gzip' && name !== 'x-gzip')
    throw new Error(`the body has an encoding that was not asked for: ${name}`);
  // The beginning of a body that was cut is decompressed as well: it says what is wrong.
  return await promisify(gunzip)(body, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength });
}

/** A fault that comes from no answer. */
export function fault(
  { endpoint }: Pick<RequestAttempt, 'endpoint'>,
  code: keyof typeof clientFixes,
  message: string,
  httpStatus: number | null = null,
  kind: CustodyFaultKind = ['TIMEOUT', 'NETWORK', 'PROXY'].includes(code) ? 'transient' : 'permanent',
): CustodyError {
  return new CustodyError(`${endpoint}: ${code}: ${message}`, {
    kind,
    code,
    endpoint,
    httpStatus,
    retryAfterMs: null,
  });
}

/** The error and what caused it. */
function causesOf(error: unknown): readonly Error[] {
  const causes: Error[] = [];
  for (let cause = error; cause instanceof Error && causes.length < 5; cause = cause.cause)
    causes.push(cause);
  return causes;
}

/** Whether a certificate is untrusted, expired or for another host: a retry cannot help. */
function isUntrusted(cause: Error): boolean {
  return 'code' in cause && typeof cause.code === 'string' && certificateCodes.test(cause.code);
}

/** Names from OpenSSL and Node.js. */
const certificateCodes =
  /^(ERR_TLS_CERT_|CERT_|UNABLE_TO_(VERIFY|GET|DECRYPT|DECODE)_|SELF_SIGNED_CERT|DEPTH_ZERO_|INVALID_(CA|PURPOSE)|HOSTNAME_MISMATCH|PATH_LENGTH_EXCEEDED)/;

function describe(causes: readonly Error[]): string {
  const words = causes.slice(0, 4).map((cause) => {
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
    return cause.message.includes(code) ? cause.message : `${code} ${cause.message}`;
  });
  return words.join(': ') || 'unknown fault';
}
