// What the service says about waiting is the least wait: our own backoff counts where it is longer.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Sleep } from '../../../src/base/loop.ts';
import { clientOf, errorOf, failure, json, newCall, serve } from '../../support/custody-service.ts';

const bounds = { retryMinMs: 500, retryMaxMs: 30_000 };

/** A time that only waiting lets pass. */
function waitedTime() {
  let now = 0;
  const sleep: Sleep = async (ms, signal) => {
    await nextTurn();
    signal.throwIfAborted();
    now += ms;
  };
  return { options: { sleep, monotonicMs: () => now }, now: () => now };
}

const uselessHints: readonly (readonly [string, Record<string, string>])[] = [
  ['no Retry-After', {}],
  ['Retry-After: 0', { 'retry-after': '0' }],
  ['a Retry-After that is over', { 'retry-after': 'Mon, 06 May 2024 07:08:09 GMT' }],
  ['a Retry-After below the backoff', { 'retry-after': '0.05' }],
];

test.each(uselessHints)('503 with %s: every attempt waits for the backoff', async (_, headers) => {
  const sentAt: number[] = [];
  const service = await serve((_request, response) => {
    sentAt.push(performance.now());
    json(response, 'unavailable', 503, headers);
  });
  const { client } = clientOf(service, { retryMinMs: 60, retryMaxMs: 150, retries: 3 });
  expect((await errorOf(client.transactions({}, newCall()))).fault.code).toBe('HTTP-503');
  const waits = sentAt.slice(1).map((at, index) => at - (sentAt[index] ?? 0));
  expect(waits).toHaveLength(3);
  // Half of the length at least. A timer may be early by the part of a millisecond that it does not count.
  for (const [index, leastMs] of [30, 60, 75].entries())
    expect(waits[index]).toBeGreaterThanOrEqual(leastMs - 2);
});

type RateLimit = 'auto' | 'off' | number;

/**
 * How long each request waited for the one before, where the service refuses the rate and answers with these
 * headers.
 */
async function waitsWhileRefused(rateLimit: RateLimit, headers: Record<string, string>): Promise<number[]> {
  const sentAt: number[] = [];
  const time = waitedTime();
  const service = await serve((_, response) => {
    sentAt.push(time.now());
    json(response, failure('ERR-03'), 429, headers);
  });
  const { client } = clientOf(service, { ...bounds, retries: 0, rateLimit }, time.options);
  expect((await errorOf(client.transactions({}, newCall()))).fault.kind).toBe('rate-limited');
  return sentAt.slice(1).map((at, index) => at - (sentAt[index] ?? 0));
}

const rateLimits: readonly RateLimit[] = ['auto', 'off', 50];
test.each(rateLimits)(
  'under rate limit %s a useless hint shortens no wait after ERR-03',
  async (rateLimit) => {
    const [unhinted, ...hinted] = await Promise.all(
      uselessHints.map(([, headers]) => waitsWhileRefused(rateLimit, headers)),
    );
    expect(unhinted).toHaveLength(5);
    const leastMs = rateLimit === 50 ? 60 : bounds.retryMinMs;
    for (const wait of unhinted ?? []) expect(wait).toBeGreaterThanOrEqual(leastMs);
    for (const waits of hinted) expect(waits).toEqual(unhinted);
  },
);
