// What a route of the API is: its parameters, its answer, and what the reference says of it.
import type { ReaderQuota } from '../../http/access/reader-quota.ts';
import type { Reader } from '../../http/request/environment.ts';
import type { Database } from '../../store/postgres/database.ts';
import type { ChangeSignal } from '../../store/read-api/change-signal.ts';
import type { List, Listing, Selection } from '../../store/read-api/list/listing.ts';
import type { Parameters } from '../../store/read-api/list/parameter-kinds.ts';
import type { Params } from './parameters.ts';
import type { Form } from './send.ts';

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
  readonly description?: string;
  readonly parameters: Parameters;
  /** What it lists page by page; as CSV and .xlsx too, at a path with that ending or by `Accept`. */
  readonly list?: List;
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
