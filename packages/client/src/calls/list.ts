// A list of the API: its rows one by one over all pages, or page by page.
import { ApiError } from './api-error.ts';

export interface Page<Row> {
  readonly data: readonly Row[];
  /** The `cursor` of the next page; null on the last one. */
  readonly next_cursor: string | null;
}

/** The answer of a list, with rows of one form. */
export type PageOf<Answer, Row> = Page<Row> & Omit<Answer, keyof Page<Row>>;

/**
 * A list, asked for when it is iterated; each iteration starts again. New rows shift nothing:
 * the others come once each, unless a change moves them in the requested order.
 */
export class List<Row, Answer = Page<Row>> implements AsyncIterable<Row> {
  readonly #ask: (cursor: string | undefined) => Promise<PageOf<Answer, Row>>;
  readonly #from: string | undefined;

  constructor(ask: (cursor: string | undefined) => Promise<PageOf<Answer, Row>>, from: string | undefined) {
    this.#ask = ask;
    this.#from = from;
  }

  /** The first page; with `cursor` in the query, the page from there. */
  async page(): Promise<PageOf<Answer, Row>> {
    return await this.#ask(this.#from);
  }

  async *pages(): AsyncGenerator<PageOf<Answer, Row>, void, undefined> {
    for (let cursor = this.#from; ; ) {
      const page = await this.#ask(cursor);
      yield page;
      if (page.next_cursor === null) return;
      cursor = page.next_cursor;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined> {
    for await (const { data } of this.pages()) yield* data;
  }

  /** All rows: for lists that fit into memory. */
  async toArray(): Promise<Row[]> {
    const rows: Row[] = [];
    for await (const row of this) rows.push(row);
    return rows;
  }
}

/** @throws ApiError for an answer that is not a page */
export function assertPage(body: unknown, name: string): asserts body is Page<unknown> {
  const isPage =
    typeof body === 'object' &&
    body !== null &&
    'data' in body &&
    Array.isArray(body.data) &&
    'next_cursor' in body &&
    (body.next_cursor === null || typeof body.next_cursor === 'string');
  if (!isPage)
    throw new ApiError(`GET /api${name}: the response is not a page of a list`, {
      status: 200,
      isTransient: false,
    });
}
