// Facts learned about the custody service: one value per name, with its evidence.
import { and, eq, sql } from 'drizzle-orm';
import { learned } from '../../../drizzle/findings.ts';
import { positions } from '../../../drizzle/runs.ts';
import type { Fact } from '../../domain/endpoint.ts';
import type { Instant } from '../../domain/instant.ts';
import type { JsonObject } from '../../domain/json.ts';
import { type Database, readOne } from '../postgres/database.ts';
import { excludedColumns } from '../values/bulk-rows.ts';
import { microsToInstant, selectMicros } from '../values/micros.ts';
import { type FencedTx, type Lease, writeFenced } from './leases.ts';

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

// Where an interrupted job resumes. A position commits together with the rows that were read up to it.

export interface JobPosition {
  readonly job: string;
  /** Only the job itself interprets it. */
  readonly position: JsonObject;
}

export async function readPosition(
  database: Database,
  account: string,
  job: string,
): Promise<{ readonly position: JsonObject; readonly updatedAt: Instant } | null> {
  const rows = await readOne(database, 'positions.read', (db) =>
    db
      .select({
        position: sql<JsonObject>`${positions.position}`,
        updatedAt: selectMicros(positions.updatedAt),
      })
      .from(positions)
      .where(and(eq(positions.accountId, account), eq(positions.job, job))),
  );
  const row = rows[0];
  return row === undefined ? null : { position: row.position, updatedAt: microsToInstant(row.updatedAt) };
}

/** Deletes the position, because the job ended or starts from the beginning. */
export async function clearPosition(database: Database, lease: Lease, job: string): Promise<void> {
  await writeFenced(database, lease, 'positions.clear', (db) =>
    db.delete(positions).where(and(eq(positions.accountId, lease.account), eq(positions.job, job))),
  );
}

/** Saves a position. */
export function writePosition(tx: FencedTx, { job, position }: JobPosition): void {
  tx.send('positions.write', (db) =>
    db
      .insert(positions)
      .values({ accountId: tx.lease.account, job, position, updatedAt: tx.at })
      .onConflictDoUpdate({
        target: [positions.accountId, positions.job],
        set: excludedColumns(positions, ['accountId', 'job']),
      }),
  );
}
