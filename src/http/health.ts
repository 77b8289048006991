// What the composition root knows about its own process at this moment, without asking the database or the service.

export interface Health {
  /** False once the process can no longer do its work and should be replaced. */
  readonly alive: boolean;
  /** True while it does what it was started for, be it as writer or as standby. */
  readonly ready: boolean;
  /** Why it is not ready, one sentence each. */
  readonly reasons: readonly string[];
  /** `writer` holds the account's lease; `standby` waits for it. */
  readonly role: 'writer' | 'standby' | 'starting' | 'stopping';
  /** The name under which this process takes the lease. */
  readonly holder: string;
}
