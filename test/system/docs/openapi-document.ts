// Writes docs/openapi.json, the description of the read API as OpenAPI 3.1: from its operations, and from the
// schemas of their answers, which stand here alone. The server serves the file as it is committed.
import { z } from 'zod';
import { xlsx } from '../../../src/api/answer/send.ts';
import { operations, type TaggedOperation } from '../../../src/api/operations.ts';
import { problemKinds } from '../../../src/http/request/problem-kinds.ts';
import { snapshots } from '../../../src/store/read-api/balances/balances.ts';
import { changeKinds } from '../../../src/store/read-api/changes.ts';
import { type DocumentLists, vaults, whitelist } from '../../../src/store/read-api/documents.ts';
import { health, problems } from '../../../src/store/read-api/findings.ts';
import { type ColumnKind, isNullable, kindOf } from '../../../src/store/read-api/list/columns.ts';
import type { List, Listing } from '../../../src/store/read-api/list/listing.ts';
import type { Parameter } from '../../../src/store/read-api/list/parameter-kinds.ts';
import { revisions, timeline, transactions } from '../../../src/store/read-api/transactions.ts';
import { meaningOf } from './catalogue.ts';

// The schemas of answers, made from the columns of the lists.

const json = z.unknown().meta({ description: 'Any JSON.' });

const kinds: Readonly<Record<ColumnKind, z.ZodType>> = {
  text: z.string(),
  amount: z.string().regex(/^-?\d+(\.\d+)?$/),
  moment: z
    .string()
    .regex(/^\d{4,6}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/)
    .meta({ format: 'date-time' }),
  day: z
    .string()
    .regex(/^\d{4,6}-\d{2}-\d{2}$/)
    .meta({ format: 'date' }),
  integer: z.int(),
  boolean: z.boolean(),
  seconds: z.number(),
  texts: z.array(z.string()),
  json,
};

/** The row of a list. */
function rowSchema(listing: Listing, more: z.ZodRawShape = {}): z.ZodObject {
  const members = Object.keys(listing.columns).map((name) => [name, columnSchema(listing, name)]);
  return z.object({ ...Object.fromEntries(members), ...more });
}

function columnSchema(listing: Listing, name: string): z.ZodType {
  const { columns } = listing;
  const kind = kindOf(columns, name);
  const schema = isNullable(columns, name) && kind !== 'json' ? kinds[kind].nullable() : kinds[kind];
  const description = meaningOf(listing, name);
  return description === undefined ? schema : schema.meta({ description });
}

const accountId = z.string().meta({ description: 'The account.' });

/** A page of a list. */
function pageSchema(
  row: z.ZodType,
  { isOverAccounts = false }: { readonly isOverAccounts?: boolean },
): z.ZodObject {
  return z.object({
    ...(isOverAccounts ? {} : { account_id: accountId }),
    data: z.array(row),
    next_cursor: z.string().nullable().meta({
      description:
        'The `cursor` of the next page; null only on the last one: a page may have fewer rows than `limit`.',
    }),
  });
}

/** One thing. */
function oneSchema(row: z.ZodType): z.ZodObject {
  return z.object({ account_id: accountId, data: row });
}

/** @param what the rows that are sealed, such as `all statuses` */
function sealedSchema(what: string): z.ZodType {
  return z
    .object({
      checkpoint: z
        .int()
        .nullable()
        .meta({ description: 'How many rows the checkpoint seals; null while it is not sealed.' }),
      signed_at: z.iso.datetime().nullable().meta({ description: 'When the checkpoint was signed.' }),
      verified_at: z.iso.datetime().nullable().meta({
        description: 'When the whole history was last verified on schedule; null for never.',
      }),
      is_altered: z.boolean().meta({
        description: 'Whether that verification found something that is not as it was sealed.',
      }),
    })
    .nullable()
    .meta({
      description: `The first checkpoint of the sealed history that holds ${what}; null where nothing is sealed.`,
    });
}

