// Sends a request until it is answered. p-retry retries transient errors (ERR-01, broken answers, the
// network) around the endpoint's limiter, so every attempt waits for a permit; the limiter handles rate
// refusals (ERR-03). Counts each attempt in the caller's tally and the metrics, and reports refusals to the
// key guard and the limiter.
import pRetry from 'p-retry';
import type { CustodyConfig } from '../../base/config/config.ts';
import type { Logger } from '../../base/logger.ts';
import type { Metrics } from '../../base/metrics.ts';
import { inClientSpan } from '../../base/tracing.ts';
import type { EndpointName, RequestTally } from '../../domain/endpoint.ts';
import { CustodyError, isTransient } from '../../domain/errors.ts';
import type { Reply } from '../rate/adaptive-rate.ts';
import type { Limiter, Priority } from '../rate/limiter.ts';
import type { ForeignText } from './foreign-text.ts';
import type { KeyGuard, KeySource } from './keys.ts';
import type { Received, RequestAttempt, ServiceAnswer, Transport } from './transport.ts';

/** Who makes a request, how urgent it is, and what ends it. */
export interface Call {
  readonly signal: AbortSignal;
  readonly priority: Priority;
  /** Counts every attempt, retry and rate-limited answer as it happens. */
  readonly tally: RequestTally;
  /** Attempts after the first; the configured number when left out. */
  readonly retries?: number;
  /** Called before a retry; false ends the request with its error. */
  readonly mayRetry?: (error: CustodyError) => boolean;
}

export interface RequestTools {
  readonly config: CustodyConfig;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly foreign: ForeignText;
  readonly transport: Transport;
  readonly guard: KeyGuard;
  readonly limiterOf: (endpoint: EndpointName) => Limiter;
  readonly keys: KeySource;
  readonly monotonicMs: () => number;
  readonly random: () => number;
  /** When a request last failed because the service could not be reached; null after an answer. */
  readonly unreachable: { since: number | null };
}

/** A rate refusal is not a fault: it is retried this many times as often, for at most this long. */
const refusalsPerRetry = 5;
const maxRefusedMs = 60 * 60_000;

/** After so many faults an answer that contradicts its request is believed: that is how the service is. */
const repeats = 2;

/** A decoded answer. `empty`: nothing matched. `isOwn`: its content shows which request it answers. */
export interface Decoded<Result> {
  readonly result: Result;
  readonly empty: boolean;
  readonly isOwn: boolean;
}

/** @param isRepeated it is retried after answers that were not accepted */
export type Read<Result> = (answer: ServiceAnswer, isRepeated: boolean) => Promise<Decoded<Result>>;

/**
 * Sends until an answer can be decoded, the retries are used up, or the call is aborted.
 *
 * @param read decodes an answer, or throws the CustodyError that it stands for
 */
export async function request<Result>(
  endpoint: EndpointName,
  url: URL,
  call: Call,
  read: Read<Result>,
  tools: RequestTools,
): Promise<Result> {
  const { config, monotonicMs, unreachable } = tools;
  // The service was unreachable a moment ago: this request does not go through all retries again.
  const isUnreachable = unreachable.since !== null && monotonicMs() - unreachable.since < config.retryMaxMs;
  const retries = isUnreachable ? 0 : (call.retries ?? config.retries);
  const failed = { faults: 0, refusals: 0 };
  const isRepeated = () => failed.faults >= Math.min(repeats, config.retries);

  const mayRetry = (error: CustodyError) => noteRepeat(endpoint, error, failed, call, tools);
  let refusedSince: number | null = null;
  /** After a refusal the limiter waits for as long as the service asks; a retry takes another permit. */
  const sendWhileRefused = async () => {
    for (;;) {
      try {
        return await attempt(endpoint, url, call, (answer) => read(answer, isRepeated()), tools);
      } catch (error) {
        if (!isRateLimited(error)) throw error;
        failed.refusals += 1;
        refusedSince ??= monotonicMs();
        const isExhausted =
          failed.refusals > refusalsPerRetry * (retries + 1) || monotonicMs() - refusedSince > maxRefusedMs;
        if (isExhausted || !mayRetry(error)) throw error;
      }
    }
  };

  try {
    return await pRetry(sendWhileRefused, {
      retries,
      ...waitsOf(config, tools.random),
      signal: call.signal,
      onFailedAttempt({ error, retriesLeft }) {
        failed.faults += 1;
        const isAway = error instanceof CustodyError && ['NETWORK', 'PROXY'].includes(error.fault.code);
        if (isAway && retriesLeft === 0) unreachable.since = monotonicMs();
      },
      shouldRetry: ({ error }) =>
        error instanceof CustodyError && isTransient(error) && !isRateLimited(error) && mayRetry(error),
    });
  } catch (error) {
    call.signal.throwIfAborted();
    throw error;
  }
}

