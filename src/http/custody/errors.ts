// The errors of interface.md 7, word for word. An empty result is an error too, and ERR-01 is HTTP 400.

/** By code: HTTP status, error_message, details. */
const errors = {
  'ERR-00': [
    400,
    'Invalid or missing parameter',
    'A parameter is missing or invalid; it may have the wrong data type',
  ],
  'ERR-01': [400, 'Internal server error', 'The request failed because of a system error; try again later'],
  'ERR-02': [401, 'Unauthorized access', 'The API user has no permission for this endpoint'],
  'VAL-00': [400, 'Invalid vault_type', 'Must be cold or warm'],
  'VAL-01': [400, 'No records found', 'The filtered query has no records'],
  'VAL-02': [400, 'Vault not found', 'The vault id matches no record'],
  'BAL-00': [400, 'No records found', 'The filtered query has no records'],
  'BAL-01': [400, 'No records found', 'The filtered query has no records'],
  'BAL-02': [400, 'Invalid vault_type', 'Must be cold or warm'],
  'TXN-00': [
    400,
    'Invalid transaction_type',
    'Must be one of withdraw, rebalance, deposit, stake, claim, unstake, changepool',
  ],
  'TXN-01': [
    400,
    'Invalid status',
    'Must be one of pending, processing, confirming, completed, rejected, cancelled, failed',
  ],
  'TXN-02': [400, 'No records found', 'The filtered query has no records'],
  'TXN-03': [400, 'Invalid date range', 'The range of start_date and end_date is invalid'],
  'TXN-04': [400, 'Invalid transaction id', 'The transaction is not in the records'],
  'WHT-00': [400, 'No records found', 'The filtered query has no records'],
  'WHT-01': [400, 'Invalid enumerate value', 'The input does not match an enumerated value'],
} as const satisfies Readonly<Record<string, readonly [400 | 401, string, string]>>;

export type RefusalCode = keyof typeof errors;

/** A request that is answered with an error of interface.md 7. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  /** What exactly is wrong, after the documented details. */
  readonly what: string | null;
  readonly status: 400 | 401 | 404;

  constructor(code: RefusalCode, what: string | null = null, status?: 404) {
    super(what ?? code);
    this.code = code;
    this.what = what;
    this.status = status ?? errors[code][0];
  }

  /** All six members are texts. */
  get body(): string {
    const [, message, details] = errors[this.code];
    return JSON.stringify({
      status: 'error',
      error_code: this.code,
      error_message: message,
      details: this.what === null ? details : `${details}: ${this.what}`,
      help: '',
      code: String(this.status),
    });
  }
}
