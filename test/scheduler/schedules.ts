// One thing for each schedule.
import { type ScheduleName, scheduleNames } from '../../src/domain/jobs.ts';

export function forEachSchedule<Thing>(make: (name: ScheduleName) => Thing): Record<ScheduleName, Thing> {
  return Object.fromEntries(scheduleNames.map((name) => [name, make(name)])) as Record<ScheduleName, Thing>;
}