const problemSchema = z
  .object({
    type: z.string().meta({ description: 'Link to the explanation on the reference page.' }),
    title: z.string(),
    status: z.int(),
    code: z.string().meta({ description: 'The last part of `type`, for programs.' }),
    detail: z.string(),
    errors: z
      .array(z.object({ name: z.string(), reason: z.string() }))
      .optional()
      .meta({ description: 'The invalid parameters, and what is allowed.' }),
    resume: z
      .object({ after: z.int(), history: z.string().nullable() })
      .optional()
      .meta({ description: 'For `history-changed` in the feed: where to continue.' }),
  })
  .meta({ description: 'A problem (RFC 9457).' });

const change = z.object({
  change_id: z.int().meta({ description: 'Increases in commit order; numbers may be skipped.' }),
  kind: z.enum(changeKinds).meta({ description: 'The history that the row belongs to.' }),
  resource_id: z.string().meta({
    description: 'Identifier of the transaction, vault or whitelist entry; for a snapshot, its vault type.',
  }),
  observed_at: z
    .string()
    .meta({ format: 'date-time', description: 'When the response that showed the change arrived.' }),
  run_id: z.int().meta({ description: 'The run that observed it.' }),
  details: z.record(z.string(), z.unknown()).meta({
    description:
      'The other columns of the row: of custody.transaction_status_history, transaction_revisions, document_revisions or balance_snapshots.',
  }),
});

const seconds = (description: string) => z.number().nullable().meta({ description });

const usualTimes = z.object({
  transaction_type: z.string().nullable().meta({ description: 'The type of these transactions.' }),
  asset_id: z.string().nullable().meta({ description: 'The asset of these transactions.' }),
  completed: z.int().meta({
    description:
      'Number of transactions behind these figures: the last 200 of this type and asset that were observed from start to completion.',
  }),
  since: z.iso.datetime().nullable().meta({ description: 'When the first of them was first seen.' }),
  median_seconds: seconds('Median time from first seen to first seen completed.'),
  p95_seconds: seconds('95 of 100 of them took no longer than this.'),
  longest_seconds: seconds('The longest.'),
});

/** What the reference says of an answer. */
interface Described {
  /** Of the JSON. */
  readonly schema: z.ZodType;
  /** The schemas of rows, by their names. */
  readonly rows: Readonly<Record<string, z.ZodType>>;
}

/** By the ids of the operations that answer no list. */
const answers: Readonly<Record<string, Described>> = {
  getTick: one(
    'Tick',
    z.object({
      snapshots: z
        .array(rowSchema(snapshots))
        .meta({ description: 'One of each vault type that was observed.' }),
      sealed: sealedSchema('all of them'),
    }),
  ),
  followChanges: {
    schema: z.object({
      account_id: z.string(),
      data: z.array(change),
      next_after: z.int().meta({ description: 'The position after these changes.' }),
      history: z.string().nullable().meta({
        description:
          'The history that the position belongs to; null before the first change. It changes without a loss too, for instance when the database restarts: store it with each position.',
      }),
      has_more: z.boolean().meta({ description: 'There are more: request them at once.' }),
      last_change_id: z.int().meta({
        description: 'The last change of the account: the position after which only new ones follow.',
      }),
    }),
    rows: { Change: change },
  },
  getHealth: one('Health', rowSchema(health, { problems: z.array(rowSchema(problems)) })),
  getTransaction: one(
    'TransactionWithHistory',
    rowSchema(transactions, {
      timeline: z.array(rowSchema(timeline)).meta({ description: 'Its statuses, the first 500.' }),
      revisions: z.array(rowSchema(revisions)).meta({ description: 'Its revisions, the first 500.' }),
      sealed: sealedSchema('all statuses and revisions'),
      raw: z.unknown().meta({ description: 'The record as it was received when it last changed.' }),
    }),
  ),
  getUsualTimes: one('UsualTimes', usualTimes),
  getVault: documentWithHistory(vaults),
  getWhitelistEntry: documentWithHistory(whitelist),
};

