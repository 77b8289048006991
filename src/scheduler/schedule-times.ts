// How often a cron expression comes due, and how long it rests. Counted over whole calendar cycles from a
// fixed day, so that the answer does not depend on the current day. Daylight saving is ignored.
import { createTask, parse } from 'node-cron';

const dayMs = 24 * 3_600_000;
/** 28 years are whole weeks and whole leap cycles; none of these ends a century. */
const cycleBegins = Date.UTC(2001, 0, 1);
const cycleDays = 28 * 365 + 7;

/** Runs per hour, on average. */
export function runsPerHour(expression: string): number {
  return (timesOfDay(expression).length * daysOf(expression).length) / (cycleDays * 24);
}

/** The longest time between two runs, in milliseconds; 0 for an expression that never comes due. */
export function longestGapMs(expression: string): number {
  const [times, days] = [timesOfDay(expression), daysOf(expression)];
  const overNight = (times[0] ?? 0) - (times.at(-1) ?? 0);
  const daysApart = Math.max(0, ...gaps(days, cycleDays));
  return days.length === 0 ? 0 : Math.max(daysApart * dayMs + overNight, ...gaps(times, 0));
}

/** The shortest time between two runs on one day or over midnight, in milliseconds; at most a day. */
export function shortestGapMs(expression: string): number {
  return Math.min(dayMs, ...gaps(timesOfDay(expression), dayMs));
}

/** Milliseconds after midnight, ascending; the same on each day on which the expression comes due. */
function timesOfDay(expression: string): readonly number[] {
  const { hour: hours, minute: minutes, second: seconds } = parse(expression);
  const inMinutes = hours.flatMap((hour) => minutes.map((minute) => hour * 60 + minute));
  return inMinutes
    .flatMap((minute) => seconds.map((second) => (minute * 60 + second) * 1000))
    .sort((a, b) => a - b);
}

/** The days of the cycle on which the expression comes due, ascending. */
function daysOf(expression: string): readonly number[] {
  const days = Array.from({ length: cycleDays }, (_, day) => day);
  const { dayOfMonth, month, dayOfWeek } = parse(expression);
  if (dayOfMonth.length === 31 && month.length === 12 && dayOfWeek.length >= 7) return days;
  const task = createTask(expression, () => undefined, { timezone: 'UTC' });
  const time = timesOfDay(expression)[0] ?? 0;
  const due = days.filter((day) => task.match(new Date(cycleBegins + day * dayMs + time)));
  void task.destroy();
  return due;
}

/** From each number to the next, and from the last to the first of the next cycle. */
function gaps(ascending: readonly number[], cycle: number): readonly number[] {
  return ascending.map((at, index) => (ascending[index + 1] ?? cycle + (ascending[0] ?? 0)) - at);
}
