// Answers that take long to compute, such as the reconciliation of some days: a page shows the last one with its age, and has it
// computed anew in the background, so that no page waits for it. What is older than some minutes is not shown any more: the first
// reader of a morning must not take the figures of the evening for the present ones.
import { within } from '../../../base/waiting.ts';
import type { Operations } from '../../../client/api-types.ts';
import type { Tools } from '../../api/answer/operation.ts';
import type { Reader } from '../../request/reader.ts';
import { type Ask, createAsk, type Known, type Loose } from './ask.ts';

/** An answer with the moment when it was asked for; null while the first one is computed. */
export type Kept<Answer> = (Known<Answer> & { readonly askedAt: string }) | { readonly failed: true } | null;

export interface KeptAnswers {
  get<Id extends keyof Operations>(
    id: Id,
    account: string,
    query: Partial<Operations[Id]['query']>,
  ): Promise<Kept<Operations[Id]['answer']>>;
  /**
   * The same for what a page cannot do without: where no answer is kept, the page asks itself.
   *
   * @param ask as the page asks
   * @throws Problem as the API does
   */
  getOrAsk<Id extends keyof Operations>(
    id: Id,
    account: string,
    query: Loose<Operations[Id]['query']>,
    ask: Ask,
  ): Promise<Answered<Operations[Id]['answer']>>;
}

export interface Answered<Answer> {
  readonly answer: Answer;
  /** When it was asked for. */
  readonly askedAt: string;
}

interface Entry {
  kept: Kept<unknown>;
  /** When the question of the kept answer was asked, on the clock of the process. */
  askedMs: number;
  /** When the last attempt ended, and how long it took. */
  endedMs: number;
  tookMs: number;
  running: Promise<void> | null;
}

/** An answer is computed anew when it is so many times as old as it took to compute, or this old: what is quick is always new. */
const restsFor = 20;
const oldestMs = 120_000;
/** An older answer is none: nobody has asked for a while, or it could not be computed since. */
const longestShownMs = 300_000;
/** So many wait to be computed, of all accounts; a page asks again for those beyond. */
const mostWaiting = 30;
/** How long a page waits for an answer where there is none yet. */
const waitMs = 120;
/** An answer that took less is waited for, so that the page shows the present one. */
const quickMs = 40;
/** Questions hold a day: those of past days are dropped. */
const mostEntries = 200;
/** Whoever asks for a page may read its account already. */
const reader: Reader = { name: 'pages', accounts: null };

export interface KeptOptions {
  /** Told of each answer that could not be computed in the background. */
  readonly onFailure: (id: string, error: unknown) => void;
  readonly monotonicMs?: () => number;
}

interface Question {
  readonly id: keyof Operations;
  readonly account: string;
  readonly query: object;
}

export function createKeptAnswers(
  tools: Tools,
  { onFailure, monotonicMs = () => performance.now() }: KeptOptions,
): KeptAnswers {
  const entryOf = createEntries(monotonicMs);
  const compute = async (entry: Entry, { id, account, query }: Question) => {
    const askedAt = new Date().toISOString();
    const startedMs = monotonicMs();
    try {
      const ask = createAsk(tools, reader, account, AbortSignal.timeout(30_000));
      entry.kept = { ...(await ask.known(id, query)), askedAt };
      entry.askedMs = startedMs;
    } catch (error) {
      onFailure(id, error);
      // The next page tries again; an older answer stays for a while, and tells its age.
      entry.kept ??= { failed: true };
    }
    entry.running = null;
    entry.endedMs = monotonicMs();
    entry.tookMs = entry.endedMs - startedMs;
  };
  // One at a time: the connections are for those who wait.
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  const beginWhenDue = (entry: Entry, question: Question) => {
    const isDue = monotonicMs() - entry.endedMs > restOf(entry);
    if (entry.running !== null || !isDue || waiting >= mostWaiting) return;
    waiting += 1;
    entry.running = last.then(() => compute(entry, question)).finally(() => (waiting -= 1));
    last = entry.running;
  };
  return {
    async get(id, account, query) {
      const question = { id, account, query };
      const entry = entryOf(question);
      beginWhenDue(entry, question);
      if (entry.running !== null && (entry.kept === null || entry.tookMs < quickMs))
        await within(waitMs, entry.running).catch(() => undefined);
      return entry.kept as Kept<Operations[typeof id]['answer']>;
    },
    async getOrAsk(id, account, query, ask) {
      const question = { id, account, query };
      const entry = entryOf(question);
      if (entry.kept !== null && 'answer' in entry.kept && entry.tookMs >= quickMs) {
        beginWhenDue(entry, question);
        return entry.kept as Answered<Operations[typeof id]['answer']>;
      }
      const askedAt = new Date().toISOString();
      const askedMs = monotonicMs();
      const answer = await ask(id, query);
      const endedMs = monotonicMs();
      Object.assign(entry, { kept: { answer, askedAt }, askedMs, endedMs, tookMs: endedMs - askedMs });
      return { answer, askedAt };
    },
  };
}

/** The entry of a question; an answer that is too old is gone. */
function createEntries(monotonicMs: () => number): (question: Question) => Entry {
  const entries = new Map<string, Entry>();
  return ({ id, account, query }) => {
    const key = JSON.stringify([id, account, query]);
    const entry = entries.get(key) ?? newEntry();
    entries.delete(key);
    entries.set(key, entry);
    for (const oldest of entries.keys()) if (entries.size > mostEntries) entries.delete(oldest);
    if (monotonicMs() - entry.askedMs > longestShownMs && entry.kept !== null && 'askedAt' in entry.kept)
      entry.kept = null;
    return entry;
  };
}

function newEntry(): Entry {
  return { kept: null, askedMs: -Infinity, endedMs: -Infinity, tookMs: 0, running: null };
}

function restOf({ tookMs }: Entry): number {
  return Math.min(oldestMs, restsFor * tookMs);
}
