// How long a cron expression rests. Daylight saving is ignored.
import { createTask, parse } from 'node-cron';

const dayMs = 24 * 3_600_000;
/** More than a year: each longest pause of a schedule that comes due at least twice a year is whole in it. */
const lookedAtDays = 400;

/**
 * The longest time between two runs within the next 400 days, in milliseconds; all of it for an expression that
 * does not come due.
 */
export function longestGapMs(expression: string, nowMs = Date.now()): number {
  const times = timesOfDay(expression);
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const today = Math.floor(nowMs / dayMs);
  const task = createTask(expression, () => undefined, { timezone: 'UTC' });
  const due = Array.from({ length: lookedAtDays }, (_, day) => day).filter((day) =>
    task.match(new Date((today + day) * dayMs + first)),
  );
  void task.destroy();
  const daysApart = Math.max(due[0] ?? 0, ...gaps(due, lookedAtDays));
  if (due.length === 0) return lookedAtDays * dayMs;
  return Math.max(daysApart * dayMs + first - last, ...gaps(times, last));
}

/** The shortest time between two runs on one day or over midnight, in milliseconds; at most a day. */
export function shortestGapMs(expression: string): number {
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
