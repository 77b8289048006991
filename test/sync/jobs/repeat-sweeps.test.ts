import { expect, test } from 'vitest';
import { nextTry, noTries, shouldTryAgain } from '../../../src/sync/jobs/repeat-sweeps.ts';
import type { JobOutcome } from '../../../src/sync/run/run-job.ts';
import { outcome as outcomeOf } from '../../support/status-report.ts';

const outcome = (met: number, more: Partial<JobOutcome> = {}): JobOutcome =>
  outcomeOf({
    verified: false,
    doubts: ['order-settled'],
    coverage: { met, listLength: null, listShown: null, isResumed: false },
    seconds: 0.5,
    ...more,
  });
const met100 = { again: 1, mostMet: 100 };

test('a sweep that left something open is tried again the first time, and then only after progress', () => {
  expect(shouldTryAgain(noTries, outcome(100))).toBe(true);
  expect(shouldTryAgain(met100, outcome(100))).toBe(false);
  expect(shouldTryAgain(met100, outcome(99))).toBe(false);
  expect(shouldTryAgain(met100, outcome(101))).toBe(true);
  expect(shouldTryAgain(met100, outcome(90, { inserted: 1 }))).toBe(true);
});

test('what another sweep would not cure is not tried again', () => {
  const failed = { status: 'failed', verified: null, doubts: [], coverage: null } as const;
  expect(shouldTryAgain(noTries, outcome(100, { doubts: ['undecodable'] }))).toBe(false);
  expect(shouldTryAgain(noTries, outcome(0, { doubts: ['empty-once'] }))).toBe(false);
  expect(shouldTryAgain(noTries, outcome(100, { doubts: ['undecodable', 'end-unsteady'] }))).toBe(true);
  expect(shouldTryAgain(noTries, outcome(100, { verified: true, doubts: [] }))).toBe(false);
  expect(shouldTryAgain(noTries, outcome(100, { verified: null, doubts: [] }))).toBe(false);
  expect(shouldTryAgain(noTries, outcome(100, { ...failed, keyRejected: true }))).toBe(false);
  expect(shouldTryAgain(noTries, outcome(100, { ...failed, status: 'abandoned' }))).toBe(false);
});

test('refusals for the rate end it, but for the few that belong to finding the rate', () => {
  expect(shouldTryAgain(noTries, outcome(100, { rateLimited: 2 }))).toBe(true);
  expect(shouldTryAgain(noTries, outcome(100, { rateLimited: 3 }))).toBe(false);
  expect(shouldTryAgain(noTries, outcome(100, { rateLimited: 3, requests: 100 }))).toBe(true);
});

test('the first attempt follows at once, the others after a wait that grows to its bound', () => {
  const bounds = { minMs: 1_000, maxMs: 10_000 };
  let tries = noTries;
  const waits: (number | null | undefined)[] = [];
  for (let attempt = 1; attempt <= 8; attempt += 1) {
    const next = nextTry(tries, outcome(attempt), bounds, () => 1);
    waits.push(next?.againInMs);
    tries = next?.tries ?? tries;
  }
  expect(waits).toEqual([0, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 10_000]);
  expect(nextTry(tries, outcome(9), bounds, () => 0.25)?.againInMs).toBe(2_500);
});

test('a sweep that took long is waited for longer', () => {
  const slow = outcome(200, { seconds: 60 });
  expect(nextTry(met100, slow, { minMs: 1_000, maxMs: 600_000 }, () => 1)?.againInMs).toBe(60_000);
  expect(nextTry(met100, slow, { minMs: 1_000, maxMs: 600_000 }, () => 0.5)?.againInMs).toBe(30_000);
});

test('progress is compared with the most that was met, and starts over after a verified sweep', () => {
  const bounds = { minMs: 1_000, maxMs: 10_000 };
  const worse = nextTry(met100, outcome(80), bounds);
  expect(worse).toEqual({ tries: met100, againInMs: null });
  expect(nextTry(met100, outcome(100), bounds)?.againInMs).toBeNull();
  expect(nextTry(met100, outcome(150), bounds)?.tries).toEqual({ again: 2, mostMet: 150 });
  expect(nextTry(met100, outcome(150, { verified: true, doubts: [] }), bounds)).toEqual({
    tries: noTries,
    againInMs: null,
  });
});

test('a failed run leaves it to the schedule, and an increment says nothing of it', () => {
  const bounds = { minMs: 1_000, maxMs: 10_000 };
  const failed = outcome(0, { status: 'failed', verified: null, doubts: [], coverage: null });
  expect(nextTry(met100, failed, bounds)).toEqual({ tries: met100, againInMs: null });
  expect(nextTry(met100, outcome(0, { verified: null, doubts: [], coverage: null }), bounds)).toBeNull();
});
