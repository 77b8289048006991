// Answers that take long to compute, such as the reconciliation of some days: a page shows the last one with its age, and has it
// computed anew in the background, so that no page waits for it. What is older than some minutes is not shown any more: the first
// reader of a morning must not take the figures of the evening for the present ones.

import type { Operations } from '../../../../packages/client/src/generated/types/api-types.ts';
import { within } from '../../../base/waiting.ts';
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
   * The same for what a page cannot do without: where no answer is kept, the page asks itself. Few of those are kept, as readers
   * choose the questions: only what took long.
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
const freshForTimesCost = 20;
const oldestMs = 120_000;
/** An older answer is none: nobody has asked for a while, or it could not be computed since. */
const longestShownMs = 300_000;
/** So many wait to be computed, of all accounts; a page asks again for those beyond. */
const mostWaiting = 30;
const mostWaitingOfReaders = 4;
/** How long a page waits for an answer where there is none yet. */
const waitMs = 120;
/** An answer that took less is waited for, so that the page shows the present one. */
const quickMs = 40;
/** Questions hold a day: those of past days are dropped. */
const mostEntries = 200;
/** Of answers of up to 500 rows. */
const mostEntriesOfReaders = 20;
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
  const own = createEntries(mostEntries, monotonicMs);
  const ofReaders = createEntries(mostEntriesOfReaders, monotonicMs);
  const begin = createTurns(compute, mostWaiting, monotonicMs);
  const beginOfReaders = createTurns(compute, mostWaitingOfReaders, monotonicMs);
  return {
    async get(id, account, query) {
      const question = { id, account, query };
      const entry = own.find(question) ?? newEntry();
      own.keep(question, entry);
      begin(entry, question);
      if (entry.running !== null && (entry.kept === null || entry.tookMs < quickMs))
        await within(waitMs, entry.running).catch(() => undefined);
      return entry.kept as Kept<Operations[typeof id]['answer']>;
    },
    async getOrAsk(id, account, query, ask) {
      const question = { id, account, query };
      const found = ofReaders.find(question);
      if (found !== null && isWorthKeeping(found)) {
        beginOfReaders(found, question);
        return found.kept as Answered<Operations[typeof id]['answer']>;
      }
      const askedAt = new Date().toISOString();
      const askedMs = monotonicMs();
      const answer = await ask(id, query);
      const endedMs = monotonicMs();
      const entry = { kept: { answer, askedAt }, askedMs, endedMs, tookMs: endedMs - askedMs, running: null };
      if (isWorthKeeping(entry)) ofReaders.keep(question, entry);
      return { answer, askedAt };
    },
  };
}

function isWorthKeeping({ kept, tookMs }: Entry): boolean {
  return kept !== null && 'answer' in kept && tookMs >= quickMs;
}

interface Entries {
  /** Its answer is none if it is too old. */
  find(question: Question): Entry | null;
  /** As the one that was asked for last. */
  keep(question: Question, entry: Entry): void;
}

function createEntries(most: number, monotonicMs: () => number): Entries {
  const entries = new Map<string, Entry>();
  const keyOf = ({ id, account, query }: Question) => JSON.stringify([id, account, query]);
  const isTooOld = ({ kept, askedMs }: Entry) =>
    kept !== null && 'askedAt' in kept && monotonicMs() - askedMs > longestShownMs;
  return {
    find(question) {
      for (const entry of entries.values()) if (isTooOld(entry)) entry.kept = null;
      return entries.get(keyOf(question)) ?? null;
    },
    keep(question, entry) {
      entries.delete(keyOf(question));
      entries.set(keyOf(question), entry);
      for (const oldest of entries.keys()) if (entries.size > most) entries.delete(oldest);
    },
  };
}

/** Computes what is due, one after the other: the connections are for those who wait. */
function createTurns(
  compute: (entry: Entry, question: Question) => Promise<void>,
  mostWaitingTurns: number,
  monotonicMs: () => number,
): (entry: Entry, question: Question) => void {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return (entry, question) => {
    const isDue = monotonicMs() - entry.endedMs > restOf(entry);
    if (entry.running !== null || !isDue || waiting >= mostWaitingTurns) return;
    waiting += 1;
    entry.running = last
      .then(() => compute(entry, question))
      .finally(() => {
        waiting -= 1;
      });
    last = entry.running;
  };
}

function newEntry(): Entry {
  return { kept: null, askedMs: -Infinity, endedMs: -Infinity, tookMs: 0, running: null };
}

function restOf({ tookMs }: Entry): number {
  return Math.min(oldestMs, freshForTimesCost * tookMs);
}
