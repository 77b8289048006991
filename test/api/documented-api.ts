// A server of the API on a free port, and the API as its committed document describes it, for a reader that
// trusts nothing else.
import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { z } from 'zod';
import { openReading, type Reading } from '../support/api-source.ts';
import { type RunningServer, startServer } from '../support/running-server.ts';
import { account } from '../support/store.ts';

export interface Api extends RunningServer, Pick<Reading, 'waiting'> {
  /** The body of an answer that must be 200. */
  json(path: string): Promise<Body>;
  /** All rows of a list, page by page. */
  walk(path: string, onPage?: () => Promise<unknown>): Promise<Row[]>;
}

export type Row = Record<string, unknown>;

export interface Body {
  readonly data: Row[];
  readonly next_cursor: string | null;
  readonly next_after: number;
  readonly history: string;
  readonly has_more: boolean;
  readonly last_change_id: number;
}

export interface ApiOptions {
  /** The account of the process. */
  readonly of?: string;
  /** How often to look for changes while somebody waits for them. */
  readonly lookEveryMs?: number;
}

export async function startApi(url: string, { of = account, lookEveryMs }: ApiOptions = {}): Promise<Api> {
  const reading = openReading(url, lookEveryMs);
  const server = await startServer({ reading, account: of });
  const json = async (path: string) => {
    const answer = await server.get(path);
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text}`);
    return JSON.parse(text);
  };
  return {
    ...server,
    waiting: reading.waiting,
    json,
    async walk(path, onPage = async () => undefined) {
      const rows: Row[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const separator = path.includes('?') ? '&' : '?';
        const page: Body = await json(cursor === '' ? path : `${path}${separator}cursor=${cursor}`);
        rows.push(...page.data);
        cursor = page.next_cursor;
        await onPage();
      }
      return rows;
    },
  };
}

const parameterForm = z.looseObject({
  name: z.string(),
  in: z.enum(['query', 'path']),
  required: z.boolean(),
  schema: z.looseObject({
    type: z.string(),
    enum: z.array(z.string()).optional(),
    format: z.string().optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    maxLength: z.number().optional(),
  }),
  example: z.union([z.string(), z.number()]),
  description: z.string().min(20),
});

const specForm = z.looseObject({
  paths: z.record(
    z.string(),
    z.object({
      get: z.looseObject({
        operationId: z.string(),
        parameters: z.array(parameterForm),
        responses: z.record(z.string(), z.unknown()),
      }),
    }),
  ),
});

export const document = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'));
const spec = specForm.parse(document);

export interface Route {
  readonly path: string;
  readonly operationId: string;
  readonly parameters: readonly z.infer<typeof parameterForm>[];
  readonly responses: Readonly<Record<string, unknown>>;
}

export const routes: readonly Route[] = Object.entries(spec.paths).map(([path, { get }]) => ({
  path,
  ...get,
}));

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(document, 'spec');

/** Checks an answer against the committed document: its status, its form and its schema. */
export function validatorOf(path: string, status: number, contentType: string): ValidateFunction {
  const pointer = (text: string) => text.replaceAll('~', '~0').replaceAll('/', '~1');
  const common = `#/components/responses/${status}`;
  const own = `#/paths/${pointer(path)}/get/responses/${status}`;
  const place = spec.paths[path]?.get.responses[String(status)];
  const isCommon = typeof place === 'object' && place !== null && '$ref' in place;
  const found = ajv.getSchema(`spec${isCommon ? common : own}/content/${pointer(contentType)}/schema`);
  if (found === undefined) throw new Error(`${path} does not describe ${status} ${contentType}`);
  return found as ValidateFunction;
}
