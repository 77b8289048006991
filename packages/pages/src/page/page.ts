// What a page is: its path, what its address may hold, and how it is made.

import type { Child } from 'hono/jsx';
import type { Resource } from '../../../../src/domain/jobs.ts';
import type { AnswerOf, Ask, CachedAnswer, LastAnswer, OperationId, QueryOf } from '../api/ask.ts';
import {
  type CachedStatus,
  operationOf,
  type Parameter,
  type Parameters,
  type Params,
} from '../api/interface.ts';
import type { View } from '../view/view.ts';

export type Section = 'overview' | 'balances' | 'transactions' | 'documents' | 'reconciliation' | 'sync';

export interface PageRequest {
  /** The values of the address but for the account, checked; those of the path among them. */
  readonly params: Params;
  readonly view: View;
  readonly ask: Ask;
  /** The report of the account: of the process's own without a question to this page's transaction. */
  status(): Promise<CachedStatus>;
  /** As `ask`, or the last answer if it was slow to compute: the page shows its age. */
  askCached<Id extends OperationId>(id: Id, query: QueryOf<Id>): Promise<CachedAnswer<AnswerOf<Id>>>;
  /** The same without a wait: null while the first answer is computed in the background. */
  lastAnswer<Id extends OperationId>(id: Id, query: QueryOf<Id>): Promise<LastAnswer<AnswerOf<Id>>>;
}

export interface Rendered {
  /** Of the document and as the first heading. */
  readonly title: string;
  readonly content: Child;
  /** Beside the heading: what the page is of, such as its moment, and what can be taken from it. */
  readonly actions?: Child;
  /** The page has charts: loads the script that draws them. */
  readonly hasCharts?: boolean;
  /**
   * The page shows how things were at a moment, not how they are: it is not refreshed. Default: whether the
   * address has `at`.
   */
  readonly isPast?: boolean;
  /** 404 for what is not there, 503 for what is not known at present. */
  readonly status?: 200 | 404 | 503;
}

/** In place of a page, the address that has what was asked for. */
export interface Redirect {
  /** Path and parameters, made by `addressOf`. */
  readonly location: string;
}

export interface Page {
  /** As hono takes it, such as `/transactions/:transaction_id`. */
  readonly path: string;
  /** Which entry of the navigation it belongs to. */
  readonly section: Section;
  /** What its figures come from: the pill above shows how fresh and complete it is. */
  readonly about: readonly Resource[];
  /** `account` is among them without being named. */
  readonly parameters: Parameters;
  show(request: PageRequest): Promise<Rendered | Redirect>;
  /**
   * Shows the process's own account while the database does not answer; without it the page is refused then.
   */
  showOffline?(seen: CachedStatus): Rendered;
}

/** Parameters of an operation of the API, under their own names; those of filters too, by their fields. */
export function parametersOf<Name extends string>(
  id: string,
  ...names: readonly Name[]
): Readonly<Record<Name, Parameter>> {
  const { parameters } = operationOf(id);
  const found = names.map((name): [string, Parameter] => {
    const parameter = parameters[name];
    if (parameter === undefined) throw new TypeError(`${id} has no parameter ${name}`);
    return [name, parameter];
  });
  return Object.fromEntries(found) as Record<Name, Parameter>;
}
