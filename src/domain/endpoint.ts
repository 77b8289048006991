// The seven operations of the custody service (interface.md 4), named in errors, logs, metrics and facts.

export const endpointNames = [
  'transactions',
  'transaction',
  'balances',
  'balances_by_type',
  'vaults',
  'vault',
  'whitelist',
] as const;
export type EndpointName = (typeof endpointNames)[number];

/** The requests of one run. The client adds to it while the run goes on. */
export interface RequestTally {
  requests: number;
  retries: number;
  rateLimited: number;
}
