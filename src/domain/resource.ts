// What is mirrored, one word each, the same in code, tables and logs; and what a run tells of itself.

export const resources = ['transactions', 'balances', 'vaults', 'whitelist'] as const;
export type Resource = (typeof resources)[number];

/** How a job goes about its work: `full` sweeps a whole list; `incremental` reads what is new. */
export type RunMode = 'full' | 'incremental';

/** Requests made on behalf of one run. Mutable: the client counts into it while the run goes on. */
export interface RequestTally {
  requests: number;
  retries: number;
  rateLimited: number;
}
