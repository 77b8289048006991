// A service with a rate limit and callers that always have something to ask, in simulated time.
import {
  AdaptiveRate,
  type Permit,
  type Reply,
  type TokenBucket,
} from '../../../src/custody/rate/adaptive-rate.ts';

/** Answers whether a request that arrives now is within the limit. */
export type Limit = (now: number) => boolean;

export function fixedWindow(requests: number, windowMs: number): Limit {
  let windowEnd = Number.NEGATIVE_INFINITY;
  let used = 0;
  return (now) => {
    if (now >= windowEnd) {
      windowEnd = (Math.floor(now / windowMs) + 1) * windowMs;
      used = 0;
    }
    used += 1;
    return used <= requests;
  };
}

/** Only requests that were let through count. */
export function slidingWindow(requests: number, windowMs: number): Limit {
  const passed: number[] = [];
  return (now) => {
    while ((passed[0] ?? now) <= now - windowMs) passed.shift();
    if (passed.length >= requests) return false;
    passed.push(now);
    return true;
  };
}

export function tokenBucket(perSecond: number, burst: number): Limit {
  let tokens = burst;
  let filledAt = 0;
  return (now) => {
    tokens = Math.min(burst, tokens + ((now - filledAt) / 1000) * perSecond);
    filledAt = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}

export interface Simulation {
  readonly limit: Limit;
  readonly random: () => number;
  readonly seconds: number;
  readonly latencyMs?: number;
  readonly concurrency?: number;
  readonly learned?: number;
  /** What a refusal says about waiting. */
  readonly retryAfterMs?: (now: number) => number;
  readonly controller?: TokenBucket;
}

export interface Answered {
  readonly at: number;
  readonly accepted: boolean;
}

/**
 * Runs the controller against the limit; timers are late by up to 3 ms, and answers take half to three halves
 * the latency.
 */
export function simulate(simulation: Simulation): { answers: Answered[]; controller: TokenBucket } {
  const { limit, random, latencyMs = 40, concurrency = 4, retryAfterMs } = simulation;
  const controller =
    simulation.controller ??
    new AdaptiveRate({ rate: simulation.learned ?? null, minBackoffMs: 500, maxBackoffMs: 30_000 });
  const answers: Answered[] = [];
  const flying: { at: number; arrivesAt: number; accepted: boolean | null; permit: Permit }[] = [];
  const end = simulation.seconds * 1000;
  let now = 0;
  while (now < end) {
    const delay = flying.length < concurrency ? controller.delayMs(now) : Number.POSITIVE_INFINITY;
    const [next] = flying.sort((a, b) => a.at - b.at);
    if (delay <= 0) {
      const trip = latencyMs * (0.5 + random());
      flying.push({
        at: now + trip,
        arrivesAt: now + trip / 2,
        accepted: null,
        permit: controller.grant(now),
      });
    } else if (next === undefined || now + delay < next.at) {
      now += Math.ceil(delay) + random() * 3;
    } else {
      now = Math.max(now, next.at);
      flying.shift();
      // Requests reach the limit in the order of their answers here, which is close enough.
      const accepted = limit(next.arrivesAt);
      const reply: Reply = {
        outcome: accepted ? 'accepted' : 'refused',
        waitMs: accepted || retryAfterMs === undefined ? null : retryAfterMs(next.arrivesAt),
      };
      controller.answered(now, next.permit, reply);
      answers.push({ at: next.arrivesAt, accepted });
    }
  }
  return { answers, controller };
}

/** The requests after a moment: how many were accepted per second, and the share that was refused. */
export function summary(answers: readonly Answered[], fromSecond: number, toSecond: number) {
  const late = answers.filter(({ at }) => at >= fromSecond * 1000 && at < toSecond * 1000);
  const accepted = late.filter((answer) => answer.accepted).length;
  return {
    perSecond: accepted / (toSecond - fromSecond),
    refusedShare: late.length === 0 ? 0 : 1 - accepted / late.length,
  };
}

/** Numbers from 0 to 1 that are the same for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
