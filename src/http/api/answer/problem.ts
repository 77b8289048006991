// Refusals after RFC 9457. The type leads to the reference page, where each kind of problem is explained.
import type { Context } from 'hono';
import { errorCode, MirrorError } from '../../../domain/errors.ts';

interface Kind {
  readonly status: 400 | 404 | 405 | 406 | 409 | 414 | 500 | 503;
  readonly title: string;
  /** For the reference. */
  readonly meaning: string;
}

export const problemKinds = {
  'bad-parameter': {
    status: 400,
    title: 'A parameter is wrong',
    meaning:
      '`errors` names each parameter that is unknown, given twice or outside of what is allowed, and says what is allowed.',
  },
  'account-not-found': {
    status: 404,
    title: 'There is no such account for you',
    meaning: 'The account is not mirrored here, or your key does not see it: both answers are the same.',
  },
  'not-found': {
    status: 404,
    title: 'There is no such thing',
    meaning: 'No route of the API has this path, or the account has nothing with this identifier.',
  },
  'moment-unknown': {
    status: 404,
    title: 'Nothing is known of that moment',
    meaning: '`at` is before the first observation: what was then is unknown, not empty.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'Only GET and HEAD are answered',
    meaning: 'The API only reads.',
  },
  'not-acceptable': {
    status: 406,
    title: 'No such form',
    meaning: '`Accept` allows neither application/json nor, for a list, text/csv.',
  },
  'changes-ahead': {
    status: 409,
    title: 'The feed has not come that far',
    meaning:
      '`after` is beyond the last change: the mirror was restored to an older state, or a replica lags behind. Set the place back.',
  },
  'address-too-long': {
    status: 414,
    title: 'The address is too long',
    meaning: 'Path and query together may have 8,192 characters.',
  },
  failed: { status: 500, title: 'The request failed', meaning: 'The log of the mirror says why.' },
  unavailable: {
    status: 503,
    title: 'The database does not answer',
    meaning: 'It cannot be reached, or the answer took too long. Try again after `Retry-After` seconds.',
  },
} as const satisfies Readonly<Record<string, Kind>>;

export type ProblemCode = keyof typeof problemKinds;

export interface ParameterError {
  readonly name: string;
  readonly reason: string;
}

export class Problem extends Error {
  readonly code: ProblemCode;
  readonly errors: readonly ParameterError[];

  constructor(code: ProblemCode, detail: string, errors: readonly ParameterError[] = []) {
    super(detail);
    this.code = code;
    this.errors = errors;
  }
}

export function badParameter(name: string, reason: string): Problem {
  return new Problem('bad-parameter', `${name}: ${reason}`, [{ name, reason }]);
}

/** How many seconds to wait after a failure of the database. */
const retryAfter = '5';

export function answerProblem(c: Context, problem: Problem): Response {
  const { status, title } = problemKinds[problem.code];
  const body = {
    type: typeOf(problem.code),
    title,
    status,
    code: problem.code,
    detail: problem.message,
    ...(problem.errors.length === 0 ? {} : { errors: problem.errors }),
  };
  c.header('content-type', 'application/problem+json');
  if (status === 503) c.header('retry-after', retryAfter);
  return c.body(JSON.stringify(body), status);
}

function typeOf(code: ProblemCode): string {
  return `/api#${code}`;
}

/** The problem that an error becomes; what is not ours to explain is only said to have failed. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const code = errorCode(error);
  if (error instanceof MirrorError && /^(DATABASE|SCHEMA)-/.test(code))
    return new Problem('unavailable', `the database did not answer this request (${code})`);
  return new Problem('failed', 'the request failed; the log of the mirror says why');
}
