// A fact that was learned about the custody service, with its evidence.

export interface Fact {
  /** The name, such as `transaction_path`; docs/custody-service.md lists all names. */
  readonly fact: string;
  readonly value: string;
  /** What was observed, for people. */
  readonly evidence: string;
}
