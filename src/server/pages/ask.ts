// Answers the queries of pages by the operations of the read API, within one state of the database.

import type { Operations } from '../../../packages/client/src/generated/types/api-types.ts';
import type { Ask, Known, Last } from '../../../packages/pages/src/api/ask.ts';
import type { Tools } from '../../api/answer/operation.ts';
import { checkParams, type Params, Problem } from '../../api/answer/parameters.ts';
import { operationOf } from '../../api/operations.ts';
import { within } from '../../base/waiting.ts';
import { capitalized } from '../../domain/words.ts';
import type { Reader } from '../../http/request/environment.ts';
import type { ProblemKind } from '../../http/request/problem-kinds.ts';

// Answers that are slow to compute, such as the reconciliation of some days: a page shows the last one with
// its age, and refreshes it in the background. Answers older than some minutes are dropped: the first reader
// of a morning must not take the figures of the evening for the present ones.

interface Question {
  readonly id: keyof Operations;
  readonly account: string;
  readonly query: object;
}

interface Answer {
  readonly data: unknown;
}

interface Entry {
  last: Last<Answer>;
  /** Of the last answer, on the clock of the process. */
  askedMs: number;
  /** Of the last attempt. */
  endedMs: number;
  tookMs: number;
  running: Promise<void> | null;
}

interface CacheOptions {
  /** How an answer is computed in the background. */
  readonly compute: (question: Question) => Promise<Known<Answer>>;
  /** Called for each answer that could not be computed in the background. */
  readonly onFailure: (id: string, error: unknown) => void;
  readonly monotonicMs?: () => number;
}

/** Quicker answers are not cached, so they are always current. */
const quickMs = 40;
/** An answer is refreshed when it is so many times as old as it took to compute, or this old. */
const freshForTimesCost = 20;
const oldestMs = 120_000;
const longestShownMs = 300_000;
/** How long a page waits for the first answer. */
const waitMs = 120;
/** Beyond these limits nothing starts in the background: a page asks again. */
const mostWaiting = 30;
const mostEntries = 100;

export class CachedAnswers {
  /** The least recently used first. */
  readonly #entries = new Map<string, Entry>();
  readonly #options: CacheOptions;
  readonly #now: () => number;
  /** One is computed at a time: the connections are for those who wait. */
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(options: CacheOptions) {
    this.#options = options;
    this.#now = options.monotonicMs ?? (() => performance.now());
  }

  /**
   * The last answer, which is refreshed when it is due.
   *
   * @param ask gives the answer at once where there is none to show; without it, the page waits a moment for
   *   the background
   * @throws what `ask` throws
   */
  async get(question: Question, ask?: () => Promise<Known<Answer>>): Promise<Last<Answer>> {
    const key = JSON.stringify([question.id, question.account, question.query]);
    const entry = this.#entries.get(key) ?? newEntry();
    const isOld = this.#now() - entry.askedMs > longestShownMs;
    if (isOld && entry.last.state === 'known') entry.last = without('pending');
    const isShown = entry.last.state !== 'pending' && entry.tookMs >= quickMs;
    if (ask !== undefined && !(isShown && entry.last.state === 'known' && entry.last.unknown === null)) {
      await this.#answer(entry, ask);
      if (entry.tookMs >= quickMs) this.#keep(key, entry);
      return entry.last;
    }
    this.#keep(key, entry);
    this.#refresh(entry, question);
    if (!isShown && entry.running !== null) await within(waitMs, entry.running).catch(() => undefined);
    return entry.last;
  }

  #keep(key: string, entry: Entry): void {
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    for (const oldest of this.#entries.keys())
      if (this.#entries.size > mostEntries) this.#entries.delete(oldest);
  }

  #refresh(entry: Entry, question: Question): void {
    const isDue = this.#now() - entry.endedMs > Math.min(oldestMs, freshForTimesCost * entry.tookMs);
    if (entry.running !== null || !isDue || this.#waiting >= mostWaiting) return;
    this.#waiting += 1;
    entry.running = this.#last
      .then(() => this.#answer(entry, () => this.#options.compute(question)))
      .catch((error: unknown) => {
        this.#options.onFailure(question.id, error);
        // The next page tries again; an older answer stays for a while, with its age.
        if (entry.last.state === 'pending') entry.last = without('failed');
      })
      .finally(() => {
        this.#waiting -= 1;
        entry.running = null;
      });
    this.#last = entry.running;
  }

  async #answer(entry: Entry, ask: () => Promise<Known<Answer>>): Promise<void> {
    const [askedAt, askedMs] = [new Date().toISOString(), this.#now()];
    try {
      entry.last = { ...(await ask()), state: 'known', askedAt };
      entry.askedMs = askedMs;
    } finally {
      entry.endedMs = this.#now();
      entry.tookMs = entry.endedMs - askedMs;
    }
  }
}

function newEntry(): Entry {
  return { last: without('pending'), askedMs: -Infinity, endedMs: -Infinity, tookMs: 0, running: null };
}

function without(state: 'pending' | 'failed'): Last<Answer> {
  const none = { data: [], next_cursor: null, unknown: null };
  return { ...none, state, askedAt: null };
}

type Values = Readonly<Record<string, unknown>>;

const unknowns: readonly ProblemKind[] = [
  'not-read-yet',
  'moment-unknown',
  'not-found',
  'account-not-found',
  'too-many-matches',
];

export interface AskTools extends Tools {
  readonly cache: CachedAnswers;
}

/** @param tools with a database that is one open transaction */
export function createAsk(tools: AskTools, reader: Reader, account: string, signal: AbortSignal): Ask {
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
      return { ...(await ask(id, query)), unknown: null };
    } catch (error) {
      if (!(error instanceof Problem && unknowns.includes(error.refusal.kind))) throw error;
      const { kind, detail } = error.refusal;
      const data = operationOf(id).list === undefined ? null : [];
      return { data, next_cursor: null, unknown: { kind, why: `${capitalized(detail)}.` } };
    }
  };
  const last = (id: keyof Operations, query: object, now?: () => Promise<Known<Answer>>) =>
    tools.cache.get({ id, account, query }, now);
  const cached = (id: keyof Operations, query: Values) =>
    last(id, query, async () => ({ ...(await ask(id, query)), unknown: null }));
  const all = async (id: string, query?: Values) => {
    const rows: unknown[] = [];
    for (let cursor: unknown; cursor !== null; ) {
      const page = await ask(id, { ...query, limit: 500, cursor });
      rows.push(...page.data);
      cursor = page.next_cursor;
    }
    return rows;
  };
  return Object.assign(ask, { known, text, all, last, cached }) as Ask;
}

function textOf(query: Values): Params {
  const params = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(params.map(([name, value]) => [name, String(value)]));
}
