// The read API below /api: its routes, its description as OpenAPI, and the reference page.
import { readFileSync } from 'node:fs';
import { Hono } from 'hono';
import { html } from 'hono/html';
import type { z } from 'zod';
import { type Html, plainPage } from '../http/request/plain-page.ts';
import { problemKinds } from '../http/request/problem-kinds.ts';
import { type ApiEnvironment, handle } from './answer/handler.ts';
import { routeOf, type Tools } from './answer/operation.ts';
import { Problem } from './answer/parameters.ts';
import { sendBody, xlsx } from './answer/send.ts';
import { operations } from './operations.ts';

export interface ApiOptions extends Tools {
  /** Of the software. */
  readonly version: string;
}

/** To be mounted at /api; the variable `reader` is set before. */
export function apiRoutes({ version, ...tools }: ApiOptions): Hono<ApiEnvironment> {
  const app = new Hono<ApiEnvironment>();
  // On the first request: few processes are asked for it, and it is a megabyte.
  const described = once(() => {
    const spec = readSpec();
    return { text: JSON.stringify(spec), page: referencePage(spec, version) };
  });
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

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
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

/** The build puts the document at the same place below dist/. */
function readSpec(): Spec {
  return JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'));
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
