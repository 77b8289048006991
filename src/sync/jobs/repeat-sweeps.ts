// Transactions for the command `sync`: repeats a sweep with doubts a few times, and sums up all attempts in one outcome.
import { type BackoffBounds, sleep as realSleep, type Sleep } from '../../base/loop.ts';
import type { JobContext } from '../run/context.ts';
import type { JobOutcome } from '../run/run-job.ts';
import { nextTry, noTries } from '../run/try-again.ts';
import { syncTransactions, type TransactionsOptions, together } from './transactions.ts';

export interface Repetition {
  /** Attempts after the first. */
  readonly times: number;
  readonly backoff: BackoffBounds;
  readonly sleep?: Sleep;
  readonly random?: () => number;
}

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
    logger.info({ attempt: tries.again + 1, doubts: last.doubts }, 'sweep was tried again');
    last = await syncTransactions(context, { full: true });
    all = { ...together(all, last), attempts: all.attempts + last.attempts };
  }
  return all;
}
