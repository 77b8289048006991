// Builds the addresses of requests. Invariant: an id stays one segment of the path, whatever it holds.
import { CustodyError } from '../domain/errors.ts';
import { isStorable } from '../domain/json.ts';
import type { Endpoint } from './endpoints.ts';
import type { PathSpelling } from './learned-path.ts';

/** QueryParameters parameters in the order in which they are sent; undefined ones are left out. */
export type QueryParameters = Readonly<Record<string, string | number | undefined>>;

export interface Target {
  readonly id?: string;
  readonly query?: QueryParameters;
  readonly spelling?: PathSpelling;
}

/** @throws CustodyError `permanent` when the id cannot stand in a path */
export function endpointUrl(endpoint: Endpoint<unknown>, baseUrl: URL, target: Target): URL {
  const path = target.spelling === 'singular' ? (endpoint.otherPath ?? endpoint.path) : endpoint.path;
  const url = new URL(baseUrl);
  const segment = target.id === undefined ? '' : encodedSegment(endpoint, target.id);
  url.pathname = baseUrl.pathname.replace(/\/+$/, '') + path.replace('{id}', segment);
  for (const [name, value] of Object.entries(target.query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}

function encodedSegment({ name }: Endpoint<unknown>, id: string): string {
  // URL parsers read `.` and `..` as steps in the path, encoded or not.
  if (id !== '' && id !== '.' && id !== '..' && isStorable(id)) return encodeURIComponent(id);
  throw new CustodyError(`${name}: BAD-ID: ${JSON.stringify(id)} cannot be part of a path`, {
    kind: 'permanent',
    code: 'BAD-ID',
    endpoint: name,
    httpStatus: null,
    retryAfterMs: null,
  });
}
