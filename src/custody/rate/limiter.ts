// The limiter of each endpoint, made on first use. Each request is a job of a Bottleneck, which orders jobs by
// priority and bounds how many are in flight. The reservoir counts the permits that the rate controller
// granted and no job took: without a permit nothing is sent. Invariants: no request is sent without a permit;
// an aborted call ends at once and uses none; a wall clock set back, which would delay Bottleneck's jobs, is
// noticed whenever permits are granted.
import Bottleneck from 'bottleneck';
import type { CustodyConfig } from '../../base/config/config.ts';
import type { Sleep } from '../../base/loop.ts';
import type { Metrics } from '../../base/metrics.ts';
import type { EndpointName, Fact, RequestTally, WaitingRequest } from '../../domain/endpoint.ts';
import { AdaptiveRate, type Permit, type Reply, TokenBucket } from './adaptive-rate.ts';

/** As Bottleneck counts: 0 is the most urgent, 9 the least. */
const priorities = { urgent: 1, normal: 5, background: 9 } as const;
export type Priority = keyof typeof priorities;

interface LimiterOptions {
  readonly maxConcurrency: number;
  readonly controller: TokenBucket;
  readonly monotonicMs: () => number;
  readonly sleep: Sleep;
  readonly onChange: (limiter: Limiter) => void;
}

interface Waiting extends WaitingRequest {
  readonly priority: number;
  readonly send: (permit: Permit) => Promise<void>;
  readonly fail: (error: unknown) => void;
}

/** Who makes a request, how urgent it is, and what ends it. */
export interface PermitRequest {
  readonly signal: AbortSignal;
  readonly priority: Priority;
  /** Counts every attempt, retry and rate-limited answer as it happens. */
  readonly tally: RequestTally;
}

const unknown: Reply = { outcome: 'unknown', waitMs: null };

export class Limiter {
  readonly #options: LimiterOptions;
  #bottleneck: Bottleneck;
  /** The calls that wait for a permit. Bottleneck keeps the jobs of aborted calls as well. */
  readonly #waiting = new Set<Waiting>();
  /** Permits that no job has taken yet. */
  readonly #permits: Permit[] = [];
  readonly #sending = new Set<Promise<unknown>>();
  #maxConcurrency: number;
  #timer: AbortController | null = null;
  #wallClock = Date.now();
  /** Until when it knows that it waits, or when it last granted a permit. */
  #movesUntil = 0;

  constructor(options: LimiterOptions) {
    this.#options = options;
    this.#maxConcurrency = options.maxConcurrency;
    this.#bottleneck = createBottleneck(options.maxConcurrency);
  }

