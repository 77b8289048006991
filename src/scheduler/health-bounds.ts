// How old the last success of a job may be before the mirror is called unhealthy: several times its own schedule.
import { createTask } from 'node-cron';
import type { ScheduleConfig } from '../base/config.ts';
import type { HealthBounds } from '../store/status-health.ts';

const leastMs = 15 * 60_000;
/** Runs of a job that may be missed before anybody is called. */
const missedRuns = 6;
/** Gaps between this many runs are looked at, so that a schedule of working hours counts by its longest one. */
const runsAhead = 50;

export function healthBounds({ expressions, timezone }: ScheduleConfig): HealthBounds {
  const maxAgeMs: Record<string, number> = {};
  for (const job of ['transactions', 'balances'] as const) {
    const expression = expressions[job];
    if (expression !== null)
      maxAgeMs[job] = Math.max(leastMs, missedRuns * longestGapMs(expression, timezone));
  }
  return { maxAgeMs };
}

function longestGapMs(expression: string, timezone: string): number {
  const task = createTask(expression, () => undefined, { timezone });
  const times = task.getNextRuns(runsAhead).map((date) => date.getTime());
  void task.destroy();
  return Math.max(0, ...times.slice(1).map((time, index) => time - (times[index] ?? time)));
}
