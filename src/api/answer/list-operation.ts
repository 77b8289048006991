// A list as a route: its filters, order, cursor and moment, answered as a page of JSON or whole as a file.

import { createHash } from 'node:crypto';
import { z } from 'zod';
import { isDay } from '../../domain/instant.ts';
import { sqlState } from '../../store/postgres/database-errors.ts';
import type { Tx } from '../../store/postgres/transaction.ts';
import { readPlace } from '../../store/read-api/changes.ts';
import { isMirrored, type KnownSince, readKnownSince } from '../../store/read-api/known-since.ts';
import {
  type List,
  type Listing,
  orderNames,
  orderOf,
  type Selection,
} from '../../store/read-api/list/listing.ts';
import {
  choice,
  flag,
  integer,
  inUtc,
  momentOrDay,
  type Parameter,
  type Parameters,
  text,
} from '../../store/read-api/list/parameter-kinds.ts';
import { type Page, readPage } from '../../store/read-api/list/read-page.ts';
import { sharedUpTo } from '../../store/run/histories.ts';
import { type Answer, type ApiRequest, type Operation, pathParameter, type Tools } from './operation.ts';
import {
  accountFor,
  accountParameter,
  atClose,
  badParameter,
  historyChanged,
  type Params,
  Problem,
  unknownAccount,
} from './parameters.ts';
import { fileNameOf } from './send.ts';

// The cursor of a list: opaque to readers, bound to the list, its filters, its order and the history of the
// account, so that it cannot continue another answer.

/** The form of the cursor. An older one is refused, and the reader begins again. */
const version = 3;
const form = z.strictObject({
  v: z.literal(version),
  q: z.string(),
  k: z.array(z.string()),
  h: z.string(),
  n: z.int(),
});

/** Where the list goes on, and where the history was. */
interface Cursor {
  readonly keys: readonly string[];
  readonly history: string;
  readonly last: number;
}

function writeCursor(list: string, selection: Selection, { keys, history, last }: Cursor): string {
  const cursor = { v: version, q: fingerprint(list, selection), k: keys, h: history, n: last };
  return Buffer.from(JSON.stringify(cursor)).toString('base64url');
}

/** @throws Problem for text that is not a cursor, and for a cursor of another request */
function readCursor(list: string, selection: Selection, keyCounts: readonly number[], text: string): Cursor {
  const read = form.safeParse(parse(text));
  if (!read.success || !keyCounts.includes(read.data.k.length))
    throw badParameter('cursor', 'must be the unchanged next_cursor of a response');
  if (read.data.q !== fingerprint(list, selection))
    throw badParameter(
      'cursor',
      'belongs to other filters or another sort: repeat those of the first page, or start without it',
    );
  return { keys: read.data.k, history: read.data.h, last: read.data.n };
}

/** Where there is no history: of a list over accounts. */
const nowhere = { history: '', last: 0 };

async function placeOf(tx: Tx, account: string): Promise<Omit<Cursor, 'keys'>> {
  const { names, last } = await readPlace(tx, account);
  return { history: names[0]?.name ?? '', last };
}

/** @throws Problem if rows of the previous pages may be gone */
async function refuseOtherHistory(tx: Tx, account: string, { history, last }: Cursor): Promise<void> {
  if (history === '') return;
  const { names, isReplica } = await readPlace(tx, account);
  // A replica that lags behind does not know the newest name yet. It shows an older state to any cursor.
  if (isReplica && !names.some(({ name }) => name === history)) return;
  if (last > sharedUpTo([{ name: history, beganAfter: 0 }], names))
    throw historyChanged('the database was restored or lost its last changes since the first page');
}

function parse(text: string): unknown {
  if (!/^[\w-]+$/.test(text)) return null;
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
}

function fingerprint(list: string, { account, at, filters, order }: Selection): string {
  const sorted = Object.entries(filters).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const asked = JSON.stringify([list, account, at, sorted, order]);
  return createHash('sha256').update(asked).digest('base64url').slice(0, 16);
}

/** What a list has beyond its declaration. */
export interface ListRoute extends List {
  /**
   * A filter whose value stands for something that is looked up before the list is read. A cursor goes with
   * the value as it was sent.
   */
  readonly lookUp?: {
    readonly filter: string;
    find(tx: Tx, selection: Selection): Promise<Selection>;
  };
}

const defaultLimit = 100;
const greatestLimit = 500;

export const limitParameter = integer(
  1,
  greatestLimit,
  `Maximum rows in a page of JSON. Default ${defaultLimit}.`,
  defaultLimit,
);

