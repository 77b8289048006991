// What was learned about the service: known at once to the process, and kept in sync.learned by whoever holds the lease.

import type { Fact } from '../../domain/fact.ts';
import type { Database } from '../../store/postgres/database.ts';
import { forgetFact, readFacts, saveFact } from '../../store/run/learned.ts';
import type { Lease } from '../../store/run/leases.ts';

export interface FactKeeper {
  /** The facts by name; the same map changes as facts are learned. */
  readonly known: ReadonlyMap<string, string>;
  learn(fact: Fact): void;
  forget(name: string): void;
  /** Writes what was learned and forgotten since the last time. */
  save(lease: Lease): Promise<void>;
  /**
   * Reads the facts anew and drops what was not saved. Called by who has just taken the lease: whoever held it before has
   * learned since.
   */
  reload(): Promise<void>;
}

export async function createFactKeeper(database: Database, account: string): Promise<FactKeeper> {
  const known = await readFacts(database, account);
  /** Null for one that was forgotten. */
  const unsaved = new Map<string, Fact | null>();
  return {
    known,
    learn(fact) {
      if (known.get(fact.fact) === fact.value) return;
      known.set(fact.fact, fact.value);
      unsaved.set(fact.fact, fact);
    },
    forget(name) {
      if (known.delete(name)) unsaved.set(name, null);
    },
    async save(lease) {
      for (const [name, fact] of [...unsaved]) {
        await (fact === null ? forgetFact(database, lease, name) : saveFact(database, lease, fact));
        if (unsaved.get(name) === fact) unsaved.delete(name);
      }
    },
    async reload() {
      const read = await readFacts(database, account);
      unsaved.clear();
      known.clear();
      for (const [name, value] of read) known.set(name, value);
    },
  };
}