  /** Number of calls that wait for a permit. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Waits for a permit, then sends. While it waits, the tally lists it.
   *
   * @param send passes what the answer says about the rate to `replied`; without that call it says nothing
   * @throws the reason of the signal, if it is aborted before the permit
   */
  run<Result>(
    { priority, signal, tally }: PermitRequest,
    send: (replied: (reply: Reply) => void) => Promise<Result>,
  ): Promise<Result> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const call: Waiting = {
        priority: priorities[priority],
        movesUntil: () => this.#movesUntil,
        send: async (permit) => {
          tally.waiting?.delete(call);
          signal.removeEventListener('abort', leave);
          await this.#send(permit, send).then(resolve, reject);
        },
        fail: reject,
      };
      const leave = () => {
        tally.waiting?.delete(call);
        this.#waiting.delete(call);
        reject(signal.reason);
        this.#grantPermits();
      };
      tally.waiting?.add(call);
      this.#waiting.add(call);
      signal.addEventListener('abort', leave, { once: true });
      this.#enqueue(call);
      this.#grantPermits();
    });
  }

  /** Sets how many requests may be in flight, from the next answer on: the present one may say to wait. */
  allow(maxConcurrency: number): void {
    if (maxConcurrency === this.#maxConcurrency) return;
    this.#maxConcurrency = maxConcurrency;
    void this.#bottleneck.updateSettings({ maxConcurrent: maxConcurrency });
  }

  /** Resolves when no request is in flight. Abort the calls that wait before. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#sending);
  }

  #enqueue(call: Waiting): void {
    const bottleneck = this.#bottleneck;
    const job = async () => {
      // A Bottleneck that was replaced may still start its jobs.
      if (bottleneck === this.#bottleneck) await this.#start(call);
    };
    bottleneck.schedule({ priority: call.priority }, job).catch(call.fail);
  }

  async #start(call: Waiting): Promise<void> {
    const permit = this.#permits.shift();
    if (permit === undefined) throw new TypeError('a request was started without a permit');
    if (this.#options.controller.isBackingOff(this.#options.monotonicMs())) {
      // The service has asked to wait since the permit was granted.
      if (this.#waiting.has(call)) this.#enqueue(call);
      this.#ended(permit, unknown);
    } else if (this.#waiting.delete(call)) await call.send(permit);
    else this.#transferPermit(permit);
  }

  async #send<Result>(permit: Permit, send: (replied: (reply: Reply) => void) => Promise<Result>) {
    let reply = unknown;
    const sending = send((given) => {
      reply = given;
    });
    this.#sending.add(sending);
    try {
      return await sending;
    } finally {
      this.#sending.delete(sending);
      this.#ended(permit, reply);
    }
  }

  /** Passes the permit of an aborted call to one that waits, or back to the controller. */
  #transferPermit(permit: Permit): void {
    if (this.#waiting.size <= this.#permits.length) this.#ended(permit, unknown);
    else this.#grant(permit);
  }

  #ended(permit: Permit, reply: Reply): void {
    const { controller, monotonicMs } = this.#options;
    controller.answered(monotonicMs(), permit, reply);
    this.#grantPermits();
  }

  #grant(permit: Permit): void {
    this.#permits.push(permit);
    this.#movesUntil = Math.max(this.#movesUntil, this.#options.monotonicMs());
    void this.#bottleneck.incrementReservoir(1);
  }

  /** Grants every permit that is due, and sets a timer for the next one. */
  #grantPermits(): void {
    const { controller, monotonicMs, onChange } = this.#options;
    this.#timer?.abort();
    this.#timer = null;
    this.#readWallClock();
    while (
      this.#waiting.size > this.#permits.length &&
      this.#permits.length + this.#sending.size < this.#maxConcurrency
    ) {
      const delayMs = controller.delayMs(monotonicMs());
      if (delayMs > 0) {
        this.#setTimer(delayMs);
        break;
      }
      this.#grant(controller.grant(monotonicMs()));
    }
    onChange(this);
  }

  #setTimer(delayMs: number): void {
    // The controller wants an answer first; that answer grants the next permit.
    if (delayMs === Number.POSITIVE_INFINITY) return;
    this.#movesUntil = this.#options.monotonicMs() + delayMs;
    const timer = new AbortController();
    this.#timer = timer;
    this.#options.sleep(Math.ceil(delayMs), timer.signal).then(
      () => {
        if (this.#timer === timer) this.#grantPermits();
      },
      () => undefined,
    );
  }

  /**
   * If the clock was set back by an hour, the next job of a Bottleneck would wait for an hour. So the waiting
   * calls, the most urgent first, and the permits that no job took move to a new one.
   */
  #readWallClock(): void {
    const before = this.#wallClock;
    this.#wallClock = Date.now();
    if (this.#wallClock >= before) return;
    this.#bottleneck.stop({ dropWaitingJobs: true }).catch(() => undefined);
    this.#bottleneck = createBottleneck(this.#maxConcurrency);
    for (const call of [...this.#waiting].sort((a, b) => a.priority - b.priority)) this.#enqueue(call);
    for (const permit of this.#permits.splice(0)) this.#transferPermit(permit);
  }
}

/** It starts no job until its reservoir is filled, and does not fail those that are dropped. */
function createBottleneck(maxConcurrent: number): Bottleneck {
  return new Bottleneck({ maxConcurrent, reservoir: 0, rejectOnDrop: false });
}

interface LimitersOptions {
  readonly config: CustodyConfig;
  readonly metrics: Metrics;
  readonly facts: ReadonlyMap<string, string>;
  readonly onFact: (fact: Fact) => void;
  readonly monotonicMs: () => number;
  readonly sleep: Sleep;
}

/** A rate is reported to `onFact` again when it has changed by more than this part. */
const reportedChange = 0.05;

export type Limiters = ReturnType<typeof createLimiters>;

export function createLimiters(options: LimitersOptions) {
  const { config, metrics, facts, onFact, monotonicMs, sleep } = options;
  const limiters = new Map<EndpointName, Limiter>();

  const create = (endpoint: EndpointName): Limiter => {
    let known = learnedRate(facts, endpoint);
    const controller = createController(config, known);
    const onChange = ({ waiting }: Limiter) => {
      metrics.limiterWaiting.set({ endpoint }, waiting);
      const { rate } = controller;
      if (rate === null) return;
      metrics.limiterRate.set({ endpoint }, rate);
      if (config.rateLimit !== 'auto') return;
      if (known !== null && Math.abs(rate / known - 1) <= reportedChange) return;
      known = rate;
      const evidence =
        'requests per second that were accepted, found by raising the rate until the service refused (ERR-03)';
      onFact({ fact: factOfRate(endpoint), value: rate.toFixed(3), evidence });
    };
    // One request at a time until the key is accepted, so that a bad key costs one request.
    return new Limiter({ maxConcurrency: 1, controller, monotonicMs, sleep, onChange });
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
