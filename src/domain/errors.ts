// Errors with a class and a code, so that nothing decides by the message. Whether a request is repeated is a
// pure predicate (`isTransient`).

import type { MirrorErrorCode } from './error-codes.ts';

/**
 * - `transient`: the same request may work later (ERR-01, 5xx, network fault, timeout, a body without JSON)
 * - `rate-limited`: it will work later (ERR-03, HTTP 429)
 * - `key-rejected`: this endpoint refuses the key (ERR-02, HTTP 401)
 * - `permanent`: this request will not work (every other refusal)
 */
export type CustodyFaultKind = 'transient' | 'rate-limited' | 'key-rejected' | 'permanent';

export interface CustodyFault {
  readonly kind: CustodyFaultKind;
  /** A code of the table in error-codes.ts, another code the service sent, or `HTTP-` and the status. */
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
