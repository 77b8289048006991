// How long the maintenance takes to sum up the destinations of a large mirror, and how long it keeps other writers waiting.
import type { Database } from '../src/store/database.ts';
import { rollUpDestinations } from '../src/store/destination-totals.ts';
import { acquireLease, releaseLease } from '../src/store/leases.ts';
import { openBenchDatabase } from './databases.ts';
import { benchAccount } from './reporting-data.ts';

export interface RollUpCost {
  readonly seconds: number;
  readonly transactions: number;
  /** Of one transaction of the database, which holds the lease's row. */
  readonly longestSeconds: number;
}

export async function measureRollUp(url: string, signal: AbortSignal): Promise<RollUpCost> {
  const database = openBenchDatabase(url);
  try {
    const taken = await acquireLease(database, { account: benchAccount, holder: 'bench', ttlMs: 3_600_000 });
    if (!('lease' in taken)) throw new Error(`the lease is held by ${taken.heldBy}`);
    const seconds: number[] = [];
    const startedAt = performance.now();
    await rollUpDestinations(timed(database, seconds), taken.lease, { signal });
    const all = (performance.now() - startedAt) / 1000;
    await releaseLease(database, taken.lease);
    return { seconds: all, transactions: seconds.length, longestSeconds: Math.max(...seconds) };
  } finally {
    await database.close();
  }
}

/** Notes how long each transaction that writes takes. */
function timed(database: Database, seconds: number[]): Database {
  return {
    target: database.target,
    close: () => database.close(),
    async transact(label, work, options) {
      const startedAt = performance.now();
      const result = await database.transact(label, work, options);
      if (label === 'roll-up-destinations') seconds.push((performance.now() - startedAt) / 1000);
      return result;
    },
  };
}
