// The four resources, and the jobs that mirror them. The names are the same in code, tables and logs.

export const resources = ['transactions', 'balances', 'vaults', 'whitelist'] as const;
export type Resource = (typeof resources)[number];

const resourceOfJob: ReadonlyMap<string, Resource> = new Map([
  ...resources.map((resource) => [resource, resource] as const),
  ['reconcile', 'transactions'],
]);

/** The resource that a job of sync.runs mirrors; null for a job that mirrors none. */
export function mirroredBy(job: string): Resource | null {
  return resourceOfJob.get(job) ?? null;
}

/** False for a resource that CUSTODY_RESOURCES leaves out, and for the jobs of sync.runs that mirror it. */
export function isMirrored(jobOrResource: string, resourcesOff: readonly Resource[]): boolean {
  const resource = mirroredBy(jobOrResource);
  return resource === null || !resourcesOff.includes(resource);
}

/** `full` sweeps a whole list; `incremental` reads new records only. */
export type RunMode = 'full' | 'incremental';

/** The requests of one run. The client adds to it while the run goes on. */
export interface RequestTally {
  requests: number;
  retries: number;
  rateLimited: number;
}
