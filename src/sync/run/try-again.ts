// When a sweep of transactions that left something open is tried again without waiting for its schedule: at once the first
// time, then after a backoff, for as long as each attempt brings more than those before. Pure.

import { type BackoffBounds, backoffMs } from '../../base/loop.ts';
import type { DoubtCode } from '../../domain/doubts.ts';
import type { JobOutcome } from './run-job.ts';

/** The sweeps since the last one that left nothing open. */
export interface Tries {
  /** How often one was tried again. */
  readonly again: number;
  /** The most records that one of them met; null before the first. */
  readonly mostMet: number | null;
}

export const noTries: Tries = { again: 0, mostMet: null };

export interface NextTry {
  readonly tries: Tries;
  /** Milliseconds until the next attempt; null to wait for the schedule. */
  readonly againInMs: number | null;
}

/** The service refuses more than this part of the requests for their rate: another sweep would make it worse. */
const refusedPart = 1 / 20;
/** So many refusals belong to finding the rate. */
const refusedForFinding = 2;

/** Doubts that another sweep at once does not lift: that a list is empty is to be found again later. */
const notLifted: readonly DoubtCode[] = ['undecodable', 'empty-once'];

/** Whether the outcome is that of a sweep that left something open which another sweep may meet. */
function isLeftOpen({ status, verified, doubts }: JobOutcome): boolean {
  const isOpen = doubts.some((doubt) => !notLifted.includes(doubt));
  return status === 'succeeded' && verified === false && isOpen;
}

/** Whether the attempt brought more than those before: new records, or more of the list. The first always does. */
function hasProgressed({ mostMet }: Tries, { inserted, coverage }: JobOutcome): boolean {
  return mostMet === null || inserted > 0 || (coverage?.met ?? 0) > mostMet;
}

export function shouldTryAgain(tries: Tries, outcome: JobOutcome): boolean {
  return isLeftOpen(outcome) && !isRateLow(outcome) && hasProgressed(tries, outcome);
}

function isRateLow({ requests, rateLimited }: JobOutcome): boolean {
  return rateLimited > refusedForFinding && rateLimited > requests * refusedPart;
}

/**
 * What follows from the outcome of a run of transactions. A sweep that took long is waited for longer.
 *
 * @returns null where the run was no sweep, and so says nothing of one that is still to be tried again
 */
export function nextTry(
  tries: Tries,
  outcome: JobOutcome,
  bounds: BackoffBounds,
  random: () => number = Math.random,
): NextTry | null {
  if (outcome.status !== 'succeeded') return { tries, againInMs: null };
  if (outcome.verified === null) return null;
  if (!isLeftOpen(outcome)) return { tries: noTries, againInMs: null };
  const mostMet = Math.max(tries.mostMet ?? 0, outcome.coverage?.met ?? 0);
  if (!shouldTryAgain(tries, outcome)) return { tries: { ...tries, mostMet }, againInMs: null };
  const minMs = Math.max(bounds.minMs, outcome.seconds * 1000);
  return {
    tries: { again: tries.again + 1, mostMet },
    againInMs: tries.again === 0 ? 0 : backoffMs(tries.again - 1, { ...bounds, minMs }, random),
  };
}
