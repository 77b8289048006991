// Fair shares of the connections that readers have: one reader uses half of them at most, and long answers
// such as CSV use half of them in all, one for each reader. Anything above its share waits for its own turn,
// so that others never wait for it.
import type { Database } from '../../store/postgres/database.ts';
import { rateLimited } from '../request/refusal.ts';

export interface ReaderQuota {
  /**
   * The database as the reader may use it: transactions over its share wait. All of them end when the signal
   * is aborted.
   */
  databaseOf(reader: string, signal: AbortSignal): Database;
  /**
   * Takes one of the places for long answers.
   *
   * @returns a function that gives it back, once, however often it is called
   * @throws Refused `rate-limited` when the reader has one already, or all are taken
   */
  takeLong(reader: string): () => void;
}

/** After how many seconds a refused client should ask again. */
const retrySeconds = 10;

/** @param connections that the pool of readers has */
export function createReaderQuota(database: Database, connections: number): ReaderQuota {
  const share = Math.max(1, Math.floor(connections / 2));
  const turnsOf = new Map<string, Turns>();
  /** The place that each reader has. */
  const long = new Map<string, object>();
  return {
    databaseOf: (reader, signal) => ({
      ...database,
      async transact(label, work, options) {
        const turns = turnsOf.get(reader) ?? { underWay: 0, waiting: new Set() };
        turnsOf.set(reader, turns);
        await takeTurn(turns, share, signal);
        try {
          return await database.transact(label, work, { ...options, signal });
        } finally {
          passTurn(turns);
          if (turns.underWay === 0) turnsOf.delete(reader);
        }
      },
    }),
    takeLong(reader) {
      if (long.has(reader))
        throw rateLimited('one long response to this reader is in progress', retrySeconds);
      if (long.size >= share) throw rateLimited(`${share} long responses are in progress`, retrySeconds);
      const seat = {};
      long.set(reader, seat);
      return () => {
        if (long.get(reader) === seat) long.delete(reader);
      };
    },
  };
}

interface Turns {
  /** Including those that were given a turn, so that nobody overtakes them. */
  underWay: number;
  /** In the order in which they came. */
  readonly waiting: Set<() => void>;
}

async function takeTurn(turns: Turns, share: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (turns.underWay < share) {
    turns.underWay += 1;
    return;
  }
  await new Promise<void>((resolve, reject) => {
    const begin = () => {
      signal.removeEventListener('abort', giveUp);
      resolve();
    };
    // One that gave up must not be given a turn.
    const giveUp = () => {
      turns.waiting.delete(begin);
      reject(signal.reason);
    };
    turns.waiting.add(begin);
    signal.addEventListener('abort', giveUp, { once: true });
  });
}

/** Gives the turn to the one that has waited longest. */
function passTurn(turns: Turns): void {
  const [next] = turns.waiting;
  if (next === undefined) {
    turns.underWay -= 1;
    return;
  }
  turns.waiting.delete(next);
  next();
}
