// Makes a page of domain records from an answer. Foreign JSON becomes domain here and nowhere else.
import { createTurns } from '../base/loop.ts';
import type { ListItem, Page } from '../domain/page.ts';
import { badBody, readAnswer, tooMany } from './answers.ts';
import { isObject } from './decode/content.ts';
import { readTimestamp } from './decode/fields.ts';
import { itemReader } from './decode/items.ts';
import { isForeignBody, isForeignRecord } from './decode/own-answers.ts';
import { mostRecords } from './decode/record-budget.ts';
import { createTolerance } from './decode/tolerance.ts';
import type { Asked, Endpoint } from './endpoints.ts';
import type { Decoded, RequestTools } from './http/requests.ts';
import type { ServiceAnswer } from './http/transport.ts';

interface PageTools extends Pick<RequestTools, 'config' | 'metrics' | 'foreign'> {
  readonly signal: AbortSignal;
  readonly isRepeated: boolean;
}

/**
 * @param signal ends the decoding of a long answer
 * @param isRepeated earlier answers contradicted the request as well: the service ignores what was asked
 * @returns the page, and whether the service said that nothing matched
 * @throws CustodyError for an error, or for an answer that breaks the documented interface
 */
export async function readPage<Record_>(
  endpoint: Endpoint<Record_>,
  asked: Asked,
  answer: ServiceAnswer,
  { config, metrics, foreign, signal, isRepeated }: PageTools,
): Promise<Decoded<Page<Record_>>> {
  const tolerance = createTolerance(endpoint.name, metrics);
  const { baseUrl, recordBudget: budget } = config;
  const context = { endpoint, baseUrl, foreign, tolerance, budget };
  const observation = { beganAt: answer.beganAt, arrivedAt: answer.arrivedAt };
  const body = readAnswer(answer, context);
  if (body === 'empty')
    return { result: { ...observation, items: [], sourceTimestamp: null }, empty: true, isOwn: false };

  if (isForeignBody(endpoint.name, body.value))
    throw badBody("the answer is another request's: it is a record of another kind", answer, context);
  const records = endpoint.find(body.value, asked, tolerance);
  if (records === null) throw badBody('the answer holds no list of records', answer, context);
  if (records.length > mostRecords) throw tooMany(`${mostRecords} records`, answer, context);
  if (records.length === 0) tolerance.tolerate('list-empty');
  const itemOf = itemReader(body, tolerance, endpoint.decoder(asked), budget);
  const items: ListItem<Record_>[] = [];
  const idField = endpoint.idField?.(asked.rules) ?? null;
  let foreignRecords = 0;
  const turns = createTurns(signal);
  for (const record of records) {
    if (turns.isDue()) await turns.next();
    if (isForeignRecord(endpoint.name, record, idField)) foreignRecords += 1;
    items.push(itemOf(record));
  }
  if (foreignRecords > 0 && foreignRecords === records.length)
    throw badBody("the answer is another request's: its records are of another kind", answer, context);
  if (!isRepeated && !fits(items, asked.fields ?? {}))
    throw badBody("the answer is another request's: no record is what was asked for", answer, context);
  const sourceTimestamp = isObject(body.value)
    ? readTimestamp(body.value, 'timestamp', { ...body, tolerate: tolerance.tolerate })
    : null;
  tolerance.flush();
  const isOwn = records.length > 0 && (endpoint.isTelling?.(body.value) ?? true);
  return { result: { ...observation, items, sourceTimestamp }, empty: false, isOwn };
}

/** Whether one of the records has these values, as far as records name them. */
function fits(items: readonly ListItem<unknown>[], fields: NonNullable<Asked['fields']>): boolean {
  const records = items.filter((item) => item.kind === 'record').map(({ record }) => Object(record));
  const asked = Object.entries(fields).filter(([, value]) => value !== undefined);
  const isFit = (record: Record<string, unknown>) =>
    asked.every(([name, value]) => record[name] === value || record[name] === null);
  return records.length === 0 || records.some(isFit);
}
