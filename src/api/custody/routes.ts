// The custody interface (docs/custody-service.md), answered from the mirror: a program written for the
// service works with this address instead of the service's. Every answer is JSON; errors have the body of
// section 7.
import { type Context, Hono } from 'hono';
import {
  columnOf,
  transactionDetails,
  transactionStatuses,
  transactionTypes,
  vaultTypes,
} from '../../domain/fields.ts';
import { isDay, isInCalendar } from '../../domain/instant.ts';
import { isStorable } from '../../domain/json.ts';
import type { ReaderQuota } from '../../http/access/reader-quota.ts';
import { withDeadline } from '../../http/request/deadline.ts';
import { accountWithoutName, mayRead, type ReaderVariables } from '../../http/request/environment.ts';
import { holdBytes } from '../../http/request/guarded-stream.ts';
import { generalErrors, Refused } from '../../http/request/refusal.ts';
import type { Database } from '../../store/postgres/database.ts';
import {
  readBalancePage,
  readTransactionPage,
  readTransactionRecord,
  readVaultDocument,
  readVaultPage,
  readWhitelistPage,
  type TransactionFilter,
} from '../../store/read-api/custody/records.ts';
import { readKnownSince } from '../../store/read-api/known-since.ts';
import type { Observed } from '../../store/read-api/list/listing.ts';
import { ListTooLong } from '../../store/read-api/list/read-page.ts';

export interface CustodyOptions {
  readonly quota: ReaderQuota;
  /** The account, unless the reader's key sees exactly one. */
  readonly account: string;
}

/** The database ends a statement earlier. */
const deadlineMs = 30_000;

type Variables = { Variables: ReaderVariables };

/** To be mounted at /custody. */
export function custodyRoutes(options: CustodyOptions): Hono<Variables> {
  const app = new Hono<Variables>();
  const serve = (path: string, operation: (call: Call) => Promise<string>) => {
    app.get(path, (c) => answer(c, options, operation));
  };
  serve('/transactions', listTransactions);
  serve('/transactions/:id', showTransaction);
  serve('/transaction/:id', showTransaction);
  serve('/balances', listBalances);
  serve('/balances/:id', listBalancesOfType);
  serve('/vaults', listVaults);
  serve('/vaults/:id', showVault);
  serve('/whitelist', listWhitelist);
  app.all('*', () => {
    throw custodyRefusal('ERR-00', 'the interface has no such path', 'not-found');
  });
  return app;
}

async function answer(
  c: Context<Variables>,
  options: CustodyOptions,
  operation: (call: Call) => Promise<string>,
): Promise<Response> {
  try {
    const reader = c.get('reader');
    const account = accountWithoutName(reader, options.account);
    if (!mayRead(reader, account)) throw custodyRefusal('ERR-02', null, 'account-not-found');
    const { pathname, searchParams } = new URL(c.req.url);
    const call = { account, search: searchParams, parameter: parameterOf(c, pathname) };
    const body = await withDeadline(c, deadlineMs, (signal) =>
      operation({ ...call, database: options.quota.databaseOf(reader.name, signal) }),
    );
    holdBytes(c, body.length);
    return c.body(body, 200, { 'content-type': 'application/json; charset=utf-8' });
  } catch (error) {
    if (!(error instanceof ListTooLong)) throw error;
    throw custodyRefusal('ERR-00', 'the list is too long for one response: page with limit and offset');
  }
}

/**
 * The last segment, decoded once. hono has decoded a part of its own path, so that it would be decoded twice.
 */
function parameterOf(c: Context<Variables>, pathname: string): string {
  if (c.req.param('id') === undefined) return '';
  try {
    return decodeURIComponent(pathname.slice(pathname.lastIndexOf('/') + 1));
  } catch {
    throw custodyRefusal('ERR-00', 'the path is not valid percent-encoding');
  }
}

// The seven operations of docs/custody-service.md 4: from a query to the text of a body. An empty result is
// an error, never an empty list.

// Reads start_date and end_date, whose format the service does not document (docs/custody-service.md 4.1): an
// ISO 8601 date, which means the whole day in UTC, or a date-time, which is in UTC unless it names its
// offset; or the seconds (10 digits) or milliseconds (13 digits) since 1970. A bound is a whole number of
// microseconds, the precision of first_seen_at.

