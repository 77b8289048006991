// What a process knows about itself, without a question to the database or the service.

export interface ProcessState {
  /** False when the process cannot work any more and should be replaced. */
  readonly alive: boolean;
  /** True while it does its work, as writer or as standby. */
  readonly ready: boolean;
  /** Why it is not ready, one sentence each. */
  readonly reasons: readonly string[];
  /** `writer` holds the account's lease; `standby` waits for it. */
  readonly role: 'writer' | 'standby' | 'starting' | 'stopping';
  /** The name under which this process takes the lease. */
  readonly holder: string;
}
