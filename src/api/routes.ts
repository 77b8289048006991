// The read API below /api: its routes, its description as OpenAPI, and the reference page.
import { readFileSync } from 'node:fs';
import type { HttpBindings } from '@hono/node-server';
import { type Context, type Handler, Hono } from 'hono';
import { html } from 'hono/html';
import type { z } from 'zod';
import { withDeadline } from '../http/request/deadline.ts';
import type { ReaderVariables } from '../http/request/environment.ts';
import { whenClosed } from '../http/request/guarded-stream.ts';
import { type Html, plainPage } from '../http/request/plain-page.ts';
import { problemKinds } from '../http/request/problem-kinds.ts';
import type { Tx } from '../store/postgres/transaction.ts';
import { ListTooLong, readCells } from '../store/read-api/list/read-page.ts';
import { startSummary, streamCsv } from '../store/read-api/list/stream-csv.ts';
import { type Answer, type Operation, routeOf, type Tools, type WholeList } from './answer/operation.ts';
import { Problem, pathValues, readParameters } from './answer/parameters.ts';
import {
  confirmed,
  type Form,
  partsOf,
  sendBody,
  sendCsv,
  sendXlsx,
  wantedForm,
  xlsx,
} from './answer/send.ts';
import { writeXlsx } from './answer/xlsx.ts';
import { operations } from './operations.ts';

export interface ApiOptions extends Tools {
  /** Of the software. */
  readonly version: string;
}

/** To be mounted at /api; the variable `reader` is set before. */
export function apiRoutes({ version, ...tools }: ApiOptions): Hono<ApiEnvironment> {
  const app = new Hono<ApiEnvironment>();
  // On the first request: few processes are asked for it, and it is a megabyte.
  const describe = () => {
    // The build puts the document at the same place below dist/.
    const file = new URL('../../docs/openapi.json', import.meta.url);
    const spec: Spec = JSON.parse(readFileSync(file, 'utf8'));
    return { text: JSON.stringify(spec), page: referencePage(spec, version) };
  };
  let made: ReturnType<typeof describe> | undefined;
  const described = () => {
    made ??= describe();
    return made;
  };
  for (const operation of operations) {
    const route = routeOf(operation);
    app.get(route, handle(operation, tools, null));
    if (operation.list === undefined) continue;
    app.get(`${route}.csv`, handle(operation, tools, 'text/csv'));
    app.get(`${route}.xlsx`, handle(operation, tools, xlsx));
  }
  app.get('/openapi.json', (c) => sendBody(c, described().text));
  app.get('/', (c) => {
    c.header('cache-control', 'private, no-cache');
    return c.html(described().page);
  });
  app.get('*', () => {
    throw new Problem('not-found', 'the API has no such path; /api lists them all');
  });
  return app;
}

// The reference page, made from the description: readable without scripts, with a link to each route and
// schema.

type Schema = z.core.JSONSchema.JSONSchema;

interface Route {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly required: boolean;
    readonly description: string;
  }[];
  readonly responses: object;
}

