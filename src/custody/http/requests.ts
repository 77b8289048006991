// Sends a request until it is answered. p-retry retries transient errors (ERR-01, broken answers, the
// network) around the endpoint's limiter, so every attempt waits for a permit; the limiter handles rate
// refusals (ERR-03). Counts each attempt in the caller's tally and the metrics, and reports refusals to the
// key guard and the limiter.
import pRetry from 'p-retry';
import type { CustodyConfig } from '../../base/config/config.ts';
import type { Metrics } from '../../base/metrics.ts';
import { inClientSpan } from '../../base/tracing.ts';
import type { EndpointName } from '../../domain/endpoint.ts';
import { CustodyError, isTransient } from '../../domain/errors.ts';
import type { Reply } from '../rate/adaptive-rate.ts';
import type { Limiters, PermitRequest } from '../rate/limiter.ts';
import type { Keys } from './keys.ts';
import {
  type Received,
  type RequestAttempt,
  type ServiceAnswer,
  send,
  type TransportTools,
} from './transport.ts';

export interface Call extends PermitRequest {
  /** Attempts after the first; the configured number when left out. */
  readonly retries?: number;
  /** Called before a retry; false ends the request with its error. */
  readonly mayRetry?: (error: CustodyError) => boolean;
}

export interface RequestTools extends TransportTools {
  readonly config: CustodyConfig;
  readonly metrics: Metrics;
  readonly limiters: Limiters;
  readonly keys: Keys;
  readonly monotonicMs: () => number;
  readonly random: () => number;
  /** When a request last failed because the service could not be reached; null after an answer. */
  readonly unreachable: { since: number | null };
}

/** A rate refusal is not a fault: it is retried this many times as often, for at most this long. */
const refusalsPerRetry = 5;
const maxRefusedMs = 60 * 60_000;

/** A decoded answer. `empty`: nothing matched. `isOwn`: its content shows which request it answers. */
export interface Decoded<Result> {
  readonly result: Result;
  readonly empty: boolean;
  readonly isOwn: boolean;
}

export type Read<Result> = (answer: ServiceAnswer) => Promise<Decoded<Result>>;

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
  let refusedSince: number | null = null;

  const isExhausted = (error: CustodyError): boolean =>
    isRateLimited(error)
      ? failed.refusals > refusalsPerRetry * (retries + 1) ||
        monotonicMs() - (refusedSince ?? 0) > maxRefusedMs
      : !isTransient(error) || failed.faults > retries;

  return await pRetry(() => attempt(endpoint, url, call, read, tools), {
    // Retries are counted here: a refusal uses none of them.
    retries: Number.POSITIVE_INFINITY,
    ...waitsOf(config, tools.random),
    signal: call.signal,
    onFailedAttempt({ error }) {
      if (isRateLimited(error)) {
        failed.refusals += 1;
        refusedSince ??= monotonicMs();
        return;
      }
      failed.faults += 1;
      const isAway = error instanceof CustodyError && ['NETWORK', 'PROXY'].includes(error.fault.code);
      if (isAway && failed.faults > retries) unreachable.since = monotonicMs();
    },
    // After a refusal the limiter waits for as long as the service asks; the retry takes another permit.
    shouldConsumeRetry: ({ error }) => !isRateLimited(error),
    shouldRetry: ({ error }) =>
      error instanceof CustodyError &&
      !isExhausted(error) &&
      noteRepeat(endpoint, error, failed, call, tools),
  });
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
  read: Read<Result>,
  tools: RequestTools,
): Promise<Result> {
  const { keys, metrics } = tools;
  const limiter = tools.limiters.of(endpoint);
  // With a refused key the request fails at once, without a permit.
  keys.check(endpoint);
  return await limiter.run(call, async (replied) => {
    const key = keys.admit(endpoint);
    const stopTimer = metrics.requestSeconds.startTimer({ endpoint });
    let outcome = 'aborted';
    let received: Received | null = null;
    let isOwn = false;
    try {
      received = await sendInSpan({ ...call, endpoint, url, key }, tools);
      replied(replyOf(null));
      const { result, empty, ...decoded } = await read(received.answer);
      ({ isOwn } = decoded);
      outcome = empty ? 'empty' : 'ok';
      keys.accepted(endpoint);
      limiter.allow(tools.config.maxConcurrency);
      return result;
    } catch (error) {
      if (error instanceof CustodyError) {
        outcome = error.fault.kind;
        if (error.fault.kind === 'rate-limited') call.tally.rateLimited += 1;
        if (error.fault.kind === 'key-rejected') {
          const level = keys.rejected(endpoint, key, error) ? 'error' : 'debug';
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

function sendInSpan(sent: RequestAttempt, tools: RequestTools): Promise<Received> {
  const named = {
    'http.request.method': 'GET',
    'server.address': sent.url.hostname,
    'custody.endpoint': sent.endpoint,
  };
  return inClientSpan(`GET ${sent.endpoint}`, named, async (span) => {
    const received = await send(sent, tools);
    span.setAttribute('http.response.status_code', received.answer.status);
    tools.unreachable.since = null;
    return received;
  });
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
