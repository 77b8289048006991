// How old the last success of a job may be before the mirror is called unhealthy: several times its own schedule.
import type { ScheduleConfig } from '../base/config.ts';
import type { HealthBounds } from '../store/status-health.ts';
import { longestGapMs } from './schedule-times.ts';

const leastMs = 15 * 60_000;
/** Runs of a job that may be missed before anybody is called. A schedule of working hours counts by its longest gap. */
const missedRuns = 6;

export function healthBounds({ expressions }: Pick<ScheduleConfig, 'expressions'>): HealthBounds {
  const maxAgeMs: Record<string, number> = {};
  for (const job of ['transactions', 'balances'] as const) {
    const expression = expressions[job];
    if (expression !== null) maxAgeMs[job] = Math.max(leastMs, missedRuns * longestGapMs(expression));
  }
  return { maxAgeMs };
}
