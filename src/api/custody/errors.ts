// The errors of docs/custody-service.md 7 that the operations answer, word for word. An empty result is an
// error too.
import { custodyErrorBody, generalErrors } from '../../http/request/refusal.ts';

/** By code: error_message, details. */
const errors = {
  ...generalErrors,
  'VAL-00': ['Invalid vault_type', 'Must be cold or warm'],
  'VAL-01': ['No records found', 'The filtered query has no records'],
  'VAL-02': ['Vault not found', 'The vault id matches no record'],
  'BAL-00': ['No records found', 'The filtered query has no records'],
  'BAL-01': ['No records found', 'The filtered query has no records'],
  'BAL-02': ['Invalid vault_type', 'Must be cold or warm'],
  'TXN-00': [
    'Invalid transaction_type',
    'Must be one of withdraw, rebalance, deposit, stake, claim, unstake, changepool',
  ],
  'TXN-01': [
    'Invalid status',
    'Must be one of pending, processing, confirming, completed, rejected, cancelled, failed',
  ],
  'TXN-02': ['No records found', 'The filtered query has no records'],
  'TXN-03': ['Invalid date range', 'The range of start_date and end_date is invalid'],
  'TXN-04': ['Invalid transaction id', 'The transaction is not in the records'],
  'WHT-00': ['No records found', 'The filtered query has no records'],
  'WHT-01': ['Invalid enumerate value', 'The input does not match an enumerated value'],
} as const satisfies Readonly<Record<string, readonly [string, string]>>;

export type RefusalCode = keyof typeof errors;

/** A request that is answered with an error of docs/custody-service.md 7. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  /** What exactly is wrong, after the documented details. */
  readonly what: string | null;
  readonly status: 400 | 401 | 404;

  constructor(code: RefusalCode, what: string | null = null, status?: 404) {
    super(what ?? code);
    this.code = code;
    this.what = what;
    this.status = status ?? (code === 'ERR-02' ? 401 : 400);
  }

  get body(): string {
    return custodyErrorBody(this.code, this.status, errors[this.code], this.what);
  }
}
