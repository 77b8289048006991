// What the read API is answered from, for a test: a pool of its own, and the signal of changes.
import type { Database } from '../../src/store/postgres/database.ts';
import { type ChangeSignal, openChangeSignal } from '../../src/store/read-api/change-signal.ts';
import { onCleanup } from './cleanup.ts';
import { silentLogger } from './loggers.ts';
import { open } from './store.ts';

export interface Reading {
  readonly readDatabase: Database;
  readonly changes: ChangeSignal;
  /**
   * How many watch for changes; null while a reading is under way, after which one of them may have an
   * answer.
   */
  readonly waiting: () => number | null;
}

export function openReading(url: string, lookEveryMs = 100): Reading {
  const database = open(url, { readOnly: true, poolName: 'api', maxConnections: 4 });
  const signal = openChangeSignal({ database, logger: silentLogger, lookEveryMs });
  onCleanup(() => signal.close());
  let underWay = 0;
  let watchers = 0;
  const readDatabase: Database = {
    ...database,
    async transact(label, work, options) {
      underWay += 1;
      try {
        return await database.transact(label, work, options);
      } finally {
        underWay -= 1;
      }
    },
  };
  const changes: ChangeSignal = {
    ...signal,
    watch(account, onSign) {
      const unwatch = signal.watch(account, onSign);
      watchers += 1;
      return () => {
        watchers -= 1;
        unwatch();
      };
    },
  };
  return { readDatabase, changes, waiting: () => (underWay === 0 ? watchers : null) };
}