export function listOperation(list: ListRoute): Operation {
  const answer: Operation['answer'] = (request, tools) => answerList(list, request, tools);
  return { ...list, list, parameters: listParameters(list), answer };
}

function listParameters(list: ListRoute): Parameters {
  const { past, filters, isOverAccounts, defaultOrder } = list;
  const orders = orderNames(list);
  const sort = choice(
    orders,
    `The order; - reverses it. Ties are ordered by identifier. Default ${defaultOrder}.`,
  );
  return {
    ...(isOverAccounts ? {} : { account: accountParameter }),
    ...filters,
    ...(past === undefined
      ? {}
      : {
          at: momentOrDay('As it was known at this moment. Default: as it is known now.'),
        }),
    sort: { ...sort, example: defaultOrder },
    summary: flag(
      'CSV only: true appends an empty line and then, for people, the number of rows, the filters, the moment, and totals where amounts may be added. Default false.',
    ),
    download: flag(
      'CSV only: true is for people who save the file: it begins with a byte order mark, by which Excel recognizes UTF-8, and its name includes account and moment. Default false.',
    ),
    limit: limitParameter,
    cursor: {
      ...text(
        '`next_cursor` of the previous page, with the same filters and sort.',
        'eyJ2IjoyLCJxIjoi',
        7_000,
      ),
      allowed: 'must be the unchanged next_cursor of a response',
    },
  };
}

async function answerList(list: ListRoute, request: ApiRequest, tools: Tools): Promise<Answer> {
  const { params, reader, form } = request;
  const account = list.isOverAccounts
    ? JSON.stringify(reader.accounts)
    : accountFor(params, reader, tools.account);
  const at = params['at'] === undefined ? null : inUtc(params['at']);
  const listing = at === null || list.past === undefined ? list : list.past.listing;
  const selection = {
    account,
    at,
    filters: filtersOf(list, listing, params),
    order: requestedOrder(listing, params),
  };
  const from = cursorOf(list.id, listing, selection, params);
  const inSnapshot = <T>(work: (tx: Tx) => Promise<T>) =>
    tools.readDatabase.transact(list.id, work, { snapshot: true });
  const notCsv = ['summary', 'download'].find((name) => params[name] !== undefined);
  if (form !== 'text/csv' && notCsv !== undefined) throw badParameter(notCsv, 'is for CSV only');
  if (form !== 'application/json') {
    for (const name of ['cursor', 'limit'])
      if (params[name] !== undefined)
        throw badParameter(name, 'is for JSON only: this format holds the whole list');
    const readAt = new Date().toISOString();
    const isKept = form !== 'text/csv' || params['download'] === 'true';
    const fileName = fileNameOf(list.isOverAccounts ? null : account, list.name, at ?? readAt);
    const lookedUp = await inSnapshot(async (tx) => {
      const atMoment = await atClose(tx, list.past, selection);
      await refuseUnknown(tx, list, atMoment);
      return await lookUp(tx, list, atMoment);
    });
    const isSummedUp = params['summary'] === 'true';
    return { form, listing, selection: lookedUp, readAt, isSummedUp, fileName: isKept ? fileName : null };
  }
  const limit = Number(params['limit'] ?? defaultLimit);
  // Rows show that the account is mirrored. Whether a moment is known follows from the observations alone.
  const rowsTell = at === null && list.exists === undefined;
  const page = await inSnapshot(async (tx) => {
    const atMoment = await atClose(tx, list.past, selection);
    if (!rowsTell) await refuseUnknown(tx, list, atMoment);
    if (from !== null && !list.isOverAccounts) await refuseOtherHistory(tx, account, from);
    const found = await readOn(tx, listing, await lookUp(tx, list, atMoment), {
      limit,
      from: from?.keys ?? null,
    });
    if (rowsTell && found.rows.length === 0) await refuseUnknown(tx, list, selection);
    const place = found.next === null || list.isOverAccounts ? nowhere : await placeOf(tx, account);
    return { ...found, place };
  });
  const next =
    page.next === null ? null : writeCursor(list.id, selection, { keys: page.next, ...page.place });
  const about = list.isOverAccounts ? '' : `"account_id":${JSON.stringify(account)},`;
  const json = `{${about}"data":[${page.rows.join()}],"next_cursor":${JSON.stringify(next)}}`;
  return { json, next };
}

