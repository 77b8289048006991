// Decides when a cron expression comes due in a time zone, across changes of its clocks, and when a job
// starts, whatever the machine's wall clock does. node-cron evaluates expressions; its timers are not used
// (docs/decisions/schedules-and-clocks.md).
import { parse } from 'node-cron';
import { offsetAt } from '../base/time-zone.ts';
import { shortestGapMs } from './schedule-times.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** How far back a time that passed is looked for. */
const farthestMs = 40 * 24 * hourMs;
/** No zone sets its clocks back by more, or changes them twice within it. */
const longestChangeMs = 3 * hourMs;
/** Clock corrections up to this size are normal: they make no time come due again. */
const smallStepMs = 10_000;

/** A cron expression in a zone, and node-cron's test whether a date, read in UTC, matches it. */
export interface Schedule {
  readonly expression: string;
  readonly timezone: string;
  readonly match: (date: Date) => boolean;
}

/**
 * Whether the schedule came due after `since`, and not after `until`. A local time that the clocks skip is
 * due right after the skip, and one that they repeat is due once. But a schedule of even steps, such as every
 * five minutes, is due whenever the clocks show one of its times.
 */
export function createDueTimes({ expression, timezone, match }: Schedule) {
  const { second: seconds, minute: minutes, hour: hours } = parse(expression);
  const firstMs = (seconds[0] ?? 0) * 1000;
  const offsetOf = createOffsets(timezone);
  /** Times within one minute are due together; a moment within it, read in UTC, names the minute. */
  const holds = (local: number) => {
    const time = new Date(local + firstMs);
    return hours.includes(time.getUTCHours()) && minutes.includes(time.getUTCMinutes()) && match(time);
  };
  const isDueIn = (minute: number) => {
    const offset = offsetOf(minute);
    if (!holds(minute + offset)) return false;
    const former = offsetOf(minute - longestChangeMs);
    const isShownAgain = former > offset && offsetOf(minute + offset - former) === former;
    return !isShownAgain || hours.length === 24 || holds(minute + former);
  };
  const skipped = (minute: number) => {
    const [before, after] = [offsetOf(minute - 1), offsetOf(minute)];
    for (let local = minute + before; local < minute + after; local += minuteMs)
      if (holds(local) && !holds(local + after - before)) return true;
    return false;
  };
  return (since: number, until: number): boolean => {
    const from = Math.max(since, until - farthestMs);
    const isWithin = (ms: number) => ms > from && ms <= until;
    const last = Math.floor(until / minuteMs) * minuteMs;
    for (let minute = last; minute + minuteMs > from; minute -= minuteMs) {
      if (isWithin(minute) && skipped(minute)) return true;
      if (seconds.some((second) => isWithin(minute + second * 1000)) && isDueIn(minute)) return true;
    }
    return false;
  };
}

/** Offsets of a zone, which only change at quarter hours. */
function createOffsets(timezone: string) {
  const known = new Map<number, number>();
  return (ms: number): number => {
    const quarter = Math.floor(ms / (hourMs / 4));
    let offset = known.get(quarter);
    if (offset === undefined) {
      if (known.size > 10_000) known.clear();
      offset = offsetAt(ms, timezone);
      known.set(quarter, offset);
    }
    return offset;
  };
}

/**
 * Polled every second: whether the job starts now, because a time has come due since the last poll. If the
 * wall clock was set back, repeated times are due again, but only after the job's shortest pause in monotonic
 * time.
 *
 * @param sinceMs the wall-clock time from which times count
 */
export function createAlarm(schedule: Schedule, sinceMs: number) {
  const isDue = createDueTimes(schedule);
  const restMs = shortestGapMs(schedule.expression);
  let askedMs = sinceMs;
  let [beganAt, notBefore] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  return (wallMs: number, monotonicMs: number): boolean => {
    if (wallMs < askedMs - smallStepMs) [askedMs, notBefore] = [wallMs, beganAt + restMs];
    if (wallMs <= askedMs || monotonicMs < notBefore) return false;
    const due = isDue(askedMs, wallMs);
    askedMs = wallMs;
    if (due) beganAt = monotonicMs;
    return due;
  };
}
