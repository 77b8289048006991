// The registry of resources and jobs: one row each, from which every other list of jobs, schedules and their
// variables is derived. Anything that does not fit into a row is typed by it, so forgetting a job somewhere
// does not compile.
import { listed } from './words.ts';

/** What is mirrored: the same names in code, tables and logs. */
export const resources = ['transactions', 'balances', 'vaults', 'whitelist'] as const;
export type Resource = (typeof resources)[number];

/** How a job reads: `full` sweeps a whole list; `incremental` reads new records only. */
export type RunMode = 'full' | 'incremental';

/**
 * The schedules, in the order in which due jobs start: each with the default of its variable SCHEDULE_<NAME>,
 * a cron expression, and the meaning of that variable; null for a schedule that reads the resources its jobs
 * are named after.
 */
const schedules = {
  balances: { fallback: '*/5 * * * *', meaning: null },
  transactions: { fallback: '*/30 * * * * *', meaning: null },
  documents: { fallback: '*/15 * * * *', meaning: null },
  reconcile: {
    fallback: '17 3 * * *',
    meaning: 'When all transactions are swept in the background.',
  },
  maintenance: {
    fallback: '47 4 * * *',
    meaning: 'When old rows are removed from `sync` ([maintenance](operations.md#maintenance)).',
  },
  // It starts no job: it mirrors nothing.
  seal: {
    fallback: '* * * * *',
    meaning: 'When new history is [sealed](audit.md), if `SEAL_KEY_FILE` names a key.',
  },
  // The same holds for this one.
  verify: {
    fallback: 'off',
    meaning:
      'When the sealed history is [verified](audit.md#by-itself) in the background, if `SEAL_KEY_FILE` names a key; `47 2 * * 0` is once a week.',
  },
} as const;

export type ScheduleName = keyof typeof schedules;
export const scheduleNames = Object.keys(schedules) as readonly ScheduleName[];

export function forEachSchedule<Value>(of: (name: ScheduleName) => Value): Record<ScheduleName, Value> {
  return Object.fromEntries(scheduleNames.map((name) => [name, of(name)])) as Record<ScheduleName, Value>;
}

/** The default of its variable, and what it means in Markdown. */
export function describeSchedule(name: ScheduleName) {
  const { fallback, meaning } = schedules[name];
  return { fallback, meaning: meaning ?? `When ${listed(jobsOfSchedule(name))} are read.` };
}

interface JobRow {
  /** What it mirrors; null for a job that mirrors nothing. */
  readonly resource: Resource | null;
  /** What starts it in the daemon. */
  readonly schedule: ScheduleName;
  /** The job that must end before this one starts in a cycle of `sync`. */
  readonly after?: Resource;
  /** It sweeps the whole list of transactions when needed, and can be verified. */
  readonly isSweeping?: true;
  /** The viewer role is guaranteed access to what it mirrors. Access to anything else may be refused. */
  readonly isPromised?: true;
}

/** By the names they have in sync.runs, logs and metrics, in the order in which people look for them. */
const jobs = {
  transactions: { resource: 'transactions', schedule: 'transactions', isSweeping: true, isPromised: true },
  // After the transactions, so that balances include them: the last readings of a day agree.
  balances: { resource: 'balances', schedule: 'balances', after: 'transactions', isPromised: true },
  vaults: { resource: 'vaults', schedule: 'documents' },
  whitelist: { resource: 'whitelist', schedule: 'documents' },
  reconcile: { resource: 'transactions', schedule: 'reconcile', isSweeping: true, isPromised: true },
  maintenance: { resource: null, schedule: 'maintenance' },
} as const satisfies Readonly<Record<Resource, JobRow>> & Readonly<Record<string, JobRow>>;

export type JobName = keyof typeof jobs;
export const jobNames = Object.keys(jobs) as readonly JobName[];

/** A job that sweeps the list of transactions. */
export type SweepingJob = {
  [Name in JobName]: (typeof jobs)[Name] extends { isSweeping: true } ? Name : never;
}[JobName];
export const sweepingJobs = jobNames.filter(isSweeping);

export function isSweeping(job: JobName): job is SweepingJob {
  return jobOf(job).isSweeping === true;
}

export function isPromised(job: JobName): boolean {
  return jobOf(job).isPromised === true;
}

/** What a key with the viewer role can read. */
export const promisedResources = resources.filter(isPromised);

export function jobOf(name: JobName): JobRow {
  return jobs[name];
}

/** The jobs that a schedule starts, one after the other. */
export function jobsOfSchedule(schedule: ScheduleName): readonly JobName[] {
  return jobNames.filter((name) => jobs[name].schedule === schedule);
}

/** Whether a job mirrors a resource under that resource's own name: its first run fills what was empty. */
export function isReading(job: JobName): job is Resource & JobName {
  return jobs[job].resource === job;
}

/** The resource that a job of sync.runs mirrors; null for none, or a job that this version does not know. */
export function mirroredBy(job: string): Resource | null {
  return isJobName(job) ? jobs[job].resource : null;
}

/** Whether a job has work when these resources are mirrored. */
export function hasWork(job: JobName, mirrored: readonly Resource[]): boolean {
  const { resource } = jobOf(job);
  return resource === null || mirrored.includes(resource);
}

/** Whether a job of sync.runs, or a resource, is not among those that are left out (CUSTODY_RESOURCES). */
export function isMirrored(jobOrResource: string, resourcesOff: readonly Resource[]): boolean {
  const resource = mirroredBy(jobOrResource);
  return resource === null || !resourcesOff.includes(resource);
}

function isJobName(name: string): name is JobName {
  return Object.hasOwn(jobs, name);
}
