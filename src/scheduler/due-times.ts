// Decides when a cron expression comes due in a time zone, across changes of its clocks, and when a job
// starts, whatever the machine's wall clock does. node-cron evaluates expressions; its timers are not used
// (docs/decisions/schedules-and-clocks.md).

import { createHash } from 'node:crypto';
import { createTask, parse } from 'node-cron';
import { offsetAt } from '../base/time-zone.ts';

// How long a cron expression rests. Daylight saving is ignored.

const dayMs = 24 * 3_600_000;
/** More than a year: each longest pause of a schedule that comes due at least twice a year is whole in it. */
const lookedAtDays = 400;

/**
 * The longest time between two runs within the next 400 days, in milliseconds; the whole span for an
 * expression that does not come due.
 */
export function longestGapMs(expression: string): number {
  const times = timesOfDay(expression);
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const today = Math.floor(Date.now() / dayMs);
  const match = matcherOf(expression);
  const due = Array.from({ length: lookedAtDays }, (_, day) => day).filter((day) =>
    match(new Date((today + day) * dayMs + first)),
  );
  const daysApart = Math.max(due[0] ?? 0, ...gaps(due, lookedAtDays));
  if (due.length === 0) return lookedAtDays * dayMs;
  return Math.max(daysApart * dayMs + first - last, ...gaps(times, last));
}

/** node-cron's test whether a date, read in UTC, matches the expression. */
function matcherOf(expression: string): (date: Date) => boolean {
  const task = createTask(expression, () => undefined, { timezone: 'UTC' });
  void task.destroy();
  return (date) => task.match(date);
}

/** The shortest time between two runs on one day or over midnight, in milliseconds; at most a day. */
function shortestGapMs(expression: string): number {
  const times = timesOfDay(expression);
  return Math.min(dayMs, ...gaps(times, dayMs + (times[0] ?? 0)));
}

/** Milliseconds after midnight, ascending; the same on each day on which the expression comes due. */
function timesOfDay(expression: string): readonly number[] {
  const { hour: hours, minute: minutes, second: seconds } = parse(expression);
  const inMinutes = hours.flatMap((hour) => minutes.map((minute) => hour * 60 + minute));
  return inMinutes
    .flatMap((minute) => seconds.map((second) => (minute * 60 + second) * 1000))
    .sort((a, b) => a - b);
}

/** From each number to the next, and from the last to the end. */
function gaps(ascending: readonly number[], end: number): readonly number[] {
  return ascending.map((at, index) => (ascending[index + 1] ?? end) - at);
}

// Many processes on one database and one service would all start in the same second: each is delayed by a
// share derived from its account's name, which is the same after every restart.

const secondsMs = 30_000;
const halfAnHourMs = 30 * 60_000;

/** A number from 0 to below 1. The account `default` is taken for the only one and is not delayed: 0. */
export function shareOf(account: string): number {
  if (account === 'default') return 0;
  return createHash('sha256').update(account).digest().readUInt32BE(0) / 2 ** 32;
}

/**
 * How far the ticks of an expression may be spread, in milliseconds: never beyond the next tick; half a
 * minute for frequent schedules, a forty-eighth of the interval for rare ones, and half an hour at most.
 */
export function spreadMs(expression: string): number {
  const gapMs = shortestGapMs(expression);
  return Math.min(gapMs, Math.max(secondsMs, Math.min(gapMs / 48, halfAnHourMs)));
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** How far back a time that passed is looked for. */
const farthestMs = 40 * 24 * hourMs;
/** No zone sets its clocks back by more, or changes them twice within it. */
const longestChangeMs = 3 * hourMs;
/** Clock corrections up to this size are normal: they make no time come due again. */
const smallStepMs = 10_000;

/** A cron expression in a zone. */
export interface Schedule {
  readonly expression: string;
  readonly timezone: string;
}

/**
 * Whether the schedule came due after `since`, and not after `until`. A local time that the clocks skip is
 * due right after the skip, and one that they repeat is due once. But a schedule of even steps, such as every
 * five minutes, is due whenever the clocks show one of its times.
 */
export function createDueTimes({ expression, timezone }: Schedule) {
  const match = matcherOf(expression);
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
