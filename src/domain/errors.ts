// Errors with a class and a code, so that nothing decides by the message. Whether a request is repeated is a
// pure predicate (`isTransient`).

// Every error code that is shown, logged and stored with a run, and what to do about those of the service
// and of the way to it. docs/errors.md has the meaning of each (test/system/docs/error-texts.ts).

/** The mirror's own failures: their messages name the cause and the fix. */
export type MirrorErrorCode =
  | 'CONFIGURATION'
  | 'DATABASE-UNREACHABLE'
  | 'DATABASE-REFUSED'
  | 'SCHEMA-MISSING'
  | 'SCHEMA-NEWER'
  | 'ROLE-UNUSABLE'
  | 'KEY-UNUSABLE'
  | 'ACCOUNT-BOUND-ELSEWHERE'
  | 'ACCOUNT-RETIRED'
  | 'ACCOUNT-MISSING'
  | 'LEASE-HELD'
  | 'LEASE-LOST'
  | 'JOB-STALLED'
  | 'LIST-UNSTEADY'
  | 'SEAL-FORK'
  | 'SEAL-REFUSED'
  | 'HISTORY-ALTERED'
  | 'DEVELOPMENT-ONLY';

/** Fixes that add nothing to the message, so they are not shown. */
const ask = "ask the service's operator and include the message, which quotes the service";
const empty = 'nothing: it counts as an empty list';
const keyRejected =
  'check CUSTODY_API_KEY, CUSTODY_API_KEY_HEADER, CUSTODY_API_KEY_PREFIX and that the key has the viewer role; leave resources that this role cannot reach out of CUSTODY_RESOURCES';
const address = 'check CUSTODY_BASE_URL, including its path prefix';

/** Every error_code in docs/custody-service.md 7, general and by endpoint. */
export const serviceFixes = {
  'ERR-00': ask,
  'ERR-01': 'the service is at fault: try again later',
  'ERR-02': keyRejected,
  'ERR-03': 'if it persists, set CUSTODY_RATE_LIMIT to what the service allows',
  'VAL-00': ask,
  'VAL-01': empty,
  'VAL-02': empty,
  'BAL-00': empty,
  'BAL-01': empty,
  'BAL-02': ask,
  'TXN-00': ask,
  'TXN-01': ask,
  'TXN-02': empty,
  'TXN-03': ask,
  'TXN-04': empty,
  'WHT-00': empty,
  'WHT-01': ask,
} as const;

/** Faults of an answer or of the connection, as the client names them. */
export const clientFixes = {
  TIMEOUT: 'check that this machine reaches CUSTODY_BASE_URL, or raise CUSTODY_TIMEOUT_MS',
  NETWORK: 'check that this machine reaches CUSTODY_BASE_URL (custody-mirror doctor shows how far it gets)',
  PROXY:
    'check HTTPS_PROXY (HTTP_PROXY for an http address), its user and password, and that the proxy lets this machine reach the service; NO_PROXY names what is reached directly',
  CERTIFICATE:
    'check CUSTODY_BASE_URL; for your own certificate authority, name its file in NODE_EXTRA_CA_CERTS',
  'BAD-BODY': 'check that CUSTODY_BASE_URL is the address of the service itself',
  'BODY-TOO-LARGE': 'for a page of transactions, lower CUSTODY_PAGE_SIZE',
  'HTTP-401': keyRejected,
  'HTTP-404': address,
  REDIRECT: address,
  'BAD-ID': ask,
} as const;

/** A map: a code is the service's text and may be `__proto__`. */
const fixes = new Map<string, string>(Object.entries({ ...serviceFixes, ...clientFixes }));

/** What a person can try when the service fails with a code; null where the message has to say it. */
export function fixForCode(code: string): string | null {
  const fix = fixes.get(code);
  return fix === undefined || fix === ask || fix === empty ? null : fix;
}

/**
 * - `transient`: the same request may work later (ERR-01, 5xx, network fault, timeout, a body without JSON)
 * - `rate-limited`: it will work later (ERR-03, HTTP 429)
 * - `key-rejected`: this endpoint refuses the key (ERR-02, HTTP 401)
 * - `permanent`: this request will not work (every other refusal)
 */
export type CustodyFaultKind = 'transient' | 'rate-limited' | 'key-rejected' | 'permanent';

interface CustodyFault {
  readonly kind: CustodyFaultKind;
  /** A code of the table below, another code the service sent, or `HTTP-` and the status. */
  readonly code: string;
  /** The name of the endpoint, such as `transactions`. */
  readonly endpoint: string;
  readonly httpStatus: number | null;
  /** The wait that the service asked for, in milliseconds; null when it asked for none. */
  readonly retryAfterMs: number | null;
}

/** A request to the custody service failed. The message never holds the key. */
export class CustodyError extends Error {
  override readonly name = 'CustodyError';
  readonly fault: CustodyFault;

  constructor(message: string, fault: CustodyFault, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.fault = fault;
  }
}

/** Whether the same request may succeed later. */
export function isTransient(error: unknown): boolean {
  return (
    error instanceof CustodyError && (error.fault.kind === 'transient' || error.fault.kind === 'rate-limited')
  );
}

/** The status in docs/custody-service.md 7.2, and the usual one for an unknown parameter. */
const refusingStatuses: readonly (number | null)[] = [400, 422];

/**
 * Whether the service refused the request itself, for example for an unknown parameter. A redirect, a body
 * that is too large and a path that does not exist say nothing about parameters.
 */
export function isRefusal(error: unknown): error is CustodyError {
  if (!(error instanceof CustodyError)) return false;
  return error.fault.kind === 'permanent' && refusingStatuses.includes(error.fault.httpStatus);
}

/** Whether the service refused the key. */
export function isKeyRejected(error: unknown): boolean {
  return error instanceof CustodyError && error.fault.kind === 'key-rejected';
}

/** The same of a recorded code: `key-rejected` has no others. */
export function isKeyRejection(code: string | null): boolean {
  return code === 'ERR-02' || code === 'HTTP-401';
}

/** A failure with one of the mirror's own codes, which is documented, logged, and stored with the run. */
export class MirrorError extends Error {
  override readonly name = 'MirrorError';
  readonly code: MirrorErrorCode;

  constructor(code: MirrorErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** The code that is logged and stored: the service's, ours, PostgreSQL's SQLSTATE, or `UNEXPECTED`. */
export function errorCode(error: unknown): string {
  if (error instanceof CustodyError) return error.fault.code;
  if (error instanceof MirrorError) return error.code;
  if (error instanceof Error && error.name === 'AbortError') return 'STOPPED';
  let cause: unknown = error;
  for (let depth = 0; depth < 10 && cause instanceof Error; depth += 1, cause = cause.cause) {
    if ('code' in cause && typeof cause.code === 'string') return cause.code;
  }
  return 'UNEXPECTED';
}

/** The message of whatever was thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : 'a fault without a message';
}
