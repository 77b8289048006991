// Something that was found out about the custody service, with what it rests on.

export interface Fact {
  /** Its name, such as `transaction_path`; docs/custody-service.md lists them all. */
  readonly fact: string;
  readonly value: string;
  /** What was seen, for people. */
  readonly evidence: string;
}
