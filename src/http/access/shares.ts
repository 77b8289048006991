// Fair shares of the connections that readers have: one reader uses half of them at most, and long answers such as CSV use half of
// them in all, one for each reader. What is over its share waits for its own turn, so that others never wait for it.
import type { Database } from '../../store/postgres/database.ts';
import { Refused } from '../request/refusal.ts';

export interface Shares {
  /** The database as the reader may use it: transactions over its share wait, until their signal is aborted. */
  databaseOf(reader: string): Database;
  /**
   * Takes the seat of a long answer.
   *
   * @returns what gives it back, once
   * @throws Refused `rate-limited` when the reader has one already, or all are taken
   */
  takeLong(reader: string): () => void;
}

/** After how many seconds a refused client should ask again. */
const retryAfter = '10';

/** @param connections that the pool of readers has */
export function createShares(database: Database, connections: number): Shares {
  const share = Math.max(1, Math.floor(connections / 2));
  const turns = new Map<string, Turns>();
  const longOf = new Set<string>();
  return {
    databaseOf: (reader) => ({
      ...database,
      async transact(label, work, options) {
        const own = turns.get(reader) ?? { underWay: 0, waiting: [] };
        turns.set(reader, own);
        await takeTurn(own, share, options?.signal);
        try {
          return await database.transact(label, work, options);
        } finally {
          own.underWay -= 1;
          own.waiting.shift()?.();
          if (own.underWay === 0 && own.waiting.length === 0) turns.delete(reader);
        }
      },
    }),
    takeLong(reader) {
      if (longOf.has(reader)) throw busy('one long answer to this reader is under way');
      if (longOf.size >= share) throw busy(`${share} long answers are under way`);
      longOf.add(reader);
      return () => longOf.delete(reader);
    },
  };
}

interface Turns {
  underWay: number;
  readonly waiting: (() => void)[];
}

async function takeTurn(own: Turns, share: number, signal: AbortSignal | undefined): Promise<void> {
  while (own.underWay >= share) {
    await new Promise<void>((resolve) => {
      own.waiting.push(resolve);
      signal?.addEventListener('abort', () => resolve(), { once: true });
    });
    signal?.throwIfAborted();
  }
  own.underWay += 1;
}

function busy(what: string): Refused {
  return new Refused({
    kind: 'rate-limited',
    detail: `${what}: try again in ${retryAfter} s`,
    headers: { 'retry-after': retryAfter },
  });
}
