// The description of the API as OpenAPI 3.1, made from the operations and their schemas.

import { html } from 'hono/html';
import { z } from 'zod';
import { type Html, plainPage } from '../http/request/plain-page.ts';
import { problemKinds } from '../http/request/problem-kinds.ts';
import type { Parameter } from '../store/read-api/list/parameter-kinds.ts';
import { type Operation, problemSchema } from './answer/operation.ts';
import { xlsx } from './answer/send.ts';
import { operations, type TaggedOperation, tagDescriptions } from './operations.ts';

// The reference page of the API, made from the OpenAPI document: readable without scripts, with a link to
// each route and schema.

type Schema = z.core.JSONSchema.JSONSchema;

interface Route extends Json {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters: readonly ReturnType<typeof parameterOf>[];
  readonly responses: Json;
}

export interface PageOptions {
  /** Of the software. */
  readonly version: string;
}

export function referencePage(spec: ReturnType<typeof writeSpec>, { version }: PageOptions): Html {
  const { info, tags, paths, components } = spec;
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

type Json = Record<string, unknown>;

/** Version of the interface, not of the software: the path carries its major part. */
const interfaceVersion = '1.0.0';

export function writeSpec() {
  const schemas = z.registry<{ id: string }>();
  for (const { rows } of operations)
    for (const [id, schema] of Object.entries(rows)) if (!schemas.has(schema)) schemas.add(schema, { id });
  schemas.add(problemSchema, { id: 'Problem' });
  return {
    openapi: '3.1.1',
    info: {
      title: 'custody-mirror',
      version: interfaceVersion,
      summary: 'The data of a custody account, with its history.',
      description:
        'Read-only. Amounts are exact decimal strings, times are RFC 3339 in UTC with microseconds, and null means unknown. Members may be added to responses; within a version no member is removed or changes its meaning.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/api', description: 'This mirror.' }],
    security: [{ apiKey: [] }, { bearer: [] }, { basic: [] }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({
      name,
      description: tagDescriptions[name],
    })),
    paths: Object.fromEntries(operations.flatMap((operation) => pathsOf(operation, schemas))),
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
        bearer: { type: 'http', scheme: 'bearer' },
        basic: { type: 'http', scheme: 'basic', description: 'The key as the password of any user.' },
      },
      headers: commonHeaders,
      responses: Object.fromEntries(
        operations.flatMap((operation) =>
          problemStatuses(operation).map((status) => [status, problemResponse(status)]),
        ),
      ),
      schemas: componentSchemas(schemas),
    },
  };
}

/** A schema as JSON Schema 2020-12, which OpenAPI 3.1 takes as it is. */
function jsonSchema(schema: z.ZodType, registry: Schemas): Schema {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    metadata: z.globalRegistry,
    reused: 'inline',
    io: 'input',
    override: ({ zodSchema, jsonSchema: written }) => {
      if (!(zodSchema instanceof z.ZodType) || zodSchema === schema) return;
      const known = registry.get(zodSchema);
      if (known === undefined) return;
      for (const name of Object.keys(written)) Reflect.deleteProperty(written, name);
      written.$ref = `#/components/schemas/${known.id}`;
    },
  });
  return rest;
}

type Schemas = ReturnType<typeof z.registry<{ id: string }>>;

function componentSchemas(registry: Schemas): Record<string, Schema> {
  const named = operations.flatMap(({ rows }) => Object.entries(rows));
  const written = named.map(([id, schema]) => [id, jsonSchema(schema, registry)] as const);
  return { ...Object.fromEntries(written), Problem: jsonSchema(problemSchema, registry) };
}

