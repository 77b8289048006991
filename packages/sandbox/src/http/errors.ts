// The errors of section 7 with their texts and HTTP codes. Invariant: every error body has all six string
// fields, and ERR-01 is HTTP 400 like a permanent error.
/** Section 7: every error_code of the interface. */
const errors = {
  'ERR-00': [
    400,
    'Invalid or missing parameter',
    'A parameter is missing or invalid; it may have the wrong data type',
  ],
  'ERR-01': [400, 'Internal server error', 'The request failed because of a system error; try again later'],
  'ERR-02': [401, 'Unauthorized access', 'The API user has no permission for this endpoint'],
  'ERR-03': [429, 'Rate Limit Exceeded', 'The user exceeded the rate limits for this endpoint'],
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
} as const;

export type ErrorCode = keyof typeof errors;

/** The answer of an endpoint. */
export interface Reply {
  readonly status: number;
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  /** The error_code of the body, for statistics. */
  readonly errorCode?: ErrorCode;
}

/** A JSON answer with HTTP 200. */
export function jsonReply(body: string | Buffer): Reply {
  return { status: 200, contentType: jsonType, headers: {}, body };
}

/** An error answer of section 7; `details` replaces the documented text. */
export function errorReply(code: ErrorCode, details?: string, headers: Record<string, string> = {}): Reply {
  const [status, message, documented] = errors[code];
  const body = JSON.stringify({
    status: 'error',
    error_code: code,
    error_message: message,
    details: details ?? documented,
    help: '',
    code: String(status),
  });
  return { status, contentType: jsonType, headers, body, errorCode: code };
}

/** A page of HTML, as a proxy or a web server answers. */
export function htmlReply(status: number, title: string): Reply {
  const body = `<!DOCTYPE html>\n<html><head><title>${status} ${title}</title></head><body><center><h1>${status} ${title}</h1></center><hr><center>gateway</center></body></html>\n`;
  return { status, contentType: 'text/html; charset=utf-8', headers: {}, body };
}

const jsonType = 'application/json; charset=utf-8';
