// What a measured query is, and the periods that the queries ask for.

export interface ReportQuery {
  /** The view or function of reporting. */
  readonly view: string;
  /** What the query asks for, in words. */
  readonly asked: string;
  readonly sql: string;
  /** The table that a slow plan would read whole; null when there is none. */
  readonly fact: FactTable | null;
  /** Sums up every row of it, and so may read it whole. */
  readonly isOfAll?: boolean;
}

/** Tables that grow with every transaction, change, day or price. */
export const factTables = [
  'transactions',
  'transaction_status_history',
  'transaction_revisions',
  'balance_snapshots',
  'balances',
  'asset_prices',
] as const;

export type FactTable = (typeof factTables)[number];

/** SQL of the bounds of a calendar month, half a year ago. */
export const from = `(date_trunc('month', now()) - interval '6 months')`;
export const to = `(date_trunc('month', now()) - interval '5 months')`;
export const day = `day >= ${from}::date and day < ${to}::date`;
export const month = (column: string) => `${column} >= ${from} and ${column} < ${to}`;
