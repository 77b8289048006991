// When a cron expression comes due in a time zone, also where its clocks change, and when a job is to begin
// whatever the wall clock of the machine does. node-cron says which times an expression holds; its waiting is
// not used (docs/decisions/schedules-and-clocks.md).
import { parse } from 'node-cron';
import { offsetAt } from '../base/time-zone.ts';
import { shortestGapMs } from './schedule-times.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** How far back a time that passed is looked for. */
const farthestMs = 40 * 24 * hourMs;
/** No zone sets its clocks back by more, or changes them twice within it. */
const longestChangeMs = 3 * hourMs;
/** The clock is corrected by so much now and then: no time comes due again for that. */
const smallStepMs = 10_000;

/** A cron expression in a zone, and node-cron's answer whether it holds a date, read in UTC. */
export interface Schedule {
  readonly expression: string;
  readonly timezone: string;
  readonly match: (date: Date) => boolean;
}

/**
 * Whether the schedule came due after `since`, and not after `until`. A local time that the clocks skip is
 * due when they have skipped it, and one that they show twice is due once. But a schedule that goes on at the
 * same pace across the change, such as every five minutes, is due whenever the clocks show one of its times.
 */
export function createDueTimes({ expression, timezone, match }: Schedule) {
  const { second: seconds, minute: minutes, hour: hours } = parse(expression);
  const firstMs = (seconds[0] ?? 0) * 1000;
  const offsetOf = createOffsets(timezone);
  /** Times of one minute are due together; it is named by a moment within it, read in UTC. */
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

/** Offsets of a zone, which change at quarters of an hour only. */
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
 * Tells, asked every second, when the job is to begin: at each time that has come due since it was last
 * asked. Where the wall clock was set back, times that it shows again are due again, but not before the job
 * has rested for its shortest pause of monotonic time.
 *
 * @param sinceMs the wall clock from which on times count
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
