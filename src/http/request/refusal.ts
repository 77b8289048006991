// A request that is refused or fails, answered in the form of the surface it asked: a problem (RFC 9457)
// under /api/, the error body of docs/custody-service.md 7 under /custody, else a page, or a line of text for
// clients that take no HTML. No secret and no value of the account is ever part of it.
import type { Context } from 'hono';
import { type Correction, refusalPage } from './plain-page.ts';
import { type ProblemKind, problemKinds } from './problem-kinds.ts';

/** One parameter that is wrong. */
export interface ParameterError {
  readonly name: string;
  readonly reason: string;
}

export interface HttpRefusal {
  readonly kind: ProblemKind;
  /** One sentence for a person: what is wrong, and what to do. */
  readonly detail: string;
  readonly errors?: readonly ParameterError[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Further members of a problem. */
  readonly members?: Readonly<Record<string, unknown>>;
  /** For a page: how to correct its address. */
  readonly correction?: Correction;
}

/** Ends the work on a request; `refuse` writes the answer. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly refusal: HttpRefusal;

  constructor(refusal: HttpRefusal, options?: { readonly cause?: unknown }) {
    super(refusal.detail, options);
    this.refusal = refusal;
  }
}

/** @param seconds after which the client may ask again */
export function rateLimited(what: string, seconds: number): Refused {
  return new Refused({
    kind: 'rate-limited',
    detail: `${what}: try again in ${seconds} s`,
    headers: { 'retry-after': String(seconds) },
  });
}

/** The client closed the connection before its answer was ready: nobody reads it. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

type Surface = 'api' | 'custody' | 'page';

function surfaceOf(path: string): Surface {
  if (path === '/api' || path.startsWith('/api/')) return 'api';
  return path === '/custody' || path.startsWith('/custody/') ? 'custody' : 'page';
}

/** The answer to a request that is refused. */
export function refuse(c: Context, refusal: HttpRefusal): Response {
  const { kind, detail, errors = [], headers = {}, members = {} } = refusal;
  const { status, title } = problemKinds[kind];
  for (const [name, value] of Object.entries(headers)) c.header(name, value);
  switch (surfaceOf(c.req.path)) {
    case 'api':
      c.header('content-type', 'application/problem+json');
      return c.body(
        JSON.stringify({
          type: typeOf(kind),
          title,
          status,
          code: kind,
          detail,
          ...(errors.length === 0 ? {} : { errors }),
          ...members,
        }),
        status,
      );
    case 'custody':
      return custodyError(c, kind, detail);
    default:
      c.header('vary', 'Accept', { append: true });
      if (!(c.req.header('accept') ?? '').includes('text/html')) return c.text(`${detail}\n`, status);
      c.header('content-type', 'text/html; charset=utf-8');
      return c.body(refusalPage(title, refusal, c.req.path).toString(), status);
  }
}

/**
 * Leads to the reference page, where each kind is explained. For one of them a type is registered
 * (https://www.ietf.org/archive/id/draft-ietf-httpapi-ratelimit-headers-09.html section 5).
 */
function typeOf(kind: ProblemKind): string {
  return kind === 'rate-limited'
    ? 'https://iana.org/assignments/http-problem-types#quota-exceeded'
    : `/api#${kind}`;
}

/** The interface documents three HTTP codes for errors. Other errors keep their usual HTTP code. */
function custodyError(c: Context, kind: ProblemKind, detail: string): Response {
  const { status: own, custody } = problemKinds[kind];
  const status = custody === 'ERR-01' ? 400 : custody === 'ERR-02' ? 401 : own;
  const what = kind === 'failed' ? null : detail;
  c.header('content-type', 'application/json');
  return c.body(custodyErrorBody(custody, status, generalErrors[custody], what), status);
}

/** The general errors of docs/custody-service.md 7.1, word for word. By code: error_message, details. */
export const generalErrors = {
  'ERR-00': [
    'Invalid or missing parameter',
    'A parameter is missing or invalid; it may have the wrong data type',
  ],
  'ERR-01': ['Internal server error', 'The request failed because of a system error; try again later'],
  'ERR-02': ['Unauthorized access', 'The API user has no permission for this endpoint'],
  'ERR-03': ['Rate Limit Exceeded', 'The user exceeded the rate limits for this endpoint'],
} as const satisfies Readonly<Record<string, readonly [string, string]>>;

/**
 * The body of an error after docs/custody-service.md 7, whose six members are all texts.
 *
 * @param what exactly is wrong, after the documented details
 */
export function custodyErrorBody(
  code: string,
  status: number,
  [message, details]: readonly [string, string],
  what: string | null,
): string {
  return JSON.stringify({
    status: 'error',
    error_code: code,
    error_message: message,
    details: what === null ? details : `${details}: ${what}`,
    help: '',
    code: String(status),
  });
}
