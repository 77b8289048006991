// The parameters of a request, read strictly: an unknown, repeated or undecodable parameter is refused by
// name, so that a slip never widens an answer silently.

import { isDay } from '../../domain/instant.ts';
import { accountWithoutName, mayRead, type Reader } from '../../http/request/environment.ts';
import { idOfSegment } from '../../http/request/path-segment.ts';
import type { ProblemKind } from '../../http/request/problem-kinds.ts';
import { type ParameterError, Refused } from '../../http/request/refusal.ts';
import type { Tx } from '../../store/postgres/transaction.ts';
import { readClose } from '../../store/read-api/known-since.ts';
import type { Observed, Selection } from '../../store/read-api/list/listing.ts';
import { inUtc, type Parameter, type Parameters, text } from '../../store/read-api/list/parameter-kinds.ts';

// Which account a request is about. A reader learns nothing of accounts that it may not see: for these it
// gets the same answer as for accounts that do not exist.

export const accountParameter = text(
  'The account. Default: the only one that the reader can see; with several, that of the process.',
  'default',
);

/** @param own the account of the process */
export function accountFor({ account }: Params, reader: Reader, own: string): string {
  if (account !== undefined) {
    if (!mayRead(reader, account)) throw unknownAccount();
    return account;
  }
  const chosen = accountWithoutName(reader, own);
  if (mayRead(reader, chosen)) return chosen;
  throw badParameter(
    'account',
    `is required: the reader can see several accounts (${reader.accounts?.join(', ')}), but not that of this process`,
  );
}

export function unknownAccount(): Problem {
  return new Problem(
    'account-not-found',
    'no account of this name is mirrored here, or this reader has no access to it',
  );
}

// The refusals of the API itself; those of the gate are in http/access.

export class Problem extends Refused {
  constructor(kind: ProblemKind, detail: string, errors: readonly ParameterError[] = []) {
    super({ kind, detail, errors });
  }
}

/** A position in the feed. */
interface Place {
  readonly after: number;
  readonly history: string | null;
}

/** A place of a history that this database does not continue. */
export function historyChanged(why: string, resume?: Place): Refused {
  const fix =
    resume === undefined
      ? 'start again without the cursor'
      : 'drop all later changes that you have, and continue from the position in resume';
  const members = resume === undefined ? {} : { resume };
  return new Refused({ kind: 'history-changed', detail: `${why}; ${fix}`, members });
}

export function badParameter(name: string, reason: string): Problem {
  return new Problem('bad-parameter', `${name}: ${reason}`, [{ name, reason }]);
}

/** Further faults are not listed: the response to a long address stays short. */
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
 * Checks values that did not come in an address of the API.
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

// A day in place of a moment (`at`) stands for its close, in every list that has a past.

/**
 * A day means its close: its last moment, except for balances, of which the last observation on the day
 * counts. A cursor goes with the day as it was given.
 */
export async function atClose(
  tx: Tx,
  past: { readonly of: Observed } | undefined,
  selection: Selection,
): Promise<Selection> {
  const { account, at, filters } = selection;
  if (at === null || past === undefined || !isDay(at)) return selection;
  const asked = { account, at, vaultType: filters['vault_type'] };
  const { today, lastMoment, isObserved } = await readClose(tx, asked);
  // An account that is not mirrored has no days: that is refused next.
  if (today !== null && at > today) throw badParameter('at', `is in the future: today is ${today}`);
  // A day before the first of the mirror: no moment of it is known.
  if (past.of !== 'balances' || lastMoment === null)
    return { ...selection, at: lastMoment ?? inUtc(`${at}T00:00:00Z`) };
  if (!isObserved)
    throw new Problem(
      'moment-unknown',
      `the data at the end of that day is unknown, not empty: nothing was observed on ${at}`,
    );
  return selection;
}
