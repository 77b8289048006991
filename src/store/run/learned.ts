// Facts learned about the custody service: one value per name, with its evidence.
import { and, eq, sql } from 'drizzle-orm';
import { learned } from '../../../drizzle/findings.ts';
import type { Fact } from '../../domain/endpoint.ts';
import { type Database, readOne } from '../postgres/database.ts';
import { excludedColumns } from '../values/bulk-rows.ts';
import { writeFenced } from './fence.ts';
import type { Lease } from './leases.ts';

/** @returns the value of every fact by its name */
export async function readFacts(database: Database, account: string): Promise<Map<string, string>> {
  const rows = await readOne(database, 'learned.read', (db) =>
    db
      .select({ fact: learned.fact, value: learned.value })
      .from(learned)
      .where(eq(learned.accountId, account)),
  );
  return new Map(rows.map((row) => [row.fact, row.value]));
}

/** Stores the fact in place of the one of that name. */
export async function saveFact(database: Database, lease: Lease, fact: Fact): Promise<void> {
  await writeFenced(database, lease, 'learned.save', (db) =>
    db
      .insert(learned)
      .values({ accountId: lease.account, ...fact, updatedAt: sql`clock_timestamp()` })
      .onConflictDoUpdate({
        target: [learned.accountId, learned.fact],
        set: excludedColumns(learned, ['accountId', 'fact']),
      }),
  );
}

export async function forgetFact(database: Database, lease: Lease, fact: string): Promise<void> {
  await writeFenced(database, lease, 'learned.forget', (db) =>
    db.delete(learned).where(and(eq(learned.accountId, lease.account), eq(learned.fact, fact))),
  );
}
