// Wakes readers that wait for changes of an account. While somebody waits, the greatest number of the account
// is looked up each second: one lookup in an index, which works behind every pooler and on a replica, and
// also sees rows that no notification announces.
import type { Logger } from '../../base/logger.ts';
import type { Database } from '../postgres/database.ts';
import { readLastChange } from './changes.ts';

interface ChangeSignalOptions {
  readonly database: Database;
  readonly logger: Logger;
  readonly lookEveryMs?: number;
}

export type ChangeSignal = ReturnType<typeof openChangeSignal>;

export function openChangeSignal({ database, logger, lookEveryMs = 1_000 }: ChangeSignalOptions) {
  const watchers = new Map<string, Set<() => void>>();
  const lastSeen = new Map<string, number>();
  let looking: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | null = null;
  let closed = false;

  const look = async () => {
    for (const account of [...watchers.keys()]) {
      try {
        const last = await database.transact('look-for-changes', (tx) => readLastChange(tx, account));
        const signs = watchers.get(account);
        if (signs === undefined || lastSeen.get(account) === last) continue;
        lastSeen.set(account, last);
        for (const onSign of signs) onSign();
      } catch (error) {
        logger.debug({ err: error }, 'looking for changes failed');
      }
    }
    timer = null;
    schedule();
  };
  const schedule = () => {
    if (closed || timer !== null || watchers.size === 0) return;
    timer = setTimeout(() => {
      looking = look();
    }, lookEveryMs);
    timer.unref();
  };
  return {
    /**
     * Calls back at each sign of a new change of the account, until the returned function is called. Signs may
     * be false, and one may stand for many changes.
     */
    watch(account: string, onSign: () => void): () => void {
      const own = watchers.get(account) ?? new Set();
      // A new function, so that two watchers with one callback stay two.
      const sign = () => onSign();
      watchers.set(account, own.add(sign));
      schedule();
      return () => {
        own.delete(sign);
        if (own.size > 0 || watchers.get(account) !== own) return;
        watchers.delete(account);
        lastSeen.delete(account);
      };
    },
    async close() {
      closed = true;
      if (timer !== null) clearTimeout(timer);
      await looking;
    },
  };
}
