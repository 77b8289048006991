// The four things that are mirrored, and the jobs that mirror them: one word each, the same in code, tables and logs.

export const resources = ['transactions', 'balances', 'vaults', 'whitelist'] as const;
export type Resource = (typeof resources)[number];

const resourceOfJob: ReadonlyMap<string, Resource> = new Map([
  ...resources.map((resource) => [resource, resource] as const),
  ['reconcile', 'transactions'],
]);

/** The resource that a job of sync.runs mirrors; null for one that mirrors none. */
export function mirroredBy(job: string): Resource | null {
  return resourceOfJob.get(job) ?? null;
}

/** Whether a job of sync.runs, or a resource, is not among those that are left out (CUSTODY_RESOURCES). */
export function isMirrored(jobOrResource: string, resourcesOff: readonly Resource[]): boolean {
  const resource = mirroredBy(jobOrResource);
  return resource === null || !resourcesOff.includes(resource);
}

/** How a job goes about its work: `full` sweeps a whole list; `incremental` reads what is new. */
export type RunMode = 'full' | 'incremental';

/** Requests made on behalf of one run. Mutable: the client counts into it while the run goes on. */
export interface RequestTally {
  requests: number;
  retries: number;
  rateLimited: number;
}
