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
  /** Below /custody: the error there, if it is not the general one of the kind. */
  readonly custody?: CustodyError;
  /** For a page: how to correct its address. */
  readonly correction?: Correction;
}

interface CustodyError {
  readonly code: string;
  /** Its error_message and details. */
  readonly texts: readonly [message: string, details: string];
  /** What exactly is wrong, after the details. */
  readonly what: string | null;
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
      return custodyError(c, refusal);
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

/**
 * An error after docs/custody-service.md 7, whose six members are all texts. The interface documents three
 * HTTP codes for errors. Other errors keep their usual HTTP code.
 */
function custodyError(c: Context, { kind, detail, custody }: HttpRefusal): Response {
  const { status: own, custody: general } = problemKinds[kind];
  const status = general === 'ERR-01' ? 400 : general === 'ERR-02' ? 401 : own;
  const { code, texts, what } = custody ?? {
    code: general,
    texts: generalErrors[general],
    what: kind === 'failed' ? null : detail,
  };
  const body = {
    status: 'error',
    error_code: code,
    error_message: texts[0],
    details: what === null ? texts[1] : `${texts[1]}: ${what}`,
    help: '',
    code: String(status),
  };
  c.header('content-type', 'application/json');
  return c.body(JSON.stringify(body), status);
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