function pathsOf(
  operation: TaggedOperation,
  registry: Schemas,
): readonly (readonly [string, { readonly get: Route }])[] {
  const { id, path, tag, summary, description, parameters } = operation;
  const common = { tags: [tag], summary, ...(description === '' ? {} : { description }) };
  const parameterList = Object.entries(parameters).map(([name, given]) => parameterOf(name, given, registry));
  const without = (...names: readonly string[]) => parameterList.filter(({ name }) => !names.includes(name));
  const json = {
    get: {
      operationId: id,
      ...common,
      parameters: without('summary', 'download'),
      responses: { ...successOf(operation, registry), ...problemsOf(operation) },
    },
  };
  if (!operation.isList) return [[path, json]];
  const whole = (form: string, name: string, given: typeof parameterList, content: Json) => ({
    get: {
      operationId: `${id}${form}`,
      tags: [tag],
      summary: `${summary}: the whole list as ${name}`,
      parameters: given,
      responses: {
        200: { description: 'The whole list.', headers: headersOf('Vary'), content },
        ...problemsOf(operation),
      },
    },
  });
  const ofPages = ['limit', 'cursor'];
  return [
    [path, json],
    [`${path}.csv`, whole('Csv', 'CSV', without(...ofPages), csvContent)],
    [
      `${path}.xlsx`,
      whole('Xlsx', 'a spreadsheet file', without(...ofPages, 'summary', 'download'), xlsxContent),
    ],
  ];
}

function parameterOf(name: string, parameter: Parameter, registry: Schemas) {
  return {
    name,
    in: parameter.in,
    description: `${parameter.description} It ${parameter.allowed}.`,
    required: parameter.required ?? false,
    schema: jsonSchema(parameter.schema, registry),
    example: parameter.example,
  };
}

const csvContent = {
  'text/csv': {
    schema: {
      type: 'string',
      description:
        'RFC 4180 with a header row of member names. An empty cell is null, "" is an empty string. Text that a spreadsheet would take for a formula is prefixed with an apostrophe.',
    },
  },
};

const xlsxContent = {
  [xlsx]: {
    schema: {
      type: 'string',
      format: 'binary',
      description:
        'One sheet with a header row of member names, and one with account, filters and moment. Amounts that a float cannot hold exactly are text.',
    },
  },
};

function successOf(operation: Operation, registry: Schemas): Json {
  const content = {
    'application/json': { schema: jsonSchema(operation.schema, registry) },
    ...(operation.isList ? { ...csvContent, ...xlsxContent } : {}),
  };
  return {
    200: {
      description: operation.isList ? 'A page of the list.' : 'The response.',
      headers: headersOf('ETag', 'Vary', ...(operation.isList ? ['Link'] : [])),
      content,
    },
    304: { description: 'Unchanged since the ETag in If-None-Match.', headers: headersOf('ETag', 'Vary') },
  };
}

const commonHeaders: Readonly<Record<string, Json>> = {
  ETag: { description: 'A weak tag of the response, for If-None-Match.', schema: { type: 'string' } },
  Vary: { description: 'The request headers that the response depends on.', schema: { type: 'string' } },
  Link: { description: 'The next page, with rel="next"; none on the last page.', schema: { type: 'string' } },
  'Retry-After': { description: 'Seconds until a retry.', schema: { type: 'integer' } },
};

function headersOf(...names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** What any route may answer besides, including refusals of the gate (401, 403, 429). */
const anywhere = [400, 401, 403, 404, 405, 406, 414, 421, 429, 500, 503];

function problemStatuses({ problems }: Operation): readonly number[] {
  const own = problems.map((code) => problemKinds[code].status);
  return [...new Set([...anywhere, ...own])].toSorted((a, b) => a - b);
}

function problemsOf(operation: Operation): Json {
  const statuses = problemStatuses(operation);
  return Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/${status}` }]));
}

function problemResponse(status: number): Json {
  const kinds = Object.entries(problemKinds).filter(([, kind]) => kind.status === status);
  const meanings = kinds.map(([code, { meaning }]) => `\`${code}\`: ${meaning}`);
  return {
    description: meanings.join(' '),
    ...(status === 503 || status === 429 ? { headers: headersOf('Retry-After') } : {}),
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  };
}