/** @returns false if the caller wants no retry */
function noteRepeat(
  endpoint: EndpointName,
  error: CustodyError,
  failed: { readonly faults: number; readonly refusals: number },
  call: Call,
  { logger, metrics }: RequestTools,
): boolean {
  if (call.mayRetry?.(error) === false) return false;
  call.tally.retries += 1;
  metrics.retries.inc({ endpoint });
  const level = failed.faults + failed.refusals > 3 ? 'warn' : 'debug';
  logger[level](
    { endpoint, code: error.fault.code, ...failed, reason: error.message },
    'request failed, will retry',
  );
  return true;
}

function isRateLimited(error: unknown): error is CustodyError {
  return error instanceof CustodyError && error.fault.kind === 'rate-limited';
}

async function attempt<Result>(
  endpoint: EndpointName,
  url: URL,
  call: Call,
  read: (answer: ServiceAnswer) => Promise<Decoded<Result>>,
  tools: RequestTools,
): Promise<Result> {
  const { guard, metrics } = tools;
  const limiter = tools.limiterOf(endpoint);
  // With a refused key the request fails at once, without a permit.
  guard.check(endpoint, tools.keys.current());
  return await withPermit(limiter, call, async (replied) => {
    const key = tools.keys.current();
    guard.admit(endpoint, key);
    const stopTimer = metrics.requestSeconds.startTimer({ endpoint });
    let outcome = 'aborted';
    let received: Received | null = null;
    let isOwn = false;
    try {
      received = await sendInSpan({ endpoint, url, key, signal: call.signal }, call, tools);
      replied(replyOf(null));
      const { result, empty, ...decoded } = await read(received.answer);
      ({ isOwn } = decoded);
      outcome = empty ? 'empty' : 'ok';
      guard.accepted(endpoint);
      limiter.allow(tools.config.maxConcurrency);
      return result;
    } catch (error) {
      if (error instanceof CustodyError) {
        outcome = error.fault.kind;
        if (error.fault.kind === 'rate-limited') call.tally.rateLimited += 1;
        if (error.fault.kind === 'key-rejected') {
          const level = guard.rejected(endpoint, key, error) ? 'error' : 'debug';
          tools.keys.refused(key);
          tools.logger[level]({ endpoint, code: error.fault.code, reason: error.message }, 'key rejected');
        }
        if (received !== null) replied(replyOf(error));
      }
      throw error;
    } finally {
      if (isOwn) received?.connection.keep();
      else received?.connection.drop();
      metrics.requests.inc({ endpoint, outcome });
      stopTimer();
    }
  });
}

function sendInSpan(
  sent: Omit<RequestAttempt, 'onRequest'>,
  { tally }: Call,
  tools: RequestTools,
): Promise<Received> {
  const { endpoint, url } = sent;
  const onRequest = () => {
    tally.requests += 1;
    tools.logger.trace({ endpoint, path: tools.foreign.show(url.pathname + url.search) }, 'request sent');
  };
  const named = {
    'http.request.method': 'GET',
    'server.address': url.hostname,
    'custody.endpoint': endpoint,
  };
  return inClientSpan(`GET ${endpoint}`, named, async (span) => {
    const received = await tools.transport({ ...sent, onRequest });
    span.setAttribute('http.response.status_code', received.answer.status);
    tools.unreachable.since = null;
    return received;
  });
}

/** Sends with a permit of the limiter. While the request waits for it, the tally lists it. */
function withPermit<Result>(
  limiter: Limiter,
  { priority, signal, tally }: Call,
  send: (replied: (reply: Reply) => void) => Promise<Result>,
): Promise<Result> {
  const waiting = { movesUntil: () => limiter.movesUntil };
  const leave = () => tally.waiting?.delete(waiting);
  tally.waiting?.add(waiting);
  const sending = limiter.run(priority, signal, (replied) => {
    leave();
    return send(replied);
  });
  return sending.finally(leave);
}

function replyOf(error: CustodyError | null): Reply {
  const { kind, retryAfterMs = null } = error?.fault ?? {};
  const unknown = kind === 'transient' || kind === 'key-rejected';
  return {
    outcome: kind === 'rate-limited' ? 'refused' : unknown ? 'unknown' : 'accepted',
    waitMs: retryAfterMs,
  };
}

/**
 * The waits between the attempts of one request, as p-retry reads them: it waits once to twice `minTimeout`
 * and doubles that, up to exactly `maxTimeout`. So each wait is between half and the whole of a length that
 * doubles from `retryMinMs` to `retryMaxMs`.
 */
export function waitsOf(
  { retryMinMs, retryMaxMs }: Pick<CustodyConfig, 'retryMinMs' | 'retryMaxMs'>,
  random: () => number,
) {
  const maxTimeout = (retryMaxMs * (1 + random())) / 2;
  return { factor: 2, minTimeout: retryMinMs / 2, maxTimeout, randomize: true };
}
