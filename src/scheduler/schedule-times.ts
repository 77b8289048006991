// How often a cron expression comes due, how long it rests at the most, and whether it came due between two
// moments: what was due while no process ran begins at the start. The first two are counted over whole
// calendar cycles from a fixed day, so that the answer is the same on every day it is asked. Summer time is
// left out of them.
import { createTask, parse } from 'node-cron';

const dayMs = 24 * 3_600_000;
/** 28 years are whole weeks and whole leap cycles; none of these ends a century. */
const cycleBegins = Date.UTC(2001, 0, 1);
const cycleDays = 28 * 365 + 7;

interface ScheduleTimes {
  /** Milliseconds after midnight, ascending; the same on each day on which the expression comes due. */
  readonly timesOfDay: readonly number[];
  /** Days of the cycle, ascending. */
  readonly days: readonly number[];
}

/** Runs per hour, on average. */
export function runsPerHour(expression: string): number {
  const { timesOfDay, days } = timesOf(expression);
  return (timesOfDay.length * days.length) / (cycleDays * 24);
}

/** The longest time between two runs, in milliseconds; 0 for an expression that never comes due. */
export function longestGapMs(expression: string): number {
  const { timesOfDay, days } = timesOf(expression);
  const firstTime = timesOfDay[0];
  const firstDay = days[0];
  if (firstTime === undefined || firstDay === undefined) return 0;
  const withinDay = longestStep(timesOfDay);
  const daysApart = Math.max(longestStep(days), firstDay + cycleDays - (days.at(-1) ?? firstDay));
  return Math.max(withinDay, daysApart * dayMs + firstTime - (timesOfDay.at(-1) ?? firstTime));
}

/** The shortest time between two runs on one day or over midnight, in milliseconds; at most a day. */
export function shortestGapMs(expression: string): number {
  const { timesOfDay } = timesOf(expression);
  const next = (index: number) => timesOfDay[index + 1] ?? (timesOfDay[0] ?? 0) + dayMs;
  return Math.min(dayMs, ...timesOfDay.map((time, index) => next(index) - time));
}

function timesOf(expression: string): ScheduleTimes {
  const fields = parse(expression);
  const timesOfDay = fields.hour
    .flatMap((hour) =>
      fields.minute.flatMap((minute) =>
        fields.second.map((second) => ((hour * 60 + minute) * 60 + second) * 1000),
      ),
    )
    .sort((a, b) => a - b);
  const days = Array.from({ length: cycleDays }, (_, day) => day);
  const isDaily =
    fields.dayOfMonth.length === 31 && fields.month.length === 12 && fields.dayOfWeek.length >= 7;
  const time = timesOfDay[0];
  if (isDaily || time === undefined) return { timesOfDay, days };
  const task = createTask(expression, () => undefined, { timezone: 'UTC' });
  const due = days.filter((day) => task.match(new Date(cycleBegins + day * dayMs + time)));
  void task.destroy();
  return { timesOfDay, days: due };
}

function longestStep(ascending: readonly number[]): number {
  let longest = 0;
  for (let index = 1; index < ascending.length; index += 1)
    longest = Math.max(longest, (ascending[index] ?? 0) - (ascending[index - 1] ?? 0));
  return longest;
}

/** A cron expression and its test. */
export interface Schedule {
  readonly expression: string;
  match(date: Date): boolean;
}

const minuteMs = 60_000;
/** How far back a missed time is looked for. */
const maxMinutesBack = 40 * 24 * 60;

/** @param since when the job last ran; null when it never did, which always makes it due */
export function isDue(schedule: Schedule, since: Date | null, now: Date): boolean {
  if (since === null) return true;
  const seconds = parse(schedule.expression).second;
  const thisMinute = Math.floor(now.getTime() / minuteMs) * minuteMs;
  for (let back = 0; back < maxMinutesBack; back += 1) {
    const minute = thisMinute - back * minuteMs;
    if (minute + minuteMs <= since.getTime()) return false;
    for (const second of seconds) {
      const time = minute + second * 1000;
      if (time > since.getTime() && time <= now.getTime() && schedule.match(new Date(time))) return true;
    }
  }
  return false;
}
