// From a request to an operation and back: the address, the form, the parameters, and how the answer is sent.
import type { Context, Handler } from 'hono';
import type { Logger } from '../../../base/logger.ts';
import { streamCsv } from '../../../store/reading/list/stream-csv.ts';
import type { ReaderVariables } from '../../access/reader.ts';
import { streamOf } from './csv-stream.ts';
import { type Form, wantedForm } from './negotiate.ts';
import type { Answer, Operation, Tools } from './operation.ts';
import { readParameters } from './parameters.ts';
import { answerProblem, Problem, problemOf } from './problem.ts';
import { sendCsv, sendJson } from './send.ts';

export interface ApiEnvironment {
  readonly Variables: ReaderVariables;
}

const longestAddress = 8_192;

/** @param fixed the form that the path names; without it the reader chooses */
export function handle(operation: Operation, tools: Tools, fixed: Form | null): Handler<ApiEnvironment> {
  return async (c) => {
    const url = new URL(c.req.url);
    if (url.pathname.length + url.search.length > longestAddress)
      throw new Problem('address-too-long', `path and query may have ${longestAddress} characters together`);
    const form = fixed ?? wantedForm(c.req.header('accept'), formsOf(operation));
    if (form === null)
      throw new Problem('not-acceptable', `this answer has the forms ${formsOf(operation).join(', ')}`);
    const given = readParameters(operation.parameters, url.search, pathValues(operation, url, fixed));
    const reader = c.get('reader');
    const answer = await operation.answer({ given, reader, signal: c.req.raw.signal, form }, tools);
    return await send(c, operation, answer, tools, url);
  };
}

export function formsOf({ isList }: Operation): readonly Form[] {
  return isList ? ['application/json', 'text/csv'] : ['application/json'];
}

async function send(
  c: Context<ApiEnvironment>,
  operation: Operation,
  answer: Answer,
  { readDatabase, logger }: Tools,
  url: URL,
): Promise<Response> {
  if ('json' in answer) {
    if (answer.next) c.header('link', `<${withCursor(url, answer.next)}>; rel="next"`);
    return await sendJson(c, answer.json);
  }
  const { listing, selection } = answer;
  if (c.req.raw.method === 'HEAD') return sendCsv(c, listing.name, null);
  const stream = await streamOf(
    (write) => streamCsv(readDatabase, listing, selection, write),
    (error) => logger.info({ route: operation.path, err: error }, 'a stream of CSV broke off'),
  );
  return sendCsv(c, listing.name, stream);
}

/** Relative, so that it holds behind a proxy that changes the path. */
function withCursor({ search }: URL, cursor: string): string {
  const others = search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !/^cursor=/.test(pair));
  return `?${[...others, `cursor=${cursor}`].join('&')}`;
}

/** The values of the parameters of the path, as they stand in the address: the framework would decode leniently. */
function pathValues({ path }: Operation, { pathname }: URL, fixed: Form | null): Record<string, string> {
  const given = pathname.slice(pathname.indexOf('/v1/')).split('/');
  const values: Record<string, string> = {};
  const wanted = path.split('/');
  for (const [index, part] of wanted.entries()) {
    const name = /^\{(.*)\}$/.exec(part)?.[1];
    const value = given[index];
    if (name !== undefined && value !== undefined)
      values[name] =
        index === wanted.length - 1 && fixed === 'text/csv' ? value.replace(/\.csv$/, '') : value;
  }
  return values;
}

/** Errors become problems; what is not the reader's fault is logged, with the route and never its values. */
export function answerError(error: unknown, c: Context, logger: Logger, route: string): Response {
  const problem = problemOf(error);
  if (problem.code === 'failed') logger.error({ err: error, route }, 'answering a request of the API failed');
  if (problem.code === 'unavailable')
    logger.warn({ err: error, route }, 'a request of the API was not answered');
  return answerProblem(c, problem);
}
