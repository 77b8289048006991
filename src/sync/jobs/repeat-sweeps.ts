// Decides when a sweep of transactions with doubts is retried without waiting for its schedule: the first
// time at once, then after a backoff, as long as each attempt reads more than those before. `sync` repeats
// the sweep itself; the daemon waits in the job's slot (scheduler/daemon.ts).
import { type BackoffBounds, backoffMs, sleep as realSleep, type Sleep } from '../../base/loop.ts';
import type { DoubtCode } from '../../domain/doubts.ts';
import type { JobContext } from '../run/context.ts';
import type { JobOutcome } from '../run/run-job.ts';
import { sumOutcomes, syncTransactions, type TransactionsOptions } from './transactions.ts';

/** The sweeps since the last one without doubts. */
export interface Tries {
  /** How often a sweep was tried again. */
  readonly again: number;
  /** The most records that one of these sweeps read; null before the first. */
  readonly mostMet: number | null;
}

export const noTries: Tries = { again: 0, mostMet: null };

export interface NextTry {
  readonly tries: Tries;
  /** Milliseconds until the next attempt; null to wait for the schedule. */
  readonly againInMs: number | null;
}

/** If the service refuses a greater share of requests for their rate, another sweep would make it worse. */
const refusedPart = 1 / 20;
/** This many refusals are normal: the client probes for the rate. */
const refusedForFinding = 2;

/** Doubts that another sweep at once cannot remove. */
const lastingDoubts: readonly DoubtCode[] = ['undecodable', 'empty-once', 'list-cut', 'filters-ignored'];

/** Whether the outcome is of a sweep with doubts that another sweep may remove. */
function isLeftOpen({ status, verified, doubts }: JobOutcome): boolean {
  const isOpen = doubts.some((doubt) => !lastingDoubts.includes(doubt));
  return status === 'succeeded' && verified === false && isOpen;
}

/** Whether the attempt read more than those before: new records, or more of the list. The first counts. */
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
 * The next step after the outcome of a run of transactions. The longer a sweep, the longer the wait.
 *
 * @returns null when the run was not a sweep: a pending retry stays as it is
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

export interface Repetition {
  /** Attempts after the first. */
  readonly times: number;
  readonly backoff: BackoffBounds;
  readonly sleep?: Sleep;
  readonly random?: () => number;
}

/** Within the run, because a person waits, or the next run of cron is far away. */
export const againWhileWaiting: Repetition = { times: 3, backoff: { minMs: 1_000, maxMs: 10_000 } };

/** Transactions for `sync`: repeats a sweep with doubts a few times, and sums up all in one outcome. */
export async function syncTransactionsRepeatedly(
  context: JobContext,
  options: TransactionsOptions,
  { times, backoff, sleep = realSleep, random = Math.random }: Repetition,
): Promise<JobOutcome> {
  const { logger, signal } = context;
  let last = await syncTransactions(context, options);
  let all = last;
  let tries = noTries;
  while (tries.again < times) {
    const next = nextTry(tries, last, backoff, random);
    if (next === null || next.againInMs === null) break;
    tries = next.tries;
    const isStopped = await sleep(next.againInMs, signal).then(
      () => false,
      () => true,
    );
    if (isStopped) break;
    logger.info({ attempt: tries.again + 1, doubts: last.doubts }, 'retrying sweep');
    last = await syncTransactions(context, { full: true });
    all = { ...sumOutcomes(all, last), attempts: all.attempts + last.attempts };
  }
  return all;
}
