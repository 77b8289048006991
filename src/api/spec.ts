// The description of the API as OpenAPI 3.1, made from the operations and their schemas.
import { z } from 'zod';
import { problemKinds } from '../http/request/problem-kinds.ts';
import type { Parameter } from '../store/read-api/list/parameter-kinds.ts';
import { xlsx } from './answer/negotiate.ts';
import type { Operation } from './answer/operation.ts';
import { problemSchema } from './answer/schemas.ts';
import { operations, type TaggedOperation, tagDescriptions } from './operations.ts';

type Json = Record<string, unknown>;

/** Version of the interface, not of the software: the path carries its major part. */
const interfaceVersion = '1.0.0';

export function writeSpec(): Json {
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
function jsonSchema(schema: z.ZodType, registry: Schemas): Json {
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

function componentSchemas(registry: Schemas): Json {
  const named = operations.flatMap(({ rows }) => Object.entries(rows));
  const written = named.map(([id, schema]) => [id, jsonSchema(schema, registry)]);
  return { ...Object.fromEntries(written), Problem: jsonSchema(problemSchema, registry) };
}

function pathsOf(operation: TaggedOperation, registry: Schemas): readonly (readonly [string, Json])[] {
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

function parameterOf(
  name: string,
  parameter: Parameter,
  registry: Schemas,
): Json & { readonly name: string } {
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
