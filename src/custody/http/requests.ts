// Sends a request until it is answered: p-retry around the limiter of the endpoint, so that every attempt waits for a turn.
// Counts each attempt in the caller's tally and the metrics, and passes on what the answers say about key and rate.
import pRetry from 'p-retry';
import type { CustodyConfig } from '../../base/config/config.ts';
import type { Logger } from '../../base/logger.ts';
import { backoffMs, type Sleep } from '../../base/loop.ts';
import type { Metrics } from '../../base/metrics.ts';
import { inClientSpan } from '../../base/tracing.ts';
import type { EndpointName, RequestTally } from '../../domain/endpoint.ts';
import { CustodyError, isTransient } from '../../domain/errors.ts';
import type { Reply } from '../rate/given-rate.ts';
import type { Limiter, Priority } from '../rate/limiter.ts';
import { readQuota, retryAfterMs } from '../rate/wait-hints.ts';
import type { ForeignText } from './foreign-text.ts';
import type { KeyGuard } from './key-guard.ts';
import type { KeySource } from './key-source.ts';
import type { Answer, Transport } from './transport.ts';

/** Who makes a request, how urgent it is, and what ends it. */
export interface Call {
  readonly signal: AbortSignal;
  readonly priority: Priority;
  /** Counts every attempt, retry and rate-limited answer as it happens. */
  readonly tally: RequestTally;
  /** Attempts after the first; the configured number when left out. */
  readonly retries?: number;
  /** Asked before an attempt is repeated; false ends the request with its error. */
  readonly mayRepeat?: (error: CustodyError) => boolean;
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
  /** When a request last failed because the service could not be reached; null after an answer. */
  readonly unreachable: { since: number | null };
  readonly sleep: Sleep;
  readonly random: () => number;
}

/** A rate-limited request has not failed: it is repeated this many times as often as a fault. */
const refusalsPerRetry = 5;
const maxRefusedMs = 60 * 60_000;

/** The result of an answer. `empty` says that nothing matched. */
export interface Read<Result> {
  readonly result: Result;
  readonly empty: boolean;
}

/**
 * Sends until an answer can be read, the retries are used up, or the call is aborted.
 *
 * @param read makes the result from an answer, or throws the CustodyError that the answer means
 */
export async function request<Result>(
  endpoint: EndpointName,
  url: URL,
  call: Call,
  read: (answer: Answer) => Read<Result>,
  tools: RequestTools,
): Promise<Result> {
  const retries = createRetries(endpoint, call, tools);
  try {
    return await pRetry(() => attempt(endpoint, url, call, read, tools), {
      retries: Number.POSITIVE_INFINITY,
      minTimeout: 0,
      shouldRetry: ({ error }) => retries.again(error),
    });
  } catch (error) {
    call.signal.throwIfAborted();
    throw error;
  }
}

async function attempt<Result>(
  endpoint: EndpointName,
  url: URL,
  call: Call,
  read: (answer: Answer) => Read<Result>,
  tools: RequestTools,
): Promise<Result> {
  const { guard, metrics } = tools;
  const limiter = tools.limiterOf(endpoint);
  // With a refused key the request fails at once, without a turn.
  guard.check(endpoint, tools.keys.current());
  return await limiter.run(call.priority, call.signal, async (replied) => {
    const key = tools.keys.current();
    guard.admit(endpoint, key);
    const stopTimer = metrics.requestSeconds.startTimer({ endpoint });
    let outcome = 'aborted';
    let answer: Answer | null = null;
    try {
      const onRequest = () => {
        call.tally.requests += 1;
        tools.logger.trace({ endpoint, path: tools.foreign.show(url.pathname + url.search) }, 'request sent');
      };
      const named = {
        'http.request.method': 'GET',
        'server.address': url.hostname,
        'custody.endpoint': endpoint,
      };
      answer = await inClientSpan(`GET ${endpoint}`, named, async (span) => {
        const received = await tools.transport({ endpoint, url, key, signal: call.signal, onRequest });
        span.setAttribute('http.response.status_code', received.status);
        tools.unreachable.since = null;
        return received;
      });
      replied(replyOf(answer, null));
      const { result, empty } = read(answer);
      outcome = empty ? 'empty' : 'ok';
      guard.accepted(endpoint);
      limiter.allow(tools.config.maxConcurrency);
      return result;
    } catch (error) {
      if (error instanceof CustodyError) {
        outcome = error.fault.kind;
        if (error.fault.kind === 'rate-limited') call.tally.rateLimited += 1;
        if (error.fault.kind === 'key-rejected') {
          guard.rejected(endpoint, key, error);
          tools.keys.refused(key);
          tools.logger.error({ endpoint, code: error.fault.code, reason: error.message }, 'key was rejected');
        }
        if (answer !== null) replied(replyOf(answer, error));
      }
      throw error;
    } finally {
      metrics.requests.inc({ endpoint, outcome });
      stopTimer();
    }
  });
}

function replyOf(answer: Answer, error: CustodyError | null): Reply {
  const kind = error?.fault.kind;
  const unknown = kind === 'transient' || kind === 'key-rejected';
  return {
    outcome: kind === 'rate-limited' ? 'refused' : unknown ? 'unknown' : 'accepted',
    waitMs: error === null ? null : retryAfterMs(answer.headers, answer.arrivedAt),
    quota: readQuota(answer.headers, answer.arrivedAt),
  };
}

/** Decides whether an attempt is followed by another, and waits until it may be. */
function createRetries(endpoint: EndpointName, call: Call, tools: RequestTools) {
  const { config, logger, metrics } = tools;
  // The service could not be reached a moment ago: this request does not repeat all retries.
  const failedAt = tools.unreachable.since;
  const isUnreachable = failedAt !== null && tools.monotonicMs() - failedAt < config.retryMaxMs;
  const retries = isUnreachable ? 0 : (call.retries ?? config.retries);
  let faults = 0;
  let refusals = 0;
  let firstRefusedAt: number | null = null;

  const exhausted = (error: CustodyError): boolean => {
    if (error.fault.kind !== 'rate-limited') {
      faults += 1;
      return faults > retries;
    }
    refusals += 1;
    firstRefusedAt ??= tools.monotonicMs();
    return refusals > refusalsPerRetry * (retries + 1) || tools.monotonicMs() - firstRefusedAt > maxRefusedMs;
  };

  return {
    async again(error: unknown): Promise<boolean> {
      if (!(error instanceof CustodyError) || !isTransient(error)) return false;
      if (exhausted(error)) {
        if (error.fault.code === 'NETWORK') tools.unreachable.since = tools.monotonicMs();
        return false;
      }
      if (call.mayRepeat?.(error) === false) return false;
      const bounds = { minMs: config.retryMinMs, maxMs: config.retryMaxMs };
      // The limiter waits after a rate-limited answer, and for as long as the service asked. Other faults back off here; the
      // longer of the two waits counts.
      const isHeld = error.fault.kind === 'rate-limited';
      const delayMs = isHeld ? 0 : backoffMs(faults - 1, bounds, tools.random);
      call.tally.retries += 1;
      metrics.retries.inc({ endpoint });
      const level = faults + refusals > 3 ? 'warn' : 'debug';
      logger[level](
        { endpoint, code: error.fault.code, faults, refusals, delay_ms: delayMs, reason: error.message },
        'request failed and is repeated',
      );
      if (delayMs > 0) await tools.sleep(delayMs, call.signal);
      return true;
    },
  };
}