interface DateBounds {
  /** The first and the last microsecond that the text names. */
  readonly first: number;
  readonly last: number;
}

const dayMicros = 86_400_000_000;
/** A blank before the offset is a plus sign that nobody encoded. */
const dateTime =
  /^(\d{4}-\d\d-\d\d)[T ]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:[.,](\d{1,9}))?)?(?:(Z)|([+\- ])([01]\d|2[0-3]):?([0-5]\d))?$/i;
const epoch = /^(?:\d{10}|\d{13})$/;

/** @returns null when the text is no such date */
function readDate(text: string): DateBounds | null {
  const day = midnight(text);
  if (day !== null) return { first: day, last: day + dayMicros - 1 };
  if (epoch.test(text)) {
    const unit = text.length === 10 ? 1_000_000 : 1_000;
    return span(Number(text) * unit, unit);
  }
  const match = dateTime.exec(text);
  if (match === null) return null;
  const [, dayText = '', hours, minutes, seconds, fraction = '', , sign, offsetHours, offsetMinutes] = match;
  const start = midnight(dayText);
  if (start === null) return null;
  const time = (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds ?? 0)) * 1_000_000;
  const offset =
    sign === undefined
      ? 0
      : (Number(offsetHours) * 60 + Number(offsetMinutes)) * 60_000_000 * (sign === '-' ? -1 : 1);
  const unit = seconds === undefined ? 60_000_000 : 10 ** Math.max(0, 6 - fraction.length);
  return span(start + time + Number(fraction.padEnd(6, '0').slice(0, 6)) - offset, unit);
}

/** As exact as it was written: a second without a fraction is the whole second. */
function span(first: number, unit: number): DateBounds {
  return { first, last: first + unit - 1 };
}

/** The first microsecond of a day that the calendar has. */
function midnight(text: string): number | null {
  return isDay(text) && isInCalendar(text) ? Date.parse(`${text}T00:00:00Z`) * 1_000 : null;
}

// Reads the query of a request (docs/custody-service.md 4). Invariant: what is not understood is refused by
// name, and never left out silently, because a filter without effect would answer with records that nobody
// asked for.

/** @throws Refused ERR-00 for a parameter that is unknown there, given twice, or holds U+0000 */
function readQuery(search: URLSearchParams, known: readonly string[]) {
  const values = new Map<string, string>();
  for (const [name, value] of search) {
    if (!known.includes(name)) throw invalid(`${shown(name)} is not a parameter; ${listed(known)}`);
    if (values.has(name)) throw invalid(`${name} is repeated`);
    if (value.includes('\u0000')) throw invalid(`${name} contains U+0000`);
    values.set(name, value);
  }
  const integer = (name: string, least: number): number | undefined => {
    const text = values.get(name);
    if (text === undefined) return undefined;
    if (!/^\d+$/.test(text) || Number(text) < least)
      throw invalid(`${name} must be a whole number of at least ${least}`);
    return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
  };
  const dateOf = (name: string): DateBounds | undefined => {
    const text = values.get(name);
    if (text === undefined) return undefined;
    const found = readDate(text);
    if (found === null)
      throw custodyRefusal(
        'TXN-03',
        `${name} must be a date such as 2026-05-04, a date-time such as 2026-05-04T10:00:00Z, or seconds or milliseconds since 1970`,
      );
    return found;
  };
  return {
    /** The text of a parameter; undefined when it is not given. Empty text is a text. */
    text: (name: string) => values.get(name),
    /** One of the values. @throws Refused with the code of the endpoint */
    oneOf<Value extends string>(name: string, allowed: readonly Value[], code: RefusalCode) {
      const text = values.get(name);
      if (text === undefined) return undefined;
      const value = allowed.find((candidate) => candidate === text);
      if (value === undefined) throw custodyRefusal(code);
      return value;
    },
    /** `limit`, at most `most`, and `offset`. */
    window<Limit extends number | null>(defaultLimit: Limit, most: number) {
      const limit = integer('limit', 1);
      const offset = integer('offset', 0) ?? 0;
      return { limit: limit === undefined ? defaultLimit : Math.min(limit, most), offset };
    },
    /** `start_date` and `end_date`, inclusive, as microseconds. @throws Refused TXN-03 */
    dates() {
      const from = dateOf('start_date')?.first;
      const to = dateOf('end_date')?.last;
      if (from !== undefined && to !== undefined && from > to)
        throw custodyRefusal('TXN-03', 'start_date is after end_date');
      return { from: withinTime(from), to: withinTime(to) };
    },
  };
}

