// What was learned about the service: known at once to the process, and kept in sync.learned by whoever holds the lease.
import type { Database } from '../store/database.ts';
import { type Fact, readFacts, saveFact } from '../store/learned.ts';
import type { Lease } from '../store/leases.ts';

export interface FactKeeper {
  /** The facts by name; the same map grows as facts are learned. */
  readonly known: ReadonlyMap<string, string>;
  learn(fact: Fact): void;
  /** Writes what was learned since the last time. */
  save(lease: Lease): Promise<void>;
}

export async function createFactKeeper(database: Database, account: string): Promise<FactKeeper> {
  const known = await readFacts(database, account);
  const unsaved = new Map<string, Fact>();
  return {
    known,
    learn(fact) {
      if (known.get(fact.fact) === fact.value) return;
      known.set(fact.fact, fact.value);
      unsaved.set(fact.fact, fact);
    },
    async save(lease) {
      for (const [name, fact] of [...unsaved]) {
        await saveFact(database, lease, fact);
        if (unsaved.get(name) === fact) unsaved.delete(name);
      }
    },
  };
}
