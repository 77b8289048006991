// Answers the queries of pages by the operations of the read API, within one state of the database.
import type { Ask } from '../../../packages/pages/src/api/ask.ts';
import type { Tools } from '../../api/answer/operation.ts';
import { checkParams, type Params } from '../../api/answer/parameters.ts';
import { Problem } from '../../api/answer/problem.ts';
import { operationOf } from '../../api/operations.ts';
import { capitalized } from '../../domain/words.ts';
import type { Reader } from '../../http/request/environment.ts';
import type { ProblemKind } from '../../http/request/problem-kinds.ts';

type Values = Readonly<Record<string, unknown>>;

const unknowns: readonly ProblemKind[] = [
  'not-read-yet',
  'moment-unknown',
  'not-found',
  'account-not-found',
  'too-many-matches',
];

/** @param tools with a database that is one open transaction */
export function createAsk(tools: Tools, reader: Reader, account: string, signal: AbortSignal): Ask {
  // The page and its frame ask some of the same: within one state of the database the answer is the same.
  const asked = new Map<string, Promise<string>>();
  const text = (id: string, query: Values = {}) => {
    const key = JSON.stringify([id, query]);
    const answer = asked.get(key) ?? read(id, query);
    asked.set(key, answer);
    return answer;
  };
  const read = async (id: string, query: Values) => {
    const operation = operationOf(id);
    const params = textOf(Object.hasOwn(operation.parameters, 'account') ? { account, ...query } : query);
    checkParams(operation.parameters, params);
    const answer = await operation.answer({ params, reader, signal, form: 'application/json' }, tools);
    if (!('json' in answer)) throw new TypeError(`${id} did not answer JSON`);
    return answer.json;
  };
  const ask = async (id: string, query?: Values) => JSON.parse(await text(id, query));
  const known = async (id: string, query?: Values) => {
    try {
      return { answer: await ask(id, query) };
    } catch (error) {
      if (error instanceof Problem && unknowns.includes(error.refusal.kind))
        return { unknown: { kind: error.refusal.kind, why: `${capitalized(error.refusal.detail)}.` } };
      throw error;
    }
  };
  const rows = async (id: string, query?: Values) => (await known(id, query)).answer?.data ?? [];
  const all = async (id: string, query?: Values) => {
    const rows: unknown[] = [];
    for (let cursor: unknown; cursor !== null; ) {
      const page = await ask(id, { ...query, limit: 500, cursor });
      rows.push(...page.data);
      cursor = page.next_cursor;
    }
    return rows;
  };
  return Object.assign(ask, { known, text, rows, all }) as Ask;
}

function textOf(query: Values): Params {
  const params = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(params.map(([name, value]) => [name, String(value)]));
}
