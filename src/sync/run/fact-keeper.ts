// The facts learned about the service: this process uses them at once, and the lease's holder saves them.
import type { Fact } from '../../domain/endpoint.ts';
import type { Database } from '../../store/postgres/database.ts';
import { forgetFact, readFacts, saveFact } from '../../store/run/learned.ts';
import type { Lease } from '../../store/run/leases.ts';

export type FactKeeper = Awaited<ReturnType<typeof createFactKeeper>>;

export async function createFactKeeper(database: Database, account: string) {
  const known = await readFacts(database, account);
  /** Null stands for a fact that was forgotten. */
  const unsaved = new Map<string, Fact | null>();
  return {
    /** The facts by name. The map changes when facts are learned or forgotten. */
    known: known as ReadonlyMap<string, string>,
    learn(fact: Fact): void {
      if (known.get(fact.fact) === fact.value) return;
      known.set(fact.fact, fact.value);
      unsaved.set(fact.fact, fact);
    },
    forget(name: string): void {
      if (known.delete(name)) unsaved.set(name, null);
    },
    /** Writes what was learned and forgotten since the last time. */
    async save(lease: Lease): Promise<void> {
      for (const [name, fact] of [...unsaved]) {
        await (fact === null ? forgetFact(database, lease, name) : saveFact(database, lease, fact));
        if (unsaved.get(name) === fact) unsaved.delete(name);
      }
    },
    /** Reads the facts again, for a new lease: its last holder has learned since. Unsaved ones are dropped. */
    async reload(): Promise<void> {
      const read = await readFacts(database, account);
      unsaved.clear();
      known.clear();
      for (const [name, value] of read) known.set(name, value);
    },
  };
}