/** Nothing was mirrored before or after, and PostgreSQL reads every moment between. */
const earliest = Date.UTC(1900, 0) * 1_000;
const latest = Date.UTC(2200, 0) * 1_000;

function withinTime(micros: number | undefined): number | undefined {
  return micros === undefined ? undefined : Math.min(Math.max(micros, earliest), latest);
}

function invalid(what: string): Refused {
  return custodyRefusal('ERR-00', what);
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'there are none' : `there are ${names.join(', ')}`;
}

function shown(name: string): string {
  return JSON.stringify(name.length <= 40 ? name : `${name.slice(0, 40)}…`);
}

// The errors of docs/custody-service.md 7 that the operations answer, word for word. An empty result is an
// error too.

/** By code: error_message, details. */
const errors = {
  ...generalErrors,
  'VAL-00': ['Invalid vault_type', 'Must be cold or warm'],
  'VAL-01': ['No records found', 'The filtered query has no records'],
  'VAL-02': ['Vault not found', 'The vault id matches no record'],
  'BAL-00': ['No records found', 'The filtered query has no records'],
  'BAL-01': ['No records found', 'The filtered query has no records'],
  'BAL-02': ['Invalid vault_type', 'Must be cold or warm'],
  'TXN-00': [
    'Invalid transaction_type',
    'Must be one of withdraw, rebalance, deposit, stake, claim, unstake, changepool',
  ],
  'TXN-01': [
    'Invalid status',
    'Must be one of pending, processing, confirming, completed, rejected, cancelled, failed',
  ],
  'TXN-02': ['No records found', 'The filtered query has no records'],
  'TXN-03': ['Invalid date range', 'The range of start_date and end_date is invalid'],
  'TXN-04': ['Invalid transaction id', 'The transaction is not in the records'],
  'WHT-00': ['No records found', 'The filtered query has no records'],
  'WHT-01': ['Invalid enumerate value', 'The input does not match an enumerated value'],
} as const satisfies Readonly<Record<string, readonly [string, string]>>;

type RefusalCode = keyof typeof errors;

/**
 * A request that is answered with an error of docs/custody-service.md 7.
 *
 * @param what exactly is wrong, after the documented details
 */
function custodyRefusal(
  code: RefusalCode,
  what: string | null = null,
  kind: 'bad-request' | 'not-found' | 'account-not-found' = 'bad-request',
): Refused {
  const custody = { code, texts: errors[code], what };
  return new Refused({ kind, detail: what ?? code, custody });
}

interface Call {
  readonly database: Database;
  readonly account: string;
  readonly search: URLSearchParams;
  /** The parameter of the path; empty where it has none. */
  readonly parameter: string;
}

/** Greater limits are silently cut to these: a client pages on by the number of records received. */
const mostRecords = 1_000;
const defaults = { transactions: 200, balances: 50 };

/**
 * The parameters of 4.1 that take any text, and the spelling of a type that docs/custody-service.md 7 has
 * besides that of 2.3.
 */
const textFilters = [
  'transactionId',
  'sourceId',
  'sourceAddress',
  'assetId',
  'networkId',
  'destinationId',
  'destinationAddress',
] as const satisfies readonly (keyof TransactionFilter)[];
const { sent, meant } = transactionDetails.transactionType.spelling;

/** 4.1 */
async function listTransactions({ database, account, search }: Call): Promise<string> {
  const others = ['limit', 'offset', 'start_date', 'end_date', 'transaction_type', 'status'];
  const query = readQuery(search, [...others, ...textFilters.map(columnOf)]);
  const type = query.oneOf('transaction_type', [...transactionTypes, sent], 'TXN-00');
  const status = query.oneOf('status', transactionStatuses, 'TXN-01');
  const { from, to } = query.dates();
  const texts = textFilters.map((field) => [field, query.text(columnOf(field))] as const);
  const filter: TransactionFilter = {
    ...Object.fromEntries(texts),
    transactionType: type === sent ? meant : type,
    status,
    firstSeenFrom: from,
    firstSeenTo: to,
  };
  const window = query.window(defaults.transactions, mostRecords);
  const records = await readTransactionPage(database, account, filter, window);
  if (records.length === 0) throw await nothingFound(database, account, 'transactions', 'TXN-02');
  return `{"transactions":[${records.join()}]}`;
}

