// When a list of documents was read whole: from one end to the other, with every record decoded. Such a
// reading shows what is listed and what is not; nothing is known about the time between two readings.
import { and, eq, sql } from 'drizzle-orm';
import { documentReadings } from '../../../../drizzle/documents.ts';
import type { DocumentKind } from '../../../domain/document.ts';
import type { FencedTx } from '../../run/fence.ts';
import { excludedColumns } from '../../values/bulk-rows.ts';
import { type Micros, microsToIso, selectMicros } from '../../values/micros.ts';

/**
 * When the last whole reading began; null before the first. What changed after it was not yet there at that
 * moment.
 */
export async function readDocumentReading(tx: FencedTx, kind: DocumentKind): Promise<Micros | null> {
  const rows = await tx.run('document-readings.read', (db) =>
    db
      .select({ lastReadAfter: selectMicros(documentReadings.lastReadAfter) })
      .from(documentReadings)
      .where(and(eq(documentReadings.accountId, tx.lease.account), eq(documentReadings.kind, kind))),
  );
  return rows[0]?.lastReadAfter ?? null;
}

/** Keeps a whole reading, unless it began before the last one. */
export async function writeDocumentReading(
  tx: FencedTx,
  kind: DocumentKind,
  { beganAt, arrivedAt }: { readonly beganAt: Micros; readonly arrivedAt: Micros },
): Promise<void> {
  const [after, at] = [microsToIso(beganAt), microsToIso(arrivedAt)];
  await tx.run('document-readings.write', (db) =>
    db
      .insert(documentReadings)
      .values({
        accountId: tx.lease.account,
        kind,
        firstReadAt: at,
        lastReadAfter: after,
        lastReadAt: at,
      })
      .onConflictDoUpdate({
        target: [documentReadings.accountId, documentReadings.kind],
        set: excludedColumns(documentReadings, ['accountId', 'kind', 'firstReadAt']),
        setWhere: sql`${documentReadings.lastReadAfter} <= excluded.last_read_after`,
      }),
  );
}
