// A request that is refused or fails, answered in the form of the surface it asked: a problem (RFC 9457) under /api/, the error body
// of interface.md section 7 under /custody, else a line of text. No secret and no value of the account is ever part of it.
import type { Context } from 'hono';

const kinds = {
  'bad-request': { status: 400, title: 'Bad Request', custody: 'ERR-00' },
  unauthorized: { status: 401, title: 'Unauthorized', custody: 'ERR-02' },
  forbidden: { status: 403, title: 'Forbidden', custody: 'ERR-02' },
  'not-found': { status: 404, title: 'Not Found', custody: 'ERR-00' },
  'method-not-allowed': { status: 405, title: 'Method Not Allowed', custody: 'ERR-00' },
  'uri-too-long': { status: 414, title: 'URI Too Long', custody: 'ERR-00' },
  misdirected: { status: 421, title: 'Misdirected Request', custody: 'ERR-00' },
  'rate-limited': { status: 429, title: 'Too Many Requests', custody: 'ERR-03' },
  internal: { status: 500, title: 'Internal Server Error', custody: 'ERR-01' },
  unavailable: { status: 503, title: 'Service Unavailable', custody: 'ERR-01' },
  timeout: { status: 503, title: 'Service Unavailable', custody: 'ERR-01' },
} as const;

export type RefusalKind = keyof typeof kinds;

export interface Refusal {
  readonly kind: RefusalKind;
  /** One sentence for a person: what is wrong, and what to do. */
  readonly detail: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Ends the work on a request; `refuse` writes the answer. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly refusal: Refusal;

  constructor(refusal: Refusal, options?: { readonly cause?: unknown }) {
    super(refusal.detail, options);
    this.refusal = refusal;
  }
}

/** The client went away before its answer was ready: nobody reads what is answered. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

type Surface = 'api' | 'custody' | 'page';

function surfaceOf(path: string): Surface {
  if (path.startsWith('/api/')) return 'api';
  return path === '/custody' || path.startsWith('/custody/') ? 'custody' : 'page';
}

/** The answer to a request that is refused. */
export function refuse(c: Context, { kind, detail, headers = {} }: Refusal): Response {
  const { status, title } = kinds[kind];
  for (const [name, value] of Object.entries(headers)) c.header(name, value);
  switch (surfaceOf(c.req.path)) {
    case 'api':
      c.header('content-type', 'application/problem+json');
      return c.body(JSON.stringify({ ...typeOf(kind), title, status, detail }), status);
    case 'custody':
      return custodyError(c, kind, detail);
    default:
      return c.text(`${detail}\n`, status);
  }
}

/** https://www.ietf.org/archive/id/draft-ietf-httpapi-ratelimit-headers-09.html section 5 names one type; the others say what HTTP says. */
function typeOf(kind: RefusalKind) {
  return kind === 'rate-limited'
    ? { type: 'https://iana.org/assignments/http-problem-types#quota-exceeded' }
    : { type: 'about:blank' };
}

const custodyMessages = {
  'ERR-00': 'Invalid or missing parameter',
  'ERR-01': 'Internal server error',
  'ERR-02': 'Unauthorized access',
  'ERR-03': 'Rate Limit Exceeded',
} as const;

/** interface.md knows three HTTP codes for errors. What it has no code for keeps the one of HTTP. */
function custodyError(c: Context, kind: RefusalKind, detail: string): Response {
  const { status: own, custody } = kinds[kind];
  const status = custody === 'ERR-01' ? 400 : custody === 'ERR-02' ? 401 : own;
  const body = {
    status: 'error',
    error_code: custody,
    error_message: custodyMessages[custody],
    details: detail,
    help: '',
    code: String(status),
  };
  return c.json(body, status);
}