/** 4.2 */
async function showTransaction({ database, account, search, parameter }: Call): Promise<string> {
  readQuery(search, []);
  const record = isStorable(parameter) ? await readTransactionRecord(database, account, parameter) : null;
  if (record === null) throw await nothingFound(database, account, 'transactions', 'TXN-04');
  return `{"transactions":[${record}]}`;
}

/** 4.3 */
async function listBalances(call: Call): Promise<string> {
  return await balancesOf(call, 'all', defaults.balances);
}

/** 4.4. It has no limit of its own, so that it shows all where none is asked for. */
async function listBalancesOfType(call: Call): Promise<string> {
  const vaultType = vaultTypes.find((known) => known === call.parameter);
  if (vaultType === undefined) throw custodyRefusal('BAL-02');
  return await balancesOf(call, vaultType, null);
}

async function balancesOf(
  { database, account, search }: Call,
  vaultType: 'all' | 'warm' | 'cold',
  defaultLimit: number | null,
): Promise<string> {
  const query = readQuery(search, ['asset_id', 'limit', 'offset']);
  const assetId = query.text('asset_id');
  const page = await readBalancePage(database, account, {
    vaultType,
    assetId,
    ...query.window(defaultLimit, mostRecords),
  });
  if (page === null || page.elements.length === 0)
    throw await nothingFound(database, account, 'balances', vaultType === 'all' ? 'BAL-00' : 'BAL-01');
  return `{"timestamp":"${page.snapshotAt}","balance_type":"${vaultType}","balance":[${page.elements.join()}]}`;
}

/** 4.5. It has no documented paging, so that it shows all where no limit is asked for. */
async function listVaults({ database, account, search }: Call): Promise<string> {
  const query = readQuery(search, ['vault_type', 'limit', 'offset']);
  const vaultType = query.oneOf('vault_type', vaultTypes, 'VAL-00');
  const documents = await readVaultPage(database, account, {
    vaultType,
    ...query.window(null, mostRecords),
  });
  if (documents.length === 0) throw await nothingFound(database, account, 'vault', 'VAL-01');
  return `{"vaults":[${documents.join()}]}`;
}

/** 4.6 */
async function showVault({ database, account, search, parameter }: Call): Promise<string> {
  readQuery(search, []);
  const document = isStorable(parameter) ? await readVaultDocument(database, account, parameter) : null;
  if (document === null) throw await nothingFound(database, account, 'vault', 'VAL-02');
  return document;
}

/**
 * 4.7. No parameter is documented; these are columns, and the member of the documents by which an entry is
 * usually shown.
 */
async function listWhitelist({ database, account, search }: Call): Promise<string> {
  const query = readQuery(search, ['asset_id', 'network_id', 'status', 'limit', 'offset']);
  const [assetId, networkId, status] = ['asset_id', 'network_id', 'status'].map((name) => query.text(name));
  const { documents, isStatusKnown } = await readWhitelistPage(database, account, {
    assetId,
    networkId,
    status,
    ...query.window(null, mostRecords),
  });
  if (!isStatusKnown) throw await nothingFound(database, account, 'whitelist_entry', 'WHT-01');
  if (documents.length === 0) throw await nothingFound(database, account, 'whitelist_entry', 'WHT-00');
  return `{"whitelist":[${documents.join()}]}`;
}

/** What was never read is unknown, not empty: the mirror cannot say yet that there is nothing. */
async function nothingFound(
  database: Database,
  account: string,
  observed: Observed,
  code: RefusalCode,
): Promise<Refused> {
  const known = await database.transact('custody.known-since', (tx) => readKnownSince(tx, account, observed));
  if (known !== null && known.since === null)
    return custodyRefusal('ERR-01', 'these records have not been read yet; try again later');
  return custodyRefusal(code);
}
