// The seven operations of the custody service (docs/custody-service.md 4), named in errors, logs, metrics and
// facts; the counts of their requests, and the facts learned about them.

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
  /** Requests that wait for a permit, if the caller wants to know. */
  readonly waiting?: Set<WaitingRequest>;
}

export interface WaitingRequest {
  /** By the monotonic clock: until when its limiter will wait, or when it last granted a permit. */
  movesUntil(): number;
}

/** A fact that was learned about the service, with its evidence. */
export interface Fact {
  /** The name, such as `transaction_path`; docs/custody-service.md lists all names. */
  readonly fact: string;
  readonly value: string;
  /** What was observed, for people. */
  readonly evidence: string;
}
