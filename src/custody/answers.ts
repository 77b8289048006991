// Makes a page of domain records from an answer, or the error for which it stands (docs/custody-service.md 7).
// Foreign JSON becomes domain here and nowhere else. The error_code counts before the HTTP status, because the
// transient ERR-01 arrives as HTTP 400, and some services send errors with HTTP 200.
import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CustodyError, type CustodyFaultKind, serviceFixes } from '../domain/errors.ts';
import { vaultTypes } from '../domain/fields.ts';
import type { Instant } from '../domain/instant.ts';
import type { ListItem, Page } from '../domain/page.ts';
import { type ExactJson, isObject, parseExactly } from './decode/exact-json.ts';
import { createTolerance, numberText, readTimestamp, type Tolerance } from './decode/fields.ts';
import { hasMoreMembers, itemReader, mostMembers, mostRecords, type RecordBudget } from './decode/items.ts';
import { areForeignRecords, isForeignBody, isForeignCode, isNamedList } from './decode/lists.ts';
import type { Asked, Endpoint } from './endpoints.ts';
import type { ForeignText } from './http/foreign-text.ts';
import type { Decoded, RequestTools } from './http/requests.ts';
import type { ServiceAnswer } from './http/transport.ts';

interface PageTools extends Pick<RequestTools, 'config' | 'metrics' | 'foreign'> {
  readonly signal: AbortSignal;
  /** Asked for each answer that contradicts the request: whether the service works that way. */
  readonly isBelieved: () => boolean;
}

/** Records are decoded in slices. Between two, the event loop serves everything else. */
const sliceMs = 10;

/**
 * @param signal ends the decoding of a long answer
 * @returns the page, and whether the service said that nothing matched
 * @throws CustodyError for an error, or an answer that breaks the documented interface
 */
export async function readPage<Record_>(
  endpoint: Endpoint<Record_>,
  asked: Asked,
  answer: ServiceAnswer,
  { config, metrics, foreign, signal, isBelieved }: PageTools,
): Promise<Decoded<Page<Record_>>> {
  const tolerance = createTolerance(endpoint.name, metrics);
  const { baseUrl, recordBudget: budget } = config;
  const context = { answer, endpoint, baseUrl, foreign, tolerance, budget };
  const observation = { beganAt: answer.beganAt, arrivedAt: answer.arrivedAt };
  const body = readAnswer(context);
  if (body === 'empty')
    return { result: { ...observation, items: [], sourceTimestamp: null }, empty: true, isOwn: false };

  if (isForeignBody(endpoint.kind, body.value))
    throw badBody("the answer is another request's: it is a record of another kind", context);
  const records = endpoint.find(body.value, asked, tolerance);
  if (records === null) throw badBody('the answer holds no list of records', context);
  if (records.length > mostRecords) throw tooMany(`${mostRecords} records`, context);
  if (records.length === 0) tolerance.tolerate('list-empty');
  if (areForeignRecords(endpoint.kind, records, endpoint.idField?.(asked.rules) ?? null))
    throw badBody("the answer is another request's: its records are of another kind", context);
  const itemOf = itemReader(body, tolerance, endpoint.decoder(asked), budget);
  const items: ListItem<Record_>[] = [];
  let sliceBeganAt = performance.now();
  for (const record of records) {
    if (performance.now() - sliceBeganAt >= sliceMs) {
      await nextTurn();
      signal.throwIfAborted();
      sliceBeganAt = performance.now();
    }
    items.push(itemOf(record));
  }
  if (!fits(items, asked.fields ?? {}) && !isBelieved())
    throw badBody("the answer is another request's: no record is what was asked for", context);
  const sourceTimestamp = isObject(body.value)
    ? readTimestamp(body.value, 'timestamp', { ...body, tolerate: tolerance.tolerate })
    : null;
  tolerance.flush();
  const isTelling = endpoint.isTelling ?? ((value) => isNamedList(endpoint.kind, value, records));
  const isOwn = records.length > 0 && isTelling(body.value);
  return { result: { ...observation, items, sourceTimestamp }, empty: false, isOwn };
}

/** Whether one of the records has these values, as far as records name them. */
function fits(items: readonly ListItem<unknown>[], fields: NonNullable<Asked['fields']>): boolean {
  const records = items.filter((item) => item.kind === 'record').map(({ record }) => Object(record));
  const asked = Object.entries(fields).filter(([, value]) => value !== undefined);
  // Vaults are not documented: their `type` may be of another sort.
  const saysNothing = (name: string, value: unknown) =>
    value === null || (name === 'vaultType' && !vaultTypes.some((type) => type === value));
  const isFit = (record: Record<string, unknown>) =>
    asked.every(([name, value]) => record[name] === value || saysNothing(name, record[name]));
  return records.length === 0 || records.some(isFit);
}

interface AnswerContext {
  readonly answer: ServiceAnswer;
  readonly endpoint: Pick<Endpoint<unknown>, 'name' | 'kind' | 'emptyCodes'>;
  readonly baseUrl: URL;
  readonly foreign: ForeignText;
  readonly tolerance: Tolerance;
  readonly budget: RecordBudget;
}

/**
 * @returns the body of the answer, or `empty` when it says that nothing matched
 * @throws CustodyError for every other answer
 */
