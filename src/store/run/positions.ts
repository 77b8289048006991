// Where an interrupted job resumes. A position commits together with the rows that were read up to it.
import { and, eq, sql } from 'drizzle-orm';
import { positions } from '../../../drizzle/runs.ts';
import type { Instant } from '../../domain/instant.ts';
import type { JsonObject } from '../../domain/json.ts';
import { type Database, readOne } from '../postgres/database.ts';
import { excludedColumns } from '../values/bulk-rows.ts';
import { microsToInstant, selectMicros } from '../values/micros.ts';
import { type FencedTx, withFence, writeFenced } from './fence.ts';
import type { Lease } from './leases.ts';

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

/** Saves a position in its own transaction. */
export async function savePosition(database: Database, lease: Lease, position: JobPosition): Promise<void> {
  await withFence(database, lease, 'save-position', async (tx) => writePosition(tx, position));
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