interface Spec {
  readonly info: { readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, { readonly get: Route }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

function referencePage({ info, tags, paths, components }: Spec, version: string): Html {
  const routes = Object.entries(paths).filter(([path]) => !/\.(?:csv|xlsx)$/.test(path));
  return plainPage(
    'API',
    html`<header><h1>custody-mirror, the read API</h1><span class="soft">version ${info.version}</span></header>
<main>
<section><h2>In short</h2><p>${info.description}</p>
<p>Each list is also answered whole as CSV or as a spreadsheet file: with <code>.csv</code> or <code>.xlsx</code> behind its path, or by <code>Accept</code>.
Programs read <a href="/api/openapi.json">the OpenAPI document</a>, from which this page is made.</p>
<p>Where reading is not open, each request carries a key: in the header <code>x-api-key</code>, as a bearer token, or as the password of
any user (<code>custody-mirror key create</code>).</p></section>
<nav aria-labelledby="contents"><h2 id="contents">Contents</h2><ul>
${tags.map((tag) => html`<li><a href="#${tag.name.toLowerCase()}">${tag.name}</a>: ${tag.description}</li>`)}
<li><a href="#problems">Problems</a></li></ul></nav>
${tags.map(({ name }) => tagSection(name, routes))}
<section id="problems"><h2>Problems</h2>
<p class="soft">Errors are application/problem+json (RFC 9457). <code>type</code> links to these:</p>
${problemTable()}</section>
${Object.entries(components.schemas).map(([name, schema]) => schemaSection(name, schema))}
</main>
<footer><a href="/">Overview</a> <span>custody-mirror ${version}</span></footer>`,
  );
}

function tagSection(tag: string, routes: readonly (readonly [string, { readonly get: Route }])[]): Html {
  const own = routes.filter(([, { get }]) => get.tags.includes(tag));
  return html`<section id="${tag.toLowerCase()}"><h2>${tag}</h2>${own.map(([path, { get }]) => routePart(path, get))}</section>`;
}

function routePart(path: string, { operationId, summary, description, parameters, responses }: Route): Html {
  return html`<h3 id="${operationId}"><code>GET /api${path}</code></h3>
<p>${summary}.${description === undefined ? '' : ` ${description}`}</p>
<table><thead><tr><th>Parameter</th><th>Meaning</th></tr></thead><tbody>
${parameters.map(
  (parameter) => html`<tr><td><code>${parameter.name}</code>${parameter.required ? ' (required)' : ''}</td>
<td>${parameter.description}</td></tr>`,
)}</tbody></table>
<p class="soft">Status ${Object.keys(responses).join(', ')}; shows ${rowNames(responses)}.</p>`;
}

/** Links to the schemas that an answer names. */
function rowNames(responses: unknown): Html {
  const names = [...JSON.stringify(responses).matchAll(/#\/components\/schemas\/(\w+)/g)].map(
    ([, name = '']) => name,
  );
  return html`${[...new Set(names)].map((name, index) => html`${index === 0 ? '' : ' or '}<a href="#${name}">${name}</a>`)}`;
}

function problemTable(): Html {
  return html`<table><thead><tr><th>Code</th><th>Status</th><th>Meaning</th></tr></thead><tbody>
${Object.entries(problemKinds).map(
  ([code, { status, meaning }]) =>
    html`<tr id="${code}"><td><code>${code}</code></td><td data-label="Status">${status}</td><td>${meaning}</td></tr>`,
)}</tbody></table>`;
}

function schemaSection(name: string, { properties = {}, description }: Schema): Html {
  return html`<section id="${name}"><h2>${name}</h2>${description === undefined ? '' : html`<p>${description}</p>`}
<table><thead><tr><th>Member</th><th>Type</th><th>Meaning</th></tr></thead><tbody>
${Object.entries(properties).map(
  ([
    member,
    schema,
  ]) => html`<tr><td><code>${member}</code></td><td data-label="Type">${typeInWords(schema)}</td>
<td>${typeof schema === 'object' ? schema.description : ''}</td></tr>`,
)}</tbody></table></section>`;
}

function typeInWords(schema: z.core.JSONSchema._JSONSchema): string {
  if (typeof schema === 'boolean') return 'JSON';
  const { type, format, items, anyOf, enum: values } = schema;
  if (values !== undefined) return values.join(', ');
  if (anyOf !== undefined) return anyOf.map(typeInWords).join(' or ');
  if (typeof items === 'object' && !Array.isArray(items))
    return `list of ${items.type === 'object' ? 'objects' : typeInWords(items)}`;
  if (type === undefined) return 'JSON';
  return format ?? [type].flat().join(' or ');
}

// From a request to an operation and back: the address, the form, the parameters, and how the answer is sent.

interface ApiEnvironment {
  readonly Bindings: Partial<HttpBindings>;
  readonly Variables: ReaderVariables;
}

/** The longest wait for changes, and time to read them. The database ends a statement earlier. */
const deadlineMs = 45_000;
const confirmAfterMs = 1_000;
/** What the thread that writes a spreadsheet file needs about 150 MB for. */
const mostXlsx = { cells: 250_000, characters: 32 * 2 ** 20 };

/** @param fixed the form that the path names; without it the reader chooses */
function handle(operation: Operation, tools: Tools, fixed: Form | null): Handler<ApiEnvironment> {
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
