// From a request to an operation and back: the address, the form, the parameters, and how the answer is sent.
import type { HttpBindings } from '@hono/node-server';
import type { Context, Handler } from 'hono';
import { startSummary } from '../../../store/reading/list/csv-summary.ts';
import type { Listing } from '../../../store/reading/list/listing.ts';
import { streamCsv } from '../../../store/reading/list/stream-csv.ts';
import { withDeadline } from '../../request/deadline.ts';
import type { ReaderVariables } from '../../request/environment.ts';
import { confirmed, ending, partsOf } from './csv-stream.ts';
import { type Form, wantedForm } from './negotiate.ts';
import { type Answer, type Operation, routeOf, type Tools } from './operation.ts';
import { pathValues, readParameters } from './parameters.ts';
import { Problem } from './problem.ts';
import { sendBody, sendCsv } from './send.ts';

export interface ApiEnvironment {
  readonly Bindings: Partial<HttpBindings>;
  readonly Variables: ReaderVariables;
}

/** The longest wait for changes, and time to read them. The database ends a statement earlier. */
const deadlineMs = 45_000;
const confirmAfterMs = 1_000;

/** @param fixed the form that the path names; without it the reader chooses */
export function handle(operation: Operation, tools: Tools, fixed: Form | null): Handler<ApiEnvironment> {
  return async (c) => {
    const url = new URL(c.req.url);
    const form = fixed ?? wantedForm(c.req.header('accept'), formsOf(operation));
    if (form === null)
      throw new Problem('not-acceptable', `this answer has the forms ${formsOf(operation).join(', ')}`);
    const given = readParameters(
      operation.parameters,
      url.search,
      pathValues(routeOf(operation), pathOf(url, fixed)),
    );
    const reader = c.get('reader');
    const askedAt = performance.now();
    const answer = await withDeadline(c, deadlineMs, (signal) =>
      operation.answer(
        { given, reader, signal, form },
        { ...tools, readDatabase: tools.quota.databaseOf(reader.name, signal) },
      ),
    );
    // Who waited long may have lost its key meanwhile.
    if (performance.now() - askedAt > confirmAfterMs) await c.get('confirm')?.();
    return 'json' in answer ? await send(c, answer, url) : await sendList(c, answer, tools);
  };
}

export function formsOf({ isList }: Operation): readonly Form[] {
  return isList ? ['application/json', 'text/csv'] : ['application/json'];
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
  { listing, selection, isSummedUp }: Extract<Answer, { readonly listing: Listing }>,
  { readDatabase, quota }: Tools,
): Promise<Response> {
  if (c.req.raw.method === 'HEAD') return sendCsv(c, listing.name, null);
  const { incoming, outgoing } = c.env ?? {};
  if (incoming?.httpVersion === '1.0')
    throw new Problem(
      'bad-request',
      'a list as CSV is streamed, and HTTP/1.0 cannot tell its end from a cut: use HTTP/1.1, in a proxy too',
    );
  // Given back with the last part, which the reader has before the connection is done; or when it breaks.
  const giveBack = quota.takeLong(c.get('reader').name);
  outgoing?.once('close', giveBack);
  const { signal } = c.req.raw;
  const summary = isSummedUp ? startSummary(listing, selection, new Date().toISOString()) : null;
  const parts = await partsOf((write) =>
    streamCsv(readDatabase, listing, selection, { write, signal, summary }),
  );
  const lasting = confirmed(parts, c.get('confirm') ?? (() => Promise.resolve()));
  return sendCsv(c, listing.name, ending(lasting, giveBack));
}

/** Relative, so that it holds behind a proxy that changes the path. */
function withCursor({ search }: URL, cursor: string): string {
  const others = search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !new URLSearchParams(pair).has('cursor'));
  return `?${[...others, `cursor=${cursor}`].join('&')}`;
}

/** Where the path names the form, it ends with `.csv`, which is no part of a value. */
function pathOf({ pathname }: URL, fixed: Form | null): string {
  const path = pathname.slice(pathname.indexOf('/v1/'));
  return fixed === 'text/csv' ? path.replace(/\.csv$/, '') : path;
}
