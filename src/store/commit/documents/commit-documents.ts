// Commits a list of vaults or of whitelist entries in one database transaction: rows, a revision for each
// state that was seen, quarantine and the run's counters. A document that a complete list no longer holds is
// marked as missing and kept.

import { and, eq, sql } from 'drizzle-orm';
import { documentReadings, vaults, whitelistEntries } from '../../../../drizzle/documents.ts';
import type { DocumentChange, DocumentKind, Vault, WhitelistEntry } from '../../../domain/document.ts';
import type { RequestTally } from '../../../domain/endpoint.ts';
import { entryAttributes, namesOf, vaultAttributes } from '../../../domain/fields.ts';
import type { Observation } from '../../../domain/instant.ts';
import type { Resource } from '../../../domain/jobs.ts';
import type { ListItem } from '../../../domain/page.ts';
import type { Database } from '../../postgres/database.ts';
import { writeAnomalies } from '../../run/anomalies.ts';
import { type FencedTx, type Lease, withFence } from '../../run/leases.ts';
import {
  keysInQuarantine,
  resolveOtherQuarantine,
  resolveQuarantine,
  writeQuarantine,
} from '../../run/quarantine.ts';
import { countIntoRun, type Run } from '../../run/runs.ts';
import { excludedColumns } from '../../values/bulk-rows.ts';
import { type Micros, microsToIso, selectMicros, toMicros } from '../../values/micros.ts';
import { duplicateIds, type MergedPages, mergeObservations } from '../observations.ts';
import {
  type DigestOf,
  type DocumentChanges,
  type DocumentTable,
  documentChanges,
  markMissing,
  readKnownDocuments,
  writeDocumentRevisions,
  writeDocuments,
} from './document-rows.ts';

export interface DocumentListing<Document> {
  readonly items: readonly ListItem<Document>[];
  /** From the first request for the list to the last answer. */
  readonly observation: Observation;
  /** Whether a document that the list lacks is gone. */
  readonly listIsComplete: boolean;
  /** Requests of the run so far. */
  readonly tally: RequestTally;
  /** The digest of a stored document; if left out, that of its row counts. */
  readonly digestOf?: DigestOf;
}

/** How many documents changed in each way, and what else was found. */
export interface DocumentCommit extends Readonly<Record<DocumentChange, number>> {
  readonly quarantined: number;
  /** Documents whose row is younger than the list, which did not change them. */
  readonly stale: number;
}

/**
 * @throws MirrorError `LEASE-LOST`, `DATABASE-UNREACHABLE`, `DATABASE-REFUSED`; nothing is written then,
 *   unless only the answer to the commit was lost
 */
export function commitVaults(
  database: Database,
  lease: Lease,
  run: Run,
  listing: DocumentListing<Vault>,
): Promise<DocumentCommit> {
  const rows = { kind: 'vault', table: vaults, id: 'vaultId', attributes: vaultAttributes } as const;
  return commitDocuments(database, lease, run, listing, { resource: 'vaults', rows });
}

/** @throws as `commitVaults` */
export function commitWhitelist(
  database: Database,
  lease: Lease,
  run: Run,
  listing: DocumentListing<WhitelistEntry>,
): Promise<DocumentCommit> {
  const id = 'entryId';
  const rows = { kind: 'whitelist_entry', table: whitelistEntries, id, attributes: entryAttributes } as const;
  return commitDocuments(database, lease, run, listing, { resource: 'whitelist', rows });
}

async function commitDocuments(
  database: Database,
  lease: Lease,
  run: Run,
  { items, observation, listIsComplete, tally, digestOf }: DocumentListing<Vault | WhitelistEntry>,
  { resource, rows }: { readonly resource: Resource; readonly rows: DocumentTable },
): Promise<DocumentCommit> {
  const merged = mergeObservations([{ items, ...observation, sourceTimestamp: null }]);
  const observed = [...merged.records].map(([id, [{ item }]]) => {
    const { document, contentHash, ...others }: Vault | WhitelistEntry = item.record;
    const values: Readonly<Record<string, string | null>> = others;
    const attributes = Object.fromEntries(
      namesOf(rows.attributes).map((name) => [name, values[name] ?? null]),
    );
    return { id, attributes, document, contentHash };
  });
  const [beganAt, arrivedAt] = [toMicros(observation.beganAt), toMicros(observation.arrivedAt)];
  return await withFence(database, lease, `commit-${resource}`, async (tx) => {
    const { known, altered } = await readKnownDocuments(tx, resource, rows, observed, digestOf);
    const changes = documentChanges(known, {
      observed,
      beganAt,
      arrivedAt,
      isComplete: listIsComplete,
      unreadable: new Set(merged.undecodable.map((observation) => observation.item.key)),
    });
    writeAnomalies(tx, altered);
    await writeChanges(tx, run, rows, changes, arrivedAt);
    const isWhole = listIsComplete && merged.undecodable.length === 0;
    if (isWhole) await writeDocumentReading(tx, rows.kind, { beganAt, arrivedAt });
    writeFindings(tx, run, resource, merged, listIsComplete);
    const { revisions, stale } = changes;
    const count = (change: DocumentChange) =>
      revisions.filter((revision) => revision.change === change).length;
    const commit = {
      added: count('added'),
      changed: count('changed'),
      removed: count('removed'),
      restored: count('restored'),
      quarantined: keysInQuarantine(merged.undecodable).size,
      stale,
    };
    const counts = {
      read: merged.read,
      inserted: commit.added,
      changed: commit.changed + commit.removed + commit.restored,
      quarantined: commit.quarantined,
    };
    countIntoRun(tx, run, counts, tally);
    return commit;
  });
}

async function writeChanges(
  tx: FencedTx,
  run: Run,
  rows: DocumentTable,
  { written, revisions }: DocumentChanges,
  observedAt: Micros,
): Promise<void> {
  writeDocuments(tx, rows, written);
  const removed = revisions.filter((revision) => revision.change === 'removed');
  const removedIds = removed.map((revision) => revision.id);
  markMissing(tx, rows, removedIds, observedAt);
  if (revisions.length === 0) return;
  const observedAfter = await readDocumentReading(tx, rows.kind);
  writeDocumentRevisions(tx, run, rows.kind, revisions, { observedAfter, observedAt });
}

function writeFindings(
  tx: FencedTx,
  run: Run,
  resource: Resource,
  merged: MergedPages<{ readonly document: string }>,
  listIsComplete: boolean,
): void {
  if (listIsComplete) resolveOtherQuarantine(tx, resource, '', merged.undecodable);
  else resolveQuarantine(tx, resource, [...merged.records.keys()]);
  writeQuarantine(tx, run, resource, merged.undecodable);
  writeAnomalies(tx, duplicateIds(merged, resource));
}

// When a list of documents was read whole: from one end to the other, with every record decoded. Such a
// reading shows what is listed and what is not; nothing is known about the time between two readings.

/**
 * When the last whole reading began; null before the first. Later changes had not happened at that moment.
 */
async function readDocumentReading(tx: FencedTx, kind: DocumentKind): Promise<Micros | null> {
  const rows = await tx.run('document-readings.read', (db) =>
    db
      .select({ lastReadAfter: selectMicros(documentReadings.lastReadAfter) })
      .from(documentReadings)
      .where(and(eq(documentReadings.accountId, tx.lease.account), eq(documentReadings.kind, kind))),
  );
  return rows[0]?.lastReadAfter ?? null;
}

/** Keeps a whole reading, unless it began before the last one. */
async function writeDocumentReading(
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