function readAnswer(context: AnswerContext): ExactJson | 'empty' {
  const { answer, endpoint, tolerance } = context;
  const body = parseBody(context);
  const reported = body === null ? null : reportedError(body);
  if (reported !== null) {
    if (isForeignCode(endpoint.kind, reported.code))
      throw badBody(`the answer is another request's: ${reported.code}`, context);
    if (endpoint.emptyCodes.includes(reported.code)) return 'empty';
    const { code, message } = reported;
    const known = kindOfCode(code);
    const kind = known ?? kindOfStatus(isSuccess(answer.status) ? reported.status : answer.status);
    // Health recognises a refused key by its code, which has to be one of two.
    if (known === null && kind === 'key-rejected')
      throw toError(kind, 'HTTP-401', `${code}: ${message}`, context);
    throw toError(kind, code, message, context);
  }
  if (!isSuccess(answer.status)) throw statusError(body !== null, context);
  const type = answer.headers.get('content-type');
  if (body === null || (type !== null && !/\bjson\b/i.test(type)))
    throw badBody('the answer is not the documented JSON', context);
  if (type === null) tolerance.tolerate('content-type-missing');
  if (!body.isUtf8) tolerance.tolerate('invalid-utf8');
  return body;
}

/** The error for an answer that breaks the documented interface. It is transient. */
function badBody(what: string, context: AnswerContext): CustodyError {
  const { answer, foreign } = context;
  const type = foreign.show(answer.headers.get('content-type') ?? 'no content type');
  const message = `${what} (${type}, ${answer.body.length} bytes)`;
  return toError('transient', 'BAD-BODY', message, context);
}

/** The error for an answer that is longer than is ever read. */
function tooMany(what: string, context: AnswerContext): CustodyError {
  return toError('permanent', 'BODY-TOO-LARGE', `the answer holds more than ${what}`, context);
}

/** Null when the body is not JSON. */
function parseBody(context: AnswerContext): ExactJson | null {
  const { body } = context.answer;
  // It leaves out a byte order mark.
  const text = new TextDecoder().decode(body);
  const most = mostMembers(context.budget);
  if (hasMoreMembers(text, most))
    throw tooMany(`${most} members (CUSTODY_RECORD_MEMBERS allows more)`, context);
  try {
    return parseExactly(text, isUtf8(body));
  } catch (error) {
    // A text that is nested too deeply is a RangeError.
    if (error instanceof SyntaxError || error instanceof RangeError) return null;
    throw error;
  }
}

interface ReportedError {
  readonly code: string;
  readonly message: string;
  /** The HTTP status that the body names. */
  readonly status: number;
}

/** The error_code that some services send for success: `0`, `0.0` or an empty text. */
const noError = /^-?0*(\.0+)?$/;

/** The error of a body with an error_code (docs/custody-service.md 7); null when it has none. */
function reportedError({ value: body, mark }: ExactJson): ReportedError | null {
  if (!isObject(body)) return null;
  const text = body['error_code'];
  if (typeof text !== 'string') return null;
  const code = (numberText(text, { mark }) ?? text).trim();
  if (noError.test(code)) return null;
  const words = [body['error_message'], body['details']].filter(
    (word): word is string => typeof word === 'string' && word !== '',
  );
  const status = typeof body['code'] === 'string' ? Number(body['code'].replace(/\D/g, '')) : 0;
  return { code, message: words.join(': '), status };
}

function statusError(isJson: boolean, context: AnswerContext): CustodyError {
  const { status } = context.answer;
  const code = `HTTP-${status}`;
  if (status === 404) {
    const hint = `nothing found there; is CUSTODY_BASE_URL (${context.baseUrl.href}) right?`;
    return toError('permanent', code, hint, context);
  }
  // A 400 without a readable body may have been the transient ERR-01.
  if (status === 400 && !isJson) return badBody('the error is not the documented JSON', context);
  return toError(kindOfStatus(status), code, 'the answer names no error_code', context);
}

function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}

function kindOfCode(code: string): CustodyFaultKind | null {
  if (code === 'ERR-01') return 'transient';
  if (code === 'ERR-02') return 'key-rejected';
  if (code === 'ERR-03') return 'rate-limited';
  return Object.hasOwn(serviceFixes, code) ? 'permanent' : null;
}

function kindOfStatus(status: number): CustodyFaultKind {
  if (status === 401) return 'key-rejected';
  if (status === 429) return 'rate-limited';
  return status === 408 || status === 425 || status >= 500 ? 'transient' : 'permanent';
}

function toError(
  kind: CustodyFaultKind,
  code: string,
  message: string,
  { answer, endpoint, foreign }: AnswerContext,
): CustodyError {
  const safeCode = foreign.show(code).slice(0, 40);
  return new CustodyError(`${endpoint.name}: ${safeCode}: ${foreign.show(message)} (HTTP ${answer.status})`, {
    kind,
    code: safeCode,
    endpoint: endpoint.name,
    httpStatus: answer.status,
    retryAfterMs: retryAfterMs(answer.headers, answer.arrivedAt),
  });
}

/** Longer waits are cut to this. */
const maxWaitMs = 15 * 60_000;

/**
 * Retry-After in milliseconds. A date counts from the Date header of the answer, or else from our clock: the
 * two may differ.
 *
 * @returns null when absent or unreadable
 */
export function retryAfterMs(headers: Pick<Headers, 'get'>, nowMs: Instant): number | null {
  const value = headers.get('retry-after')?.trim() ?? '';
  // Date.parse accepts almost any text; an HTTP date names its month.
  const until = /[a-z]{3}/i.test(value) ? Date.parse(value) : Number.NaN;
  const answeredAt = Date.parse(headers.get('date') ?? '');
  const ms = /^\d+(\.\d+)?$/.test(value)
    ? Number(value) * 1000
    : until - (Number.isNaN(answeredAt) ? nowMs : answeredAt);
  return Number.isNaN(ms) ? null : Math.min(maxWaitMs, Math.max(0, Math.ceil(ms)));
}
