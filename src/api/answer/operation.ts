// What a route of the API is: its parameters, its answer, and what the reference says of it.
import { z } from 'zod';
import type { ReaderQuota } from '../../http/access/reader-quota.ts';
import type { Reader } from '../../http/request/environment.ts';
import type { ProblemKind } from '../../http/request/problem-kinds.ts';
import type { Database } from '../../store/postgres/database.ts';
import type { ChangeSignal } from '../../store/read-api/change-signal.ts';
import { type ColumnKind, catalogued, isNullable, kindOf } from '../../store/read-api/list/columns.ts';
import type { Listing, Selection } from '../../store/read-api/list/listing.ts';
import type { Parameters } from '../../store/read-api/list/parameter-kinds.ts';
import type { Params } from './parameters.ts';
import type { Form } from './send.ts';

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
export function rowSchema(listing: Listing, more: z.ZodRawShape = {}): z.ZodObject {
  const members = Object.keys(listing.columns).map((name) => [name, columnSchema(listing, name)]);
  return z.object({ ...Object.fromEntries(members), ...more });
}

function columnSchema({ columns, view, says }: Listing, name: string): z.ZodType {
  const kind = kindOf(columns, name);
  const schema = isNullable(columns, name) && kind !== 'json' ? kinds[kind].nullable() : kinds[kind];
  const description = says?.[name] ?? catalogued(view, name)?.comment;
  return description === undefined ? schema : schema.meta({ description });
}

const accountId = z.string().meta({ description: 'The account.' });

/** A page of a list. */
export function pageSchema(
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
export function oneSchema(row: z.ZodType): z.ZodObject {
  return z.object({ account_id: accountId, data: row });
}

/** @param what the rows that are sealed, such as `all statuses` */
export function sealedSchema(what: string): z.ZodType {
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

export const problemSchema = z
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

export interface Tools {
  /** For an operation, its transactions take turns and end with the request (reader-quota.ts). */
  readonly readDatabase: Database;
  /** The account of the process. */
  readonly account: string;
  readonly changes: ChangeSignal;
  readonly quota: ReaderQuota;
}

/** A checked request. */
export interface ApiRequest {
  readonly params: Params;
  readonly reader: Reader;
  /** Aborts when the reader leaves. */
  readonly signal: AbortSignal;
  readonly form: Form;
}

export type Answer =
  | {
      /** JSON text. */
      readonly json: string;
      /** The cursor of the next page. */
      readonly next?: string | null;
    }
  | WholeList;

/** A list that is read while it is sent. */
export interface WholeList {
  readonly form: Exclude<Form, 'application/json'>;
  readonly listing: Listing;
  readonly selection: Selection;
  /** RFC 3339. */
  readonly readAt: string;
  /** Whether a summary ends the CSV. */
  readonly isSummedUp: boolean;
  /** What the file is called, without its ending, where a person keeps it; null where a program reads it. */
  readonly fileName: string | null;
}

export interface Operation {
  readonly id: string;
  /** As in OpenAPI, below /api. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: Parameters;
  /** Of the JSON. */
  readonly schema: z.ZodType;
  /** Names of the schemas of rows, for the reference. */
  readonly rows: Readonly<Record<string, z.ZodType>>;
  /** A list is answered as CSV and .xlsx too, at a path with that ending or by `Accept`. */
  readonly isList: boolean;
  /** Problems beside those that every route may answer. */
  readonly problems: readonly ProblemKind[];
  answer(request: ApiRequest, tools: Tools): Promise<Answer>;
}

/** Name of the parameter of the path, which has one at most; null where it has none. */
export function pathParameter({ path }: Pick<Operation, 'path'>): string | null {
  return /\{(\w+)\}/.exec(path)?.[1] ?? null;
}

/** The path as hono takes it. */
export function routeOf({ path }: Pick<Operation, 'path'>): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}
