// How large the mirror is on which the reports are measured, and the steps that build it.

export interface ReportingSize {
  /** One in fifty existed when the mirror began; each has about three rows of status history. */
  readonly transactions: number;
  /** How long the mirror has run. */
  readonly days: number;
  /** Minutes from one snapshot of the balances to the next. */
  readonly snapshotMinutes: number;
  /** A tenth of them changes each day, or as `isReconciled` says. */
  readonly assets: number;
  /**
   * The balances follow the transactions, but for one unit of one asset; else they are arbitrary, and nothing
   * explains them.
   */
  readonly isReconciled?: boolean;
  /** Half of them existed when the mirror began. */
  readonly whitelistEntries: number;
}

/**
 * What pages and the read API are measured on: a million transactions, and three years of hourly snapshots.
 */
export const millionInThreeYears: ReportingSize = {
  transactions: 1_000_000,
  days: 1_095,
  snapshotMinutes: 60,
  assets: 50,
  whitelistEntries: 400,
};

export const benchAccount = 'bench';

/** One statement that builds a part of the data. */
export interface Step {
  readonly label: string;
  readonly sql: string;
}

/** SQL of the moment when the mirror began: a whole hour, so that snapshots fall on whole minutes. */
export const began = ({ days }: ReportingSize) => `(date_trunc('hour', now()) - interval '${days} days')`;
