// From a request to an operation and back: the address, the form, the parameters, and how the answer is sent.
import type { HttpBindings } from '@hono/node-server';
import type { Context, Handler } from 'hono';
import { withDeadline } from '../../http/request/deadline.ts';
import type { ReaderVariables } from '../../http/request/environment.ts';
import { whenClosed } from '../../http/request/guarded-stream.ts';
import type { Tx } from '../../store/postgres/transaction.ts';
import { ListTooLong, readCells } from '../../store/read-api/list/read-page.ts';
import { startSummary, streamCsv } from '../../store/read-api/list/stream-csv.ts';
import { type Answer, type Operation, routeOf, type Tools, type WholeList } from './operation.ts';
import { Problem, pathValues, readParameters } from './parameters.ts';
import { confirmed, type Form, partsOf, sendBody, sendCsv, sendXlsx, wantedForm, xlsx } from './send.ts';
import { writeXlsx } from './xlsx.ts';

export interface ApiEnvironment {
  readonly Bindings: Partial<HttpBindings>;
  readonly Variables: ReaderVariables;
}

/** The longest wait for changes, and time to read them. The database ends a statement earlier. */
const deadlineMs = 45_000;
const confirmAfterMs = 1_000;
/** What the thread that writes a spreadsheet file needs about 150 MB for. */
const mostXlsx = { cells: 250_000, characters: 32 * 2 ** 20 };

/** @param fixed the form that the path names; without it the reader chooses */
export function handle(operation: Operation, tools: Tools, fixed: Form | null): Handler<ApiEnvironment> {
  return async (c) => {
    const url = new URL(c.req.url);
    const form = fixed ?? wantedForm(c.req.header('accept'), formsOf(operation));
    if (form === null)
      throw new Problem('not-acceptable', `available formats: ${formsOf(operation).join(', ')}`);
    const params = readParameters(
      operation.parameters,
      url.search,
      pathValues(routeOf(operation), pathOf(url, fixed)),
    );
    const reader = c.get('reader');
    const askedAt = performance.now();
    const answer = await withDeadline(c, deadlineMs, (signal) =>
      operation.answer(
        { params, reader, signal, form },
        { ...tools, readDatabase: tools.quota.databaseOf(reader.name, signal) },
      ),
    );
    // A reader that waited long may have lost its key meanwhile.
    if (performance.now() - askedAt > confirmAfterMs) await c.get('confirm')?.();
    if ('json' in answer) return await send(c, answer, url);
    return answer.form === xlsx ? await sendTable(c, answer, tools) : await sendList(c, answer, tools);
  };
}

function formsOf({ list }: Operation): readonly Form[] {
  return list === undefined ? ['application/json'] : ['application/json', 'text/csv', xlsx];
}

async function send(
  c: Context<ApiEnvironment>,
  { json, next }: Extract<Answer, { readonly json: string }>,
  url: URL,
): Promise<Response> {
  if (next) c.header('link', `<${withCursor(url, next)}>; rel="next"`);
  return await sendBody(c, json);
}

async function sendList(
  c: Context<ApiEnvironment>,
  { listing, selection, readAt, isSummedUp, fileName }: WholeList,
  { readDatabase, quota }: Tools,
): Promise<Response> {
  const file = { name: fileName ?? listing.name, isMarked: fileName !== null };
  if (c.req.raw.method === 'HEAD') return sendCsv(c, file, null);
  const { incoming } = c.env ?? {};
  if (incoming?.httpVersion === '1.0')
    throw new Problem(
      'bad-request',
      'CSV is streamed, and over HTTP/1.0 its end looks like an interruption: use HTTP/1.1, also in a proxy',
    );
  const giveBack = quota.takeLong(c.get('reader').name);
  whenClosed(c, giveBack);
  const { signal } = c.req.raw;
  const summary = isSummedUp ? startSummary(listing, selection, readAt) : null;
  const parts = await partsOf((write) =>
    streamCsv(readDatabase, listing, selection, { write, signal, summary }),
  );
  const lasting = confirmed(parts, c.get('confirm') ?? (() => Promise.resolve()));
  return sendCsv(c, file, lasting);
}

/** A spreadsheet file, built whole, so that a failure is answered in its place. */
async function sendTable(
  c: Context<ApiEnvironment>,
  { listing, selection, readAt, fileName }: WholeList,
  { readDatabase, quota }: Tools,
): Promise<Response> {
  const name = fileName ?? listing.name;
  if (c.req.raw.method === 'HEAD') return sendXlsx(c, name, null);
  const { cells, characters } = mostXlsx;
  const most = { rows: Math.floor(cells / Object.keys(listing.columns).length), characters };
  const read = (tx: Tx) => readCells(tx, listing, selection, most);
  const giveBack = quota.takeLong(c.get('reader').name);
  whenClosed(c, giveBack);
  try {
    const file = await withDeadline(c, deadlineMs, async (signal) => {
      const rows = await readDatabase.transact(`stream.${listing.name}`, read, { snapshot: true, signal });
      return await writeXlsx(listing, selection, rows, { readAt, signal });
    });
    await c.get('confirm')?.();
    return sendXlsx(c, name, file);
  } catch (error) {
    giveBack();
    if (!(error instanceof ListTooLong)) throw error;
    throw new Problem(
      'too-many-rows',
      `a spreadsheet file of this list is limited to ${most.rows} rows: filter it, or use CSV`,
    );
  }
}

/** Relative, so that it holds behind a proxy that changes the path. */
function withCursor({ search }: URL, cursor: string): string {
  const others = search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !new URLSearchParams(pair).has('cursor'));
  return `?${[...others, `cursor=${cursor}`].join('&')}`;
}

/** Where the path names the form, its ending is no part of a value. */
function pathOf({ pathname }: URL, fixed: Form | null): string {
  const path = pathname.slice(pathname.indexOf('/v1/'));
  return fixed === null ? path : path.replace(/\.(?:csv|xlsx)$/, '');
}
