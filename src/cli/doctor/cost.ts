// What the mirror costs the service: requests per hour, from the schedules and the latest runs.
import type { Config } from '../../base/config/config.ts';
import { hasWork, jobsOfSchedule, mirroredBy, scheduleNames } from '../../domain/jobs.ts';
import { shareOfRate } from '../../scheduler/adaptive-pace.ts';
import { runsPerHour } from '../../scheduler/schedule-times.ts';
import type { RunCost } from '../../store/query/diagnosis.ts';
import type { Finding } from './finding.ts';

/** The schedules whose jobs read from the service. */
const schedules = scheduleNames.filter((name) =>
  jobsOfSchedule(name).some((job) => mirroredBy(job) !== null),
);

/** @param rate requests per second that the service allows for transactions; null while that is not known */
export function costFindings(
  { schedule: { expressions }, resources }: Pick<Config, 'schedule' | 'resources'>,
  costs: readonly RunCost[],
  rate: number | null,
): readonly Finding[] {
  const total = { least: 0, most: 0 };
  let isWhole = true;
  const findings = schedules.map((schedule): Finding => {
    const expression = expressions[schedule];
    if (expression === null) return { verdict: 'note', subject: schedule, result: 'off' };
    const started = jobsOfSchedule(schedule).filter((job) => hasWork(job, resources));
    const known = costs.filter(({ job }) => started.some((name) => name === job));
    const perRun = known.reduce((sum, { requests }) => sum + requests, 0);
    const perHour = withinRate(runsPerHour(expression), perRun, rate);
    const often = perHour.most < 1 ? runs(perHour, 24, 'a day') : runs(perHour, 1, 'an hour');
    if (known.length === 0) {
      isWhole = false;
      return {
        verdict: 'ok',
        subject: schedule,
        result: `${often} (${expression}); what one takes is known after the first`,
      };
    }
    total.least += perHour.least * perRun;
    total.most += perHour.most * perRun;
    return {
      verdict: 'ok',
      subject: schedule,
      result: `${often} of ${rounded(perRun)} requests each (${expression})`,
    };
  });
  const sum: Finding = {
    verdict: 'ok',
    subject: 'together',
    result: `${isWhole ? `about ${range(total, 1)}` : `at least ${rounded(total.least)}`} requests an hour, from the last runs of each job`,
  };
  return total.most > 0 ? [...findings, sum] : findings;
}

type PerHour = ReturnType<typeof runsPerHour>;

function runs(perHour: PerHour, hours: number, per: string): string {
  const number = range(perHour, hours);
  return `${number} ${number === '1' ? 'run' : 'runs'} ${per}`;
}

/** A schedule whose runs differ is an adaptive one, which takes a part of the rate at most. */
function withinRate({ least, most }: PerHour, requests: number, rate: number | null): PerHour {
  if (least === most || rate === null || requests === 0) return { least, most };
  const allowed = (rate * shareOfRate * 3_600) / requests;
  return { least: Math.min(least, allowed), most: Math.min(most, allowed) };
}

function range({ least, most }: PerHour, hours: number): string {
  const [from, to] = [rounded(least * hours), rounded(most * hours)];
  if (from === to) return from;
  return from === '0' ? `up to ${to}` : `${from} to ${to}`;
}

function rounded(value: number): string {
  return value >= 10 ? Math.round(value).toLocaleString('en') : String(Math.round(value * 10) / 10);
}
