// The body of an error after interface.md 7, and the general errors of 7.1, word for word. What is refused on
// the way in and what the operations of /custody refuse have the same form.

/** By code: error_message, details. */
export const generalErrors = {
  'ERR-00': [
    'Invalid or missing parameter',
    'A parameter is missing or invalid; it may have the wrong data type',
  ],
  'ERR-01': ['Internal server error', 'The request failed because of a system error; try again later'],
  'ERR-02': ['Unauthorized access', 'The API user has no permission for this endpoint'],
  'ERR-03': ['Rate Limit Exceeded', 'The user exceeded the rate limits for this endpoint'],
} as const satisfies Readonly<Record<string, readonly [string, string]>>;

export interface DocumentedError {
  readonly code: string;
  readonly status: number;
  /** error_message and details as they are documented. */
  readonly texts: readonly [message: string, details: string];
  /** What exactly is wrong, after the documented details. */
  readonly what: string | null;
}

/** All six members are texts. */
export function custodyErrorBody({ code, status, texts: [message, details], what }: DocumentedError): string {
  return JSON.stringify({
    status: 'error',
    error_code: code,
    error_message: message,
    details: what === null ? details : `${details}: ${what}`,
    help: '',
    code: String(status),
  });
}
