// How often a cron expression comes due, on average over the days ahead.
import { createTask } from 'node-cron';

const weekMs = 7 * 24 * 3_600_000;
const mostRuns = 1_500;

/** Runs per hour, averaged over a week where the expression does not come due too often for that. */
export function runsPerHour(expression: string, timezone: string): number {
  const task = createTask(expression, () => undefined, { timezone });
  let times: number[] = [];
  // Asked for in growing numbers: the times of rare runs are costly to find.
  for (let wanted = 10; wanted <= mostRuns && span(times) < weekMs; wanted = Math.ceil(wanted * 2.5))
    times = task.getNextRuns(wanted).map((date) => date.getTime());
  void task.destroy();
  return times.length < 2 ? 0 : ((times.length - 1) * 3_600_000) / span(times);
}

function span(times: readonly number[]): number {
  return (times.at(-1) ?? 0) - (times[0] ?? 0);
}
