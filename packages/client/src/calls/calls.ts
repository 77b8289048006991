// The kinds of operations: a single answer, a list, a list that can also be read as of a moment, and CSV.
import { assertPage, List, type PageOf } from './list.ts';
import { askJson, askStream, type Connection } from './request.ts';
import { type RetryPolicy, withRetries } from './retry.ts';

export interface CallOptions {
  /** Ends the call, which then rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

/** The arguments of a call: the query is optional if nothing in it is required. */
type Asking<Query> = object extends Query
  ? [query?: Query, options?: CallOptions]
  : [query: Query, options?: CallOptions];

interface Dated {
  readonly at?: string | Date | undefined;
}

/** A list whose rows have another form when it is read as of a moment. */
export interface ListAt<Query extends Dated, Answer, Now, Past> {
  (query?: Query & { readonly at?: undefined }, options?: CallOptions): List<Now, Answer>;
  (query: Query & { readonly at: string | Date }, options?: CallOptions): List<Past, Answer>;
  (query: Query, options?: CallOptions): List<Now | Past, Answer>;
}

type Values = Readonly<Record<string, unknown>>;

interface Route {
  readonly takesAccount: boolean;
}

const ofAnAccount: Route = { takesAccount: true };

export interface CallsOptions {
  readonly connection: Connection;
  readonly retry: RetryPolicy;
  /** For every call that names none. */
  readonly account: string | undefined;
}

export class Calls {
  readonly #connection: Connection;
  readonly #retry: RetryPolicy;
  readonly #account: string | undefined;

  constructor({ connection, retry, account }: CallsOptions) {
    this.#connection = connection;
    this.#retry = retry;
    this.#account = account;
  }

  one<Query extends object, Answer>(path: string, route = ofAnAccount) {
    return async (...[query, options]: Asking<Query>): Promise<Answer> => {
      const body = await this.#json(path, this.#values(query, route), options);
      // The tests of the server hold its answers to the description that the types are made of.
      return body as Answer;
    };
  }

  list<Query extends object, Answer, Row>(path: string, route = ofAnAccount) {
    return (...[query, options]: Asking<Query>): List<Row, Answer> =>
      this.#list<Row, Answer>(path, this.#values(query, route), options);
  }

  listAt<Query extends Dated, Answer, Now, Past>(
    path: string,
    route = ofAnAccount,
  ): ListAt<Query, Answer, Now, Past> {
    const ask = (query: Query | undefined, options: CallOptions | undefined) =>
      this.#list<Now | Past, Answer>(path, this.#values(query, route), options);
    function list(query?: Query & { readonly at?: undefined }, options?: CallOptions): List<Now, Answer>;
    function list(query: Query & { readonly at: string | Date }, options?: CallOptions): List<Past, Answer>;
    function list(query: Query, options?: CallOptions): List<Now | Past, Answer>;
    function list(query?: Query, options?: CallOptions): List<Now | Past, Answer> {
      return ask(query, options);
    }
    return list;
  }

  csv<Query extends object>(path: string, route = ofAnAccount) {
    return (...[query, options]: Asking<Query>): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> => {
      const question = { path, values: this.#values(query, route), signal: options?.signal };
      return withRetries(this.#retry, options?.signal, () => askStream(this.#connection, question));
    };
  }

  #values(query: object | undefined, { takesAccount }: Route): Values {
    const values: Values = { ...query };
    return takesAccount ? { ...values, account: values['account'] ?? this.#account } : values;
  }

  #list<Row, Answer>(path: string, values: Values, options: CallOptions | undefined): List<Row, Answer> {
    const { cursor: from, ...others } = values;
    const ask = async (cursor: string | undefined) => {
      const body = await this.#json(path, { ...others, cursor }, options);
      assertPage(body, path);
      return body as PageOf<Answer, Row>;
    };
    return new List<Row, Answer>(ask, typeof from === 'string' ? from : undefined);
  }

  #json(path: string, values: Values, options: CallOptions | undefined): Promise<unknown> {
    const question = { path, values, signal: options?.signal };
    return withRetries(this.#retry, options?.signal, () => askJson(this.#connection, question));
  }
}