async function lookUp(tx: Tx, list: ListRoute, selection: Selection): Promise<Selection> {
  if (list.lookUp === undefined || selection.filters[list.lookUp.filter] === undefined) return selection;
  return await list.lookUp.find(tx, selection);
}

function filtersOf(list: ListRoute, listing: Listing, params: Params): Record<string, string> {
  const filters: Record<string, string> = {};
  for (const [name, { reads }] of Object.entries(list.filters)) {
    const value = params[name];
    if (value === undefined) continue;
    if (listing.filters[name] === undefined) throw badParameter(name, 'cannot be combined with at');
    filters[name] = reads === 'moment' ? inUtc(value) : value;
  }
  return filters;
}

function requestedOrder(listing: Listing, { sort = listing.defaultOrder }: Params): string {
  if (orderNames(listing).includes(sort)) return sort;
  throw badParameter('sort', `must be one of ${orderNames(listing).join(', ')} when combined with at`);
}

function cursorOf(id: string, listing: Listing, selection: Selection, { cursor }: Params): Cursor | null {
  if (cursor === undefined) return null;
  const { keys } = orderOf(listing, selection.order);
  // In a list read in spans, the day or moment alone says how far.
  const keyCounts = listing.spannedBy === undefined ? [keys.length] : [1, keys.length];
  return readCursor(id, selection, keyCounts, cursor);
}

/**
 * @throws Problem for an account that is not mirrored, a missing object, and data never read, then or until
 *   now
 */
async function refuseUnknown(tx: Tx, list: ListRoute, { account, at, filters }: Selection): Promise<void> {
  const { past, name, exists } = list;
  if (list.isOverAccounts) return;
  if (past !== undefined) {
    const known = await readKnownSince(tx, account, past.of);
    if (known === null) throw unknownAccount();
    // For a day of balances, atClose() checked it.
    if (at !== null && !isDay(at)) refuseUnknownMoment(known, at);
    else if (at === null && known.since === null)
      throw new Problem(
        'not-read-yet',
        `${name} have not been read yet or are not mirrored: they are unknown, not empty`,
      );
  } else if (!(await isMirrored(tx, account))) throw unknownAccount();
  const identifier = pathParameter(list) ?? '';
  if (exists !== undefined && !(await exists(tx, account, filters[identifier] ?? '')))
    throw new Problem('not-found', `the account has nothing with this ${identifier}`);
}

function refuseUnknownMoment({ since, now }: KnownSince, at: string): void {
  if (at > now) throw badParameter('at', `is in the future: the mirror's time is ${now}`);
  if (since !== null && at >= since) return;
  const first = since === null ? 'nothing was observed yet' : `the first observation is from ${since}`;
  throw new Problem('moment-unknown', `the data at that moment is unknown, not empty: ${first}`);
}

/** A cursor is foreign text: keys that the database cannot read make it a bad cursor. */
async function readOn(
  tx: Tx,
  listing: Listing,
  selection: Selection,
  page: { readonly limit: number; readonly from: readonly string[] | null },
): Promise<Page> {
  try {
    return await readPage(tx, listing, selection, page);
  } catch (error) {
    if (page.from !== null && sqlState(error)?.startsWith('22'))
      throw badParameter('cursor', 'must be the unchanged next_cursor of a response');
    throw error;
  }
}

// A route for a single object of an account.

interface OneDescription extends Pick<Operation, 'id' | 'path' | 'summary'> {
  /** The parameter of the path that names it; none for what an account has once. */
  readonly parameter?: Parameter;
  /** @returns a JSON object; null when there is none */
  read(tx: Tx, account: string, id: string): Promise<string | null>;
}

export function oneOperation(one: OneDescription): Operation {
  const { parameter } = one;
  const identifier = pathParameter(one);
  return {
    ...one,
    parameters: {
      account: accountParameter,
      ...(identifier === null || parameter === undefined ? {} : { [identifier]: parameter }),
    },
    async answer({ params, reader }, { readDatabase, account: own }) {
      const account = accountFor(params, reader, own);
      const id = identifier === null ? '' : (params[identifier] ?? '');
      const found = await readDatabase.transact(
        one.id,
        async (tx) => {
          const json = await one.read(tx, account, id);
          if (json === null && !(await isMirrored(tx, account))) throw unknownAccount();
          return json;
        },
        { snapshot: true },
      );
      if (found === null) throw new Problem('not-found', `the account has nothing with this ${identifier}`);
      return { json: `{"account_id":${JSON.stringify(account)},"data":${found}}` };
    },
  };
}
