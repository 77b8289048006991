// Errors with a class and a code, so that nobody has to read the words of a message to decide what to do.
// Whether to try again is a pure predicate over them (`isTransient`).

import type { MirrorErrorCode } from './error-codes.ts';

/**
 * - `transient`: the same request may work later (ERR-01, 5xx, network fault, timeout, a body that is not the promised JSON)
 * - `rate-limited`: it will work later (ERR-03, HTTP 429)
 * - `key-rejected`: no request with this key will work (ERR-02, HTTP 401)
 * - `permanent`: this request will not work (every other refusal)
 */
export type CustodyFaultKind = 'transient' | 'rate-limited' | 'key-rejected' | 'permanent';

export interface CustodyFault {
  readonly kind: CustodyFaultKind;
  /** A code of the table in error-codes.ts, another code the service sent, or `HTTP-` and the status. */
  readonly code: string;
  /** Name of the endpoint in the endpoint table, such as `transactions`. */
  readonly endpoint: string;
  readonly httpStatus: number | null;
  /** How long the service asked to wait, in milliseconds; null when it did not say. */
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

/** True for faults after which the same request is worth repeating. */
export function isTransient(error: unknown): boolean {
  return (
    error instanceof CustodyError && (error.fault.kind === 'transient' || error.fault.kind === 'rate-limited')
  );
}

/** Every refusal of interface.md 7.2, and what services outside it answer to a parameter they do not know. */
const refusingStatuses: readonly (number | null)[] = [400, 422];

/**
 * The service refused the request itself, which for a parameter it does not know is the expected answer. A redirect, a body
 * too large or a path that is not there are faults of the answer and say nothing of the parameter.
 */
export function isRefusal(error: unknown): error is CustodyError {
  if (!(error instanceof CustodyError)) return false;
  return error.fault.kind === 'permanent' && refusingStatuses.includes(error.fault.httpStatus);
}

/** True when the service refused the key. */
export function isKeyRejected(error: unknown): boolean {
  return error instanceof CustodyError && error.fault.kind === 'key-rejected';
}

/** A failure with a code that is looked up in documentation, logged, and stored with the run. */
export class MirrorError extends Error {
  override readonly name = 'MirrorError';
  readonly code: MirrorErrorCode;

  constructor(code: MirrorErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** The code under which an error is logged and stored: the custody service's, ours, PostgreSQL's SQLSTATE, or `UNEXPECTED`. */
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

/** What an error says of itself, whatever was thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : 'a fault without a message';
}
