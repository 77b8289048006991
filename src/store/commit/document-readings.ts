// When the list of vaults, or the whitelist, was read whole: from one end to the other, with nothing in it that could not be
// decoded. Such a reading shows what is listed and what is not. Of the time between two of them nobody knows.
import { and, eq, sql } from 'drizzle-orm';
import { documentReadings } from '../../../drizzle/documents.ts';
import type { DocumentKind } from '../../domain/document.ts';
import type { Tx } from '../postgres/database.ts';
import { type Micros, microsToIso, selectMicros } from '../postgres/micros.ts';
import type { Lease } from '../run/leases.ts';

/** When the last whole reading began, before which no change seen since can have happened; null before the first. */
export async function readDocumentReading(tx: Tx, lease: Lease, kind: DocumentKind): Promise<Micros | null> {
  const rows = await tx.run('document-readings.read', (db) =>
    db
      .select({ lastReadAfter: selectMicros(documentReadings.lastReadAfter) })
      .from(documentReadings)
      .where(and(eq(documentReadings.accountId, lease.account), eq(documentReadings.kind, kind))),
  );
  return rows[0]?.lastReadAfter ?? null;
}

/**
 * Keeps a whole reading; one that began before the last does not count.
 *
 * @returns when the reading began for which this one was refused; null where it was kept
 */
export async function writeDocumentReading(
  tx: Tx,
  lease: Lease,
  kind: DocumentKind,
  { beganAt, arrivedAt }: { readonly beganAt: Micros; readonly arrivedAt: Micros },
): Promise<Micros | null> {
  const [after, at] = [beganAt, arrivedAt].map((moment) => sql`${microsToIso(moment)}::timestamptz`);
  const kept = await tx.run('document-readings.write', (db) =>
    db.execute(sql`
      insert into ${documentReadings} as d (account_id, kind, first_read_at, last_read_after, last_read_at)
      values (${lease.account}, ${kind}, ${at}, ${after}, ${at})
      on conflict (account_id, kind) do update
      set last_read_after = excluded.last_read_after, last_read_at = excluded.last_read_at
      where d.last_read_after <= excluded.last_read_after returning d.kind`),
  );
  return kept.rows.length > 0 ? null : await readDocumentReading(tx, lease, kind);
}
