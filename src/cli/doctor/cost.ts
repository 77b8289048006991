// The load on the service: requests per hour, from the schedules and the latest runs.
import type { Config } from '../../base/config/config.ts';
import { hasWork, jobsOfSchedule, mirroredBy, scheduleNames } from '../../domain/jobs.ts';
import { runsPerHour } from '../../scheduler/schedule-times.ts';
import type { RunCost } from '../../store/job-queries/diagnosis.ts';
import { type Finding, note, ok } from './finding.ts';

/** The schedules whose jobs read from the service. */
const schedules = scheduleNames.filter((name) =>
  jobsOfSchedule(name).some((job) => mirroredBy(job) !== null),
);

export function costFindings(
  { schedule: { expressions }, resources }: Pick<Config, 'schedule' | 'resources'>,
  costs: readonly RunCost[],
): readonly Finding[] {
  let total = 0;
  let isWhole = true;
  const findings = schedules.map((schedule): Finding => {
    const expression = expressions[schedule];
    if (expression === null) return note(schedule, 'off');
    const started = jobsOfSchedule(schedule).filter((job) => hasWork(job, resources));
    const known = costs.filter(({ job }) => started.some((name) => name === job));
    const perRun = known.reduce((sum, { requests }) => sum + requests, 0);
    const perHour = runsPerHour(expression);
    const often = perHour < 1 ? runs(perHour * 24, 'a day') : runs(perHour, 'an hour');
    if (known.length === 0) {
      isWhole = false;
      return ok(schedule, `${often} (${expression}); its requests are known after the first run`);
    }
    total += perHour * perRun;
    return ok(schedule, `${often} of ${rounded(perRun)} requests each (${expression})`);
  });
  const about = `${isWhole ? 'about' : 'at least'} ${rounded(total)} requests an hour`;
  return total > 0 ? [...findings, ok('together', `${about}, from the last runs of each job`)] : findings;
}

function runs(count: number, per: string): string {
  const number = rounded(count);
  return `${number} ${number === '1' ? 'run' : 'runs'} ${per}`;
}

function rounded(value: number): string {
  return value >= 10 ? Math.round(value).toLocaleString('en') : String(Math.round(value * 10) / 10);
}
