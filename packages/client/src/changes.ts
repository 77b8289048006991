// The feed of changes: every change once, in the order of commits, across faults of the network and of the
// mirror.
import { ApiError } from './calls/api-error.ts';
import { pauseAfter, type RetryPolicy } from './calls/retry.ts';
import { sleep } from './calls/waiting.ts';
import type { Change, FollowChangesAnswer, FollowChangesQuery } from './generated/types/api-types.ts';

export interface ChangesOptions extends Omit<FollowChangesQuery, 'wait' | 'limit' | 'history'> {
  /** The history of the position `after`: required with it. */
  readonly history?: string | null | undefined;
  /** How many seconds the mirror may hold a response while there are no changes: 0 to 30, default 25. */
  readonly wait?: number | undefined;
  /** How many changes to fetch at once: 1 to 500, default 500. */
  readonly limit?: number | undefined;
  /** Ends the feed. */
  readonly signal?: AbortSignal | undefined;
}

/** A position in the feed. It can be passed to `changes()` as it is. */
export interface Place {
  readonly after: number;
  /** The history that the position belongs to; null before the first change. */
  readonly history?: string | null | undefined;
}

/** Sends one request for changes to the mirror. */
export type AskChanges = (
  query: FollowChangesQuery,
  heldMs: number,
  signal: AbortSignal | undefined,
) => Promise<unknown>;

/**
 * It ends when its signal is aborted, and throws an ApiError for failures that do not pass with time. For one
 * reader.
 */
export class ChangeFeed implements AsyncIterable<Change> {
  readonly #ask: AskChanges;
  readonly #retry: RetryPolicy;
  readonly #query: FollowChangesQuery & { readonly wait: number };
  readonly #signal: AbortSignal | undefined;
  #position: Place;

  constructor(ask: AskChanges, retry: RetryPolicy, { signal, after = 0, history, ...query }: ChangesOptions) {
    this.#ask = ask;
    this.#retry = retry;
    this.#query = { ...query, wait: query.wait ?? 25, limit: query.limit ?? 500 };
    this.#signal = signal;
    this.#position = { after, history };
  }

  /**
   * The position after the last change, or page, that was handed out. Store it whole once that is handled, as
   * JSON: passed to `changes()`, the feed resumes there.
   */
  get position(): Place {
    return this.#position;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Change, void, undefined> {
    for await (const { data, history } of this.#answers())
      for (const change of data) {
        if (this.#signal?.aborted) return;
        this.#position = { after: change.change_id, history };
        yield change;
      }
  }

  /**
   * The changes in batches, as the mirror sends them: to store many in one transaction. No page is empty.
   */
  async *pages(): AsyncGenerator<FollowChangesAnswer, void, undefined> {
    for await (const page of this.#answers()) {
      this.#position = placeAfter(page);
      yield page;
    }
  }

  async *#answers(): AsyncGenerator<FollowChangesAnswer, void, undefined> {
    try {
      for (;;) {
        this.#signal?.throwIfAborted();
        const page = await this.#next();
        if (page.data.length > 0) yield page;
        // The history may have got another name without a change.
        else this.#position = placeAfter(page);
      }
    } catch (error) {
      if (!this.#signal?.aborted) throw error;
    }
  }

  /** Retries until there is a response. */
  async #next(): Promise<FollowChangesAnswer> {
    for (let failures = 1; ; failures += 1) {
      try {
        return await this.#askOnce();
      } catch (error) {
        if (!(error instanceof ApiError) || !error.isTransient) throw error;
        await pauseAfter(error, failures, this.#retry, this.#signal);
      }
    }
  }

  async #askOnce(): Promise<FollowChangesAnswer> {
    const heldMs = this.#query.wait * 1000;
    const { after, history } = this.#position;
    const began = performance.now();
    const body = await this.#ask(
      { ...this.#query, after, ...(history ? { history } : {}) },
      heldMs,
      this.#signal,
    );
    if (!isAnswer(body, after))
      throw new ApiError('GET /api/v1/changes: the response does not follow the given position', {
        status: 200,
        isTransient: false,
      });
    // A mirror that did not hold back an empty answer is not asked again at once.
    const early = this.#retry.firstDelayMs - (performance.now() - began);
    if (body.data.length === 0 && early > 0) await sleep(early, this.#signal);
    return body;
  }
}

const placeAfter = ({ next_after, history }: FollowChangesAnswer): Place => ({ after: next_after, history });

/**
 * Changes in ascending order, all after the position: else something between here and the mirror mixes up
 * responses.
 */
function isAnswer(body: unknown, after: number): body is FollowChangesAnswer {
  if (typeof body !== 'object' || body === null) return false;
  if (!('data' in body && Array.isArray(body.data) && 'next_after' in body && 'history' in body))
    return false;
  const changes: readonly unknown[] = body.data;
  let last = after;
  for (const change of changes) {
    if (typeof change !== 'object' || change === null || !('change_id' in change)) return false;
    if (typeof change.change_id !== 'number' || change.change_id <= last) return false;
    last = change.change_id;
  }
  return typeof body.next_after === 'number' && body.next_after >= last;
}
