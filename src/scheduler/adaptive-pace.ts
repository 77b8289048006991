// How long an adaptive schedule waits after a run. While transactions change, it waits little; the longer nothing changed, the longer
// it waits, and ten times as long where no transaction is open, because when the next one appears does not depend on the last
// change. Pure: the caller passes the time in.
//
// The limiter keeps every request below the rate that the service allows. This leaves a part of that rate to the other jobs.
import type { AdaptiveSchedule } from '../base/config/adaptive-schedule.ts';

/** The pause is this part of the time in which nothing changed. */
const partOfQuiet = { open: 1 / 30, settled: 1 / 3 };
/** The most of the allowed rate that the runs of this schedule take. */
export const shareOfRate = 0.5;
/** So many runs together take no more than that either, but for the one that read the most: a single sweep is an exception. */
const remembered = 6;

/** How one run of the job ended. */
export interface PacedRun {
  readonly status: 'succeeded' | 'failed' | 'abandoned';
  /** Whether it read the whole list. */
  readonly isSweep: boolean;
  readonly requests: number;
  readonly seconds: number;
}

/** What the next pause depends on besides. */
export interface PaceInputs {
  readonly isAnyOpen: boolean;
  /** Requests per second that the service allows; null while that is not known. */
  readonly rate: number | null;
}

/** What decides how long the pause is. */
export type PauseReason = 'changes' | 'quiet' | 'rate' | 'failures';

export interface Pause {
  readonly ms: number;
  readonly reason: PauseReason;
}

export interface AdaptivePace {
  /** Takes note of transactions that are new or have changed, whoever read them. */
  noteChange(now: number): void;
  /** Takes note of a run that has ended now. */
  noteRun(run: PacedRun, now: number): void;
  /** The pause before the next run. */
  next(inputs: PaceInputs, now: number): Pause;
}

/** @param now what happened before is not known, so it counts as a change */
export function createAdaptivePace(bounds: AdaptiveSchedule, now: number): AdaptivePace {
  const { shortestMs, longestMs } = bounds;
  let changedAt = now;
  let failures = 0;
  let last: PacedRun | null = null;
  /** A run as the next one will probably be: a single sweep is none, but one sweep after the other is. */
  let usual: PacedRun | null = null;
  /** The last runs, whatever became of them. */
  let recent: readonly BegunRun[] = [];
  return {
    noteChange(at) {
      changedAt = at;
    },
    noteRun(run, at) {
      recent = [...recent, { requests: run.requests, beganAt: at - run.seconds * 1000 }].slice(-remembered);
      failures = run.status === 'failed' ? failures + 1 : 0;
      if (run.status !== 'succeeded') return;
      usual = run.isSweep && last?.isSweep !== true ? null : run;
      last = run;
    },
    next({ isAnyOpen, rate }, at) {
      const pauses: readonly Pause[] = [
        { reason: 'changes', ms: shortestMs },
        { reason: 'quiet', ms: (at - changedAt) * (isAnyOpen ? partOfQuiet.open : partOfQuiet.settled) },
        {
          reason: 'rate',
          ms: rate === null || usual === null ? 0 : restOf(usual.requests, usual.seconds * 1000, rate),
        },
        { reason: 'rate', ms: rate === null ? 0 : restOfRecent(recent, rate, at) },
        { reason: 'failures', ms: failures === 0 ? 0 : shortestMs * 2 ** Math.min(failures, 20) },
      ];
      const longest = pauses.reduce((most, pause) => (pause.ms > most.ms ? pause : most));
      return { ...longest, ms: Math.min(longestMs, longest.ms) };
    },
  };
}

interface BegunRun {
  readonly requests: number;
  readonly beganAt: number;
}

/** How long to rest until the runs since the first of them took their share of the rate. */
function restOfRecent(runs: readonly BegunRun[], rate: number, now: number): number {
  const requests = runs.map((run) => run.requests);
  const counted = requests.reduce((sum, one) => sum + one, 0) - Math.max(0, ...requests);
  return restOf(counted, now - (runs[0]?.beganAt ?? now), rate);
}

/** How long to rest after so many requests in such a time, so that runs and rests together take their share of the rate. */
function restOf(requests: number, elapsedMs: number, rate: number): number {
  return (requests / (rate * shareOfRate)) * 1000 - elapsedMs;
}
