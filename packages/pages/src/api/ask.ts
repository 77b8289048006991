// How pages query the read API: it answers everything that a page shows. With words.ts, this is all that
// pages know of the rest of the program: nothing else here imports from outside.

import type { ProblemKind } from '../../../../src/http/request/problem-kinds.ts';
import type { Operations } from '../../../client/src/generated/types/api-types.ts';

export type { Params } from '../../../../src/api/answer/parameters.ts';
export type { Resource } from '../../../../src/domain/jobs.ts';
export type { Leaves } from '../../../../src/domain/json.ts';
export type { CachedStatus, ProcessState, StatusFault } from '../../../../src/http/request/status-source.ts';
export type * from '../../../../src/status/words.ts';
export type { Parameter, Parameters } from '../../../../src/store/read-api/list/parameter-kinds.ts';
export type * from '../../../client/src/generated/types/api-types.ts';

export interface Ask {
  /** @throws Problem as the API does */
  <Id extends OperationId>(id: Id, query?: QueryOf<Id>): Promise<AnswerOf<Id>>;
  /** As `ask`, or the last answer if it was slow to compute: the page shows its age. */
  cached<Id extends OperationId>(id: Id, query: QueryOf<Id>): Promise<AnswerOf<Id> & { askedAt: string }>;
  /** An answer also where it is unknown: never read, not observed at that moment, missing, too much. */
  known<Id extends OperationId>(id: Id, query?: QueryOf<Id>): Promise<Known<AnswerOf<Id>>>;
  /** As `known`, without waiting: a first answer that takes long is computed in the background. */
  last<Id extends OperationId>(id: Id, query: QueryOf<Id>): Promise<Last<AnswerOf<Id>>>;
  /** The text of the JSON, for documents of the service whose numbers must stay exact. */
  text<Id extends OperationId>(id: Id, query?: QueryOf<Id>): Promise<string>;
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

/** A list of which nothing is known has no rows, and a record is null. */
export type Known<Answer extends { readonly data: unknown }> = {
  readonly unknown: Unknown | null;
} & (Answer['data'] extends readonly unknown[]
  ? Rows<Answer['data'][number]>
  : { readonly data: Answer['data'] | null });

/** A page of a list, or why it is not known. */
export type Found<Row> = Known<Rows<Row>>;

export interface Unknown {
  readonly kind: ProblemKind;
  /** A sentence for a person; a moment in it is RFC 3339. */
  readonly why: string;
}

/** Values of a form are text; parameters without a value are left out. */
type Loose<Values> = { readonly [Name in keyof Values]?: Values[Name] | string | null | undefined };

/** An answer that may be some minutes old, and without data while the first one is computed. */
export type Last<Answer extends { readonly data: unknown }> = Known<Answer> & {
  readonly state: 'pending' | 'failed' | 'known';
  readonly askedAt: string | null;
};

/** Whether any transaction does: a link may lead to something that nothing else in the mirror knows. */
export async function isNamedByTransactions(ask: Ask, query: QueryOf<'listTransactions'>): Promise<boolean> {
  return (await ask.known('listTransactions', { ...query, limit: 1 })).data.length > 0;
}
