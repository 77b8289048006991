// The parameters of a request, read strictly: what is unknown, given twice or not decodable is refused by
// name, so that a slip never widens an answer silently.
import { idOfSegment } from '../../http/request/path-segment.ts';
import type { ParameterError } from '../../http/request/refusal.ts';
import type { Parameter, Parameters } from '../../store/read-api/list/parameter-kinds.ts';
import { Problem } from './problem.ts';

/** More are not listed: the response to a long address stays short. */
const mostErrors = 5;

/** The values of a request, by name, as text; each was accepted by its schema. */
export type Params = Readonly<Record<string, string>>;

/**
 * @param path values of the parameters of the path, still encoded
 * @throws Problem `bad-parameter` with every fault
 */
export function readParameters(
  known: Parameters,
  search: string,
  path: Readonly<Record<string, string>>,
): Params {
  const params: Record<string, string> = {};
  const errors: ParameterError[] = [];
  const fault = (name: string, reason: string) => {
    if (errors.length < mostErrors) errors.push({ name: shown(name), reason });
  };
  const take = (name: string, encoded: string, place: Parameter['in']) => {
    const decoded = decode(encoded);
    const value = decoded === null || place === 'query' ? decoded : idOfSegment(decoded);
    const parameter = Object.hasOwn(known, name) ? known[name] : undefined;
    if (parameter === undefined || parameter.in !== place)
      fault(name, `is not a parameter; the parameters are ${listOf(known)}`);
    else if (Object.hasOwn(params, name)) fault(name, 'must not be repeated');
    else if (value === null) fault(name, 'is not percent-encoded UTF-8');
    else {
      const refused = check(parameter, value);
      if (refused !== null) fault(name, refused);
      params[name] = value;
    }
  };
  for (const [name, value] of Object.entries(path)) take(name, value, 'path');
  for (const pair of search.replace(/^\?/, '').split('&').filter(Boolean)) {
    const cut = pair.indexOf('=');
    const [name, value] = cut < 0 ? [pair, ''] : [pair.slice(0, cut), pair.slice(cut + 1)];
    take(decode(name.replaceAll('+', ' ')) ?? name, value.replaceAll('+', ' '), 'query');
  }
  for (const [name, { required, allowed }] of Object.entries(known))
    if (required && !Object.hasOwn(params, name)) fault(name, `is required and ${allowed}`);
  for (const [from, to] of errors.length === 0 ? reversedBounds(known, params) : []) {
    fault(from, `must not be greater than ${to}`);
    fault(to, `must not be less than ${from}`);
  }
  if (errors.length === 0) return params;
  throw refusedParameters(errors);
}

function refusedParameters(errors: readonly ParameterError[]): Problem {
  const faults = errors.map(({ name, reason }) => `${name} ${reason}`).join('; ');
  return new Problem('bad-parameter', faults, errors);
}

/**
 * Checks values that did not come by an address of the API.
 *
 * @throws Problem `bad-parameter` with every fault
 */
export function checkParams(known: Parameters, params: Params): void {
  const errors = Object.entries(params).flatMap(([name, value]) => {
    const parameter = known[name];
    const reason = parameter === undefined ? 'is not a parameter' : check(parameter, value);
    return reason === null ? [] : [{ name, reason }];
  });
  if (errors.length > 0) throw refusedParameters(errors);
}

/** Nothing lies between them: a slip, which would read as an empty list. */
function reversedBounds(known: Parameters, params: Params): readonly (readonly [string, string])[] {
  return Object.entries(known).flatMap(([from, { isGreater }]) => {
    const to = from.replace(/_from$/, '_to');
    const [lower, upper] = [params[from], params[to]];
    if (to === from || lower === undefined || upper === undefined) return [];
    return isGreater?.(lower, upper) === true ? [[from, to] as const] : [];
  });
}

/** The longest value, in characters; no schema accepts a longer one, and no pattern is tried on it. */
const longestValue = 2_000;

/** @returns why the value is refused; null when it is accepted */
function check({ schema, reads, allowed }: Parameter, value: string): string | null {
  if (value.length > longestValue) return allowed;
  const read = reads === 'integer' && /^-?\d{1,16}$/.test(value) ? Number(value) : value;
  return schema.safeParse(read).success ? null : allowed;
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** A foreign name, cut to what a person can read. */
function shown(name: string): string {
  return name.length > 40 ? `${name.slice(0, 40)}…` : name;
}

function listOf(known: Parameters): string {
  const names = Object.entries(known).flatMap(([name, parameter]) =>
    parameter.in === 'query' ? [name] : [],
  );
  return names.length === 0 ? 'none' : names.join(', ');
}

/**
 * The values of the parameters of a path, as they stand in the address: the framework would decode leniently.
 *
 * @param pattern as hono takes it, such as `/transactions/:transaction_id`
 */
export function pathValues(pattern: string, pathname: string): Record<string, string> {
  const values = pathname.split('/');
  return Object.fromEntries(
    pattern
      .split('/')
      .flatMap((part, index) => (part.startsWith(':') ? [[part.slice(1), values[index] ?? '']] : [])),
  );
}
