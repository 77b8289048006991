// Answers that take long to compute, such as the reconciliation of some days: a page shows the last one with its age, and has it
// computed anew in the background, so that no page waits for it.
import { within } from '../../../base/waiting.ts';
import type { Operations } from '../../../client/api-types.ts';
import type { Tools } from '../../api/answer/operation.ts';
import type { Reader } from '../../request/reader.ts';
import { createAsk, type Known } from './ask.ts';

/** An answer with the moment when it was asked for; null while the first one is computed. */
export type Kept<Answer> = (Known<Answer> & { readonly askedAt: string }) | { readonly failed: true } | null;

export interface KeptAnswers {
  get<Id extends keyof Operations>(
    id: Id,
    account: string,
    query: Partial<Operations[Id]['query']>,
  ): Promise<Kept<Operations[Id]['answer']>>;
}

interface Entry {
  kept: Kept<unknown>;
  /** When the last attempt ended, on the clock of the process, and how long it took. */
  endedMs: number;
  tookMs: number;
  running: Promise<void> | null;
}

/** An answer is computed anew when it is so many times as old as it took to compute, or this old: what is quick is always new. */
const restsFor = 20;
const oldestMs = 120_000;
/** How long a page waits for an answer where there is none yet. */
const waitMs = 120;
/** An answer that took less is waited for, so that the page shows the present one. */
const quickMs = 40;
/** Questions hold a day: those of past days are dropped. */
const mostEntries = 200;
/** Whoever asks for a page may read its account already. */
const reader: Reader = { name: 'pages', accounts: null };

export function createKeptAnswers(tools: Tools): KeptAnswers {
  const entries = new Map<string, Entry>();
  // One at a time: the connections are for those who wait.
  let last: Promise<unknown> = Promise.resolve();
  const compute = async (entry: Entry, id: keyof Operations, account: string, query: object) => {
    const askedAt = new Date().toISOString();
    const startedMs = performance.now();
    try {
      const ask = createAsk(tools, reader, account, AbortSignal.timeout(30_000));
      entry.kept = { ...(await ask.known(id, query)), askedAt };
    } catch {
      // The next page tries again; an older answer stays, and tells its age.
      entry.kept ??= { failed: true };
    }
    entry.running = null;
    entry.endedMs = performance.now();
    entry.tookMs = entry.endedMs - startedMs;
  };
  return {
    async get(id, account, query) {
      const key = JSON.stringify([id, account, query]);
      const entry = entries.get(key) ?? { kept: null, endedMs: -Infinity, tookMs: 0, running: null };
      entries.delete(key);
      entries.set(key, entry);
      for (const oldest of entries.keys()) if (entries.size > mostEntries) entries.delete(oldest);
      if (entry.running === null && performance.now() - entry.endedMs > restOf(entry)) {
        entry.running = last.then(() => compute(entry, id, account, query));
        last = entry.running;
      }
      if (entry.running !== null && (entry.kept === null || entry.tookMs < quickMs))
        await within(waitMs, entry.running).catch(() => undefined);
      return entry.kept as Kept<Operations[typeof id]['answer']>;
    },
  };
}

function restOf({ tookMs }: Entry): number {
  return Math.min(oldestMs, restsFor * tookMs);
}
