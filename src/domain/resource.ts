// What is mirrored, one word each, the same in code, tables and logs; and what a run tells of itself.

export const resources = ['transactions', 'balances', 'vaults', 'whitelist'] as const;
export type Resource = (typeof resources)[number];

/** `full` sweeps a whole list; `incremental` reads new records only. */
export type RunMode = 'full' | 'incremental';

/** The requests of one run. The client adds to it while the run goes on. */
export interface RequestTally {
  requests: number;
  retries: number;
  rateLimited: number;
}
