// Fair shares of the connections that readers have: one reader uses half of them at most, and long answers
// such as CSV use half of them in all, one for each reader. Anything above a share waits, so that other
// readers never wait for it.
import { createQueues } from '../../base/waiting.ts';
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

/** @param connections the size of the readers' pool */
export function createReaderQuota(database: Database, connections: number): ReaderQuota {
  const share = Math.max(1, Math.floor(connections / 2));
  const inTurn = createQueues(share);
  /** The place that each reader has. */
  const long = new Map<string, object>();
  return {
    databaseOf: (reader, signal) => ({
      ...database,
      transact: (label, work, options) =>
        inTurn(reader, { signal }, () => database.transact(label, work, { ...options, signal })),
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