function one(row: string, schema: z.ZodType): Described {
  return { schema: oneSchema(schema), rows: { [row]: schema } };
}

function documentWithHistory({ now, revisions: states }: DocumentLists): Described {
  const observed = z.array(rowSchema(states)).meta({ description: 'Every observed state, the last 500.' });
  return one(`${now.row}WithHistory`, rowSchema(now, { revisions: observed }));
}

function ofList(list: List): Described {
  const { past } = list;
  const row = rowSchema(list);
  const before = past && rowSchema(past.listing);
  return {
    schema: pageSchema(before === undefined ? row : row.or(before), list),
    rows: { [list.row]: row, ...(past && before ? { [past.row]: before } : {}) },
  };
}

type Documented = TaggedOperation & Described;

const documented: readonly Documented[] = operations.map((operation) => {
  const described = operation.list === undefined ? answers[operation.id] : ofList(operation.list);
  if (described === undefined) throw new TypeError(`${operation.id} has no schema here`);
  return { ...operation, ...described };
});

/** What the groups are about, by their tags. */
const tagDescriptions: Readonly<Record<string, string>> = {
  Transactions: 'Transactions now and as they were known at a moment, with every status and correction.',
  Balances: 'Balances by asset and vault type, now, at a moment and over time, and their value.',
  Vaults: 'Vaults now and at a moment, with what changed.',
  Whitelist: 'Withdrawal addresses now and at a moment, with what changed.',
  Documents: 'Changes in vaults and whitelist entries, with the members before and after.',
  Reports: 'Flows, fees, the reconciliation and destinations, by calendar day of the account.',
  Changes: 'A feed of every change that can be resumed and misses nothing.',
  Sync: 'Accounts, health, freshness, runs, and what was found in the data.',
};

type Schema = z.core.JSONSchema.JSONSchema;
type Json = Record<string, unknown>;

/** Version of the interface, not of the software: the path carries its major part. */
const interfaceVersion = '1.0.0';

export function writeSpec() {
  const schemas = z.registry<{ id: string }>();
  for (const { rows } of documented)
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
    tags: [...new Set(documented.map(({ tag }) => tag))].map((name) => ({
      name,
      description: tagDescriptions[name],
    })),
    paths: Object.fromEntries(documented.flatMap((operation) => pathsOf(operation, schemas))),
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
        bearer: { type: 'http', scheme: 'bearer' },
        basic: { type: 'http', scheme: 'basic', description: 'The key as the password of any user.' },
      },
      headers: commonHeaders,
      responses: Object.fromEntries(
        documented.flatMap((operation) =>
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
  const named = documented.flatMap(({ rows }) => Object.entries(rows));
  const written = named.map(([id, schema]) => [id, jsonSchema(schema, registry)] as const);
  return { ...Object.fromEntries(written), Problem: jsonSchema(problemSchema, registry) };
}

function pathsOf(operation: Documented, registry: Schemas): readonly (readonly [string, Json])[] {
  const { id, path, tag, summary, description, parameters } = operation;
  const common = { tags: [tag], summary, ...(description === undefined ? {} : { description }) };
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
  if (operation.list === undefined) return [[path, json]];
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

function successOf(operation: Documented, registry: Schemas): Json {
  const content = {
    'application/json': { schema: jsonSchema(operation.schema, registry) },
    ...(operation.list ? { ...csvContent, ...xlsxContent } : {}),
  };
  return {
    200: {
      description: operation.list ? 'A page of the list.' : 'The response.',
      headers: headersOf('ETag', 'Vary', ...(operation.list ? ['Link'] : [])),
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

/** A place in a list or in the feed may be of a history that is gone. */
function problemStatuses({ list, parameters }: Documented): readonly number[] {
  const hasPlace = list === undefined ? 'after' in parameters : list.isOverAccounts !== true;
  return hasPlace ? [...anywhere, 409].toSorted((a, b) => a - b) : anywhere;
}

function problemsOf(operation: Documented): Json {
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
