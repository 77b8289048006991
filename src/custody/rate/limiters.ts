// The limiters of all endpoints, each made on first use. Their rates go to the metrics and to `onFact`.
import type { CustodyConfig } from '../../base/config/config.ts';
import type { Sleep } from '../../base/loop.ts';
import type { Metrics } from '../../base/metrics.ts';
import type { EndpointName, Fact } from '../../domain/endpoint.ts';
import { AdaptiveRate, TokenBucket } from './adaptive-rate.ts';
import { Limiter } from './limiter.ts';

export interface LimitersOptions {
  readonly config: CustodyConfig;
  readonly metrics: Metrics;
  readonly facts: ReadonlyMap<string, string>;
  readonly onFact: (fact: Fact) => void;
  readonly monotonicMs: () => number;
  readonly sleep: Sleep;
}

/** A rate is reported again when it has changed by more than this part. */
const reportedChange = 0.05;

export function createLimiters(options: LimitersOptions) {
  const { config, metrics, facts } = options;
  const limiters = new Map<EndpointName, Limiter>();

  const create = (endpoint: EndpointName): Limiter => {
    const learned = learnedRate(facts, endpoint);
    const controller = createController(config, learned);
    const reportRate = createRateReport(endpoint, controller, learned, options);
    return new Limiter({
      // One request at a time until the key is accepted, so that a bad key costs one request.
      maxConcurrency: 1,
      controller,
      monotonicMs: options.monotonicMs,
      sleep: options.sleep,
      onChange: ({ waiting }) => {
        metrics.limiterWaiting.set({ endpoint }, waiting);
        reportRate();
      },
    });
  };

  return {
    of(endpoint: EndpointName): Limiter {
      const limiter = limiters.get(endpoint) ?? create(endpoint);
      limiters.set(endpoint, limiter);
      return limiter;
    },
    /** Resolves when no request is in flight. */
    async idle() {
      await Promise.all([...limiters.values()].map((limiter) => limiter.idle()));
    },
  };
}

function createController(config: CustodyConfig, learned: number | null): TokenBucket {
  const bounds = { minBackoffMs: config.retryMinMs, maxBackoffMs: config.retryMaxMs };
  if (config.rateLimit === 'auto') return new AdaptiveRate({ rate: learned, ...bounds });
  return new TokenBucket({ rate: config.rateLimit === 'off' ? null : config.rateLimit, ...bounds });
}

function createRateReport(
  endpoint: EndpointName,
  controller: TokenBucket,
  learned: number | null,
  { config, metrics, onFact }: LimitersOptions,
): () => void {
  let reported = learned;
  let shown: number | null = null;
  return () => {
    const { rate } = controller;
    if (rate !== shown) {
      if (rate === null) metrics.limiterRate.remove({ endpoint });
      else metrics.limiterRate.set({ endpoint }, rate);
      shown = rate;
    }
    if (config.rateLimit !== 'auto' || rate === null) return;
    if (reported !== null && Math.abs(rate / reported - 1) <= reportedChange) return;
    reported = rate;
    onFact({
      fact: factOfRate(endpoint),
      value: rate.toFixed(3),
      evidence:
        'requests per second that were accepted, found by raising the rate until the service refused (ERR-03)',
    });
  };
}

/** The fact under which the learned rate of an endpoint is kept. */
function factOfRate(endpoint: EndpointName): string {
  return `request_rate.${endpoint}`;
}

/** @returns requests per second; null where none was learned */
function learnedRate(facts: ReadonlyMap<string, string>, endpoint: EndpointName): number | null {
  const value = facts.get(factOfRate(endpoint));
  const rate = /^\d{1,9}(\.\d{1,9})?$/.test(value ?? '') ? Number(value) : 0;
  return rate > 0 ? rate : null;
}
