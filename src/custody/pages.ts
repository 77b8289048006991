// Makes a page of domain records from an answer. Foreign JSON becomes domain here and nowhere else.
import { createTurns } from '../base/loop.ts';
import type { ListItem, Page } from '../domain/page.ts';
import { badBody, readAnswer, tooManyRecords } from './answers.ts';
import { isObject } from './decode/content.ts';
import { readTimestamp } from './decode/fields.ts';
import { itemReader } from './decode/items.ts';
import { createTolerance } from './decode/tolerance.ts';
import type { Asked, Endpoint } from './endpoints.ts';
import type { Decoded, RequestTools } from './http/requests.ts';
import type { ServiceAnswer } from './http/transport.ts';

/**
 * @param signal ends the decoding of a long answer
 * @returns the page, and whether the service said that nothing matched
 * @throws CustodyError for an error, or for an answer that breaks the documented interface
 */
export async function readPage<Record_>(
  endpoint: Endpoint<Record_>,
  asked: Asked,
  answer: ServiceAnswer,
  { config, metrics, foreign }: Pick<RequestTools, 'config' | 'metrics' | 'foreign'>,
  signal: AbortSignal,
): Promise<Decoded<Page<Record_>>> {
  const tolerance = createTolerance(endpoint.name, metrics);
  const budget = config.recordBudget;
  const turns = createTurns(signal);
  const context = { endpoint, baseUrl: config.baseUrl, foreign, tolerance, budget, turns };
  const observation = { beganAt: answer.beganAt, arrivedAt: answer.arrivedAt };
  const body = await readAnswer(answer, context);
  if (body === 'empty') return { result: { ...observation, items: [], sourceTimestamp: null }, empty: true };

  const records = endpoint.find(body.value, asked, tolerance);
  if (records === null && body.hasTooMany) throw tooManyRecords(answer, context);
  const found = (records ?? []).reduce<number>((sum, record) => sum + body.oversizedIn(record), 0);
  if (found < body.oversized)
    throw badBody('the answer is larger outside its list than a record may be', answer, context);
  if (records === null) throw badBody('the answer holds no list of records', answer, context);
  if (records.length === 0) tolerance.tolerate('list-empty');
  const itemOf = itemReader(body, tolerance, endpoint.decoder(asked), budget);
  const readRecord = (record: unknown) => {
    try {
      return body.read(record);
    } catch (error) {
      if (error instanceof SyntaxError || error instanceof RangeError)
        throw badBody('the answer is not JSON', answer, context);
      throw error;
    }
  };
  const items: ListItem<Record_>[] = [];
  for (const record of records) {
    if (turns.isDue()) await turns.next();
    items.push(itemOf(readRecord(record)));
  }
  const sourceTimestamp = isObject(body.value)
    ? readTimestamp(body.value, 'timestamp', { ...body, tolerate: tolerance.tolerate })
    : null;
  tolerance.flush();
  return { result: { ...observation, items, sourceTimestamp }, empty: false };
}
