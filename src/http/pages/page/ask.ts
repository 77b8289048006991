// Pages ask the operations of the read API, within one state of the database: what a page shows, the API
// answers.
import { capitalized } from '../../../domain/words.ts';
import type { Operation, Tools } from '../../api/answer/operation.ts';
import { checkGiven, type Given } from '../../api/answer/parameters.ts';
import { Problem } from '../../api/answer/problem.ts';
import { operations } from '../../api/operations.ts';
import type { Reader } from '../../request/environment.ts';
import type { ProblemKind } from '../../request/problem-kinds.ts';
import type { Operations } from './api.ts';

export interface Ask {
  /**
   * What the API answers to the same query.
   *
   * @throws Problem as the API does
   */
  <Id extends OperationId>(id: Id, query?: QueryOf<Id>): Promise<AnswerOf<Id>>;
  /** The text of the JSON, for documents of the service whose numbers must stay exact. */
  text<Id extends OperationId>(id: Id, query?: QueryOf<Id>): Promise<string>;
  /** An answer, or why it is not known: never read, not observed at that moment, not there, too much. */
  known<Id extends OperationId>(id: Id, query?: QueryOf<Id>): Promise<Known<AnswerOf<Id>>>;
  /** The rows of all pages of a list. */
  all<Id extends ListId>(id: Id, query?: QueryOf<Id>): Promise<AnswerOf<Id>['data']>;
}

export type OperationId = keyof Operations;
export type QueryOf<Id extends OperationId> = Loose<Operations[Id]['query']>;
export type AnswerOf<Id extends OperationId> = Operations[Id]['answer'];

/** Operations that answer page by page. */
type ListId = {
  [Id in OperationId]: AnswerOf<Id> extends { next_cursor: string | null } ? Id : never;
}[OperationId];

/** One page of a list. */
export interface Rows<Row> {
  readonly data: readonly Row[];
  readonly next_cursor: string | null;
}

export type Known<Answer> = { readonly answer: Answer } | { readonly unknown: Unknown };

export interface Unknown {
  readonly kind: ProblemKind;
  /** A sentence for a person; a moment in it is RFC 3339. */
  readonly why: string;
}

/** Values of a form are text; parameters without a value are left out. */
type Loose<Values> = { readonly [Name in keyof Values]?: Values[Name] | string | null | undefined };

type Values = Readonly<Record<string, unknown>>;

const byId = new Map(operations.map((operation) => [operation.id, operation]));
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
    const given = textOf(Object.hasOwn(operation.parameters, 'account') ? { account, ...query } : query);
    checkGiven(operation.parameters, given);
    const answer = await operation.answer({ given, reader, signal, form: 'application/json' }, tools);
    if (!('json' in answer)) throw new TypeError(`${id} did not answer JSON`);
    return answer.json;
  };
  const ask = async (id: string, query?: Values) => JSON.parse(await text(id, query));
  const known = async (id: string, query?: Values) => {
    try {
      return { answer: await ask(id, query) };
    } catch (error) {
      if (error instanceof Problem && unknowns.includes(error.refusal.kind))
        return { unknown: { kind: error.refusal.kind, why: inWords(error.refusal) } };
      throw error;
    }
  };
  const all = async (id: string, query?: Values) => {
    const rows: unknown[] = [];
    for (let cursor: unknown; cursor !== null; ) {
      const page = await ask(id, { ...query, limit: 500, cursor });
      rows.push(...page.data);
      cursor = page.next_cursor;
    }
    return rows;
  };
  return Object.assign(ask, { known, text, all }) as Ask;
}

/** Answers speak to programs; this is the same for a person who looks at a page. */
function inWords({ kind, detail }: Problem['refusal']): string {
  if (kind === 'moment-unknown') {
    if (/ on [\d-]+$/.test(detail))
      return 'Nothing was observed on that day: what was there at its end is unknown, not empty.';
    const [since] = /\d{4}-\S+Z$/.exec(detail) ?? [];
    return since === undefined
      ? 'Nothing had been read yet at that moment: what was there is unknown, not empty.'
      : `This is before the mirror began: what was there is unknown, not empty. The first reading is of ${since}.`;
  }
  if (kind === 'not-read-yet')
    return 'The mirror has not read this list yet, or leaves it out: what is there is unknown, not empty.';
  if (kind === 'not-found') return 'The account has nothing with this identifier.';
  return `${capitalized(detail)}.`;
}

/** Whether any transaction does: their links lead to what the mirror may know nothing else of. */
export async function isNamedByTransactions(ask: Ask, query: QueryOf<'listTransactions'>): Promise<boolean> {
  const found = await ask.known('listTransactions', { ...query, limit: 1 });
  return 'answer' in found && found.answer.data.length > 0;
}

export function operationOf(id: string): Operation {
  const operation = byId.get(id);
  if (operation === undefined) throw new TypeError(`there is no operation ${id}`);
  return operation;
}

function textOf(query: Values): Given {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}
