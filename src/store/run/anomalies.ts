// Anomalies (domain/anomalies.ts): one row per subject. A row counts its sightings, is resolved when the
// anomaly ends, and reopens when it returns.
import { createHash } from 'node:crypto';
import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import { anomalies } from '../../../drizzle/findings.ts';
import { type AnomalyKind, eventKinds } from '../../domain/anomalies.ts';
import type { Resource } from '../../domain/jobs.ts';
import { type JsonObject, storableText } from '../../domain/json.ts';
import { type Database, readOne } from '../postgres/database.ts';
import { textArray } from '../values/bulk-rows.ts';
import { type FencedTx, type Lease, withFence } from './leases.ts';

export interface Subject {
  readonly kind: AnomalyKind;
  readonly resource: Resource;
  /** Which record, value or balance; empty for the whole list. */
  readonly resourceId: string;
}

export interface Anomaly extends Subject {
  readonly details: JsonObject;
}

/** A row that does not follow from its history, as it stood in the database; null if it was deleted. */
export function alteredRow(resource: Resource, resourceId: string, row: JsonObject | null): Anomaly {
  return { kind: 'altered', resource, resourceId, details: { found: row ?? { row } } };
}

/** Characters of an identifier; a longer one does not fit into an index and ends with a digest instead. */
const longestId = 300;
/** Rows of one statement, well below the limit of parameters. */
const rowsPerStatement = 2_000;

export async function reportAnomaly(database: Database, lease: Lease, anomaly: Anomaly): Promise<void> {
  await withFence(database, lease, 'report-anomaly', async (tx) => writeAnomalies(tx, [anomaly]));
}

/** Resolves the anomaly, if it is open. */
export async function resolveAnomaly(database: Database, lease: Lease, subject: Subject): Promise<void> {
  await withFence(database, lease, 'resolve-anomaly', async (tx) =>
    resolveAnomalies(tx, subject.kind, subject.resource, [subject.resourceId]),
  );
}

/** The subjects of the open anomalies of one kind. */
export async function readOpenSubjects(
  database: Database,
  account: string,
  kind: AnomalyKind,
  resource: Resource,
): Promise<readonly string[]> {
  const rows = await readOne(database, 'anomalies.open', (db) =>
    db
      .select({ resourceId: anomalies.resourceId })
      .from(anomalies)
      .where(openOf(account, kind, resource)),
  );
  return rows.map((row) => row.resourceId);
}

/** Characters of earlier evidence that an anomaly keeps; the oldest stays. */
const mostEvidence = 2 ** 20;

const evidence = sql`jsonb_build_array(${anomalies.details} - 'earlier') || coalesce(${anomalies.details}->'earlier', '[]')`;

/**
 * The present sighting and, if sightings are events, in `earlier` the different ones before: nobody could
 * find them out again. Digests stand for records, which name the time of each reading.
 */
const keepingEvidence = sql`case
  when ${anomalies.kind} <> all(${textArray(eventKinds)}) then excluded.details
  else excluded.details || coalesce((
    select jsonb_build_object('earlier', jsonb_agg(seen order by at))
    from (
      select seen, at, sum(length(seen::text)) over (order by at desc) as room
      from jsonb_array_elements(${evidence}) with ordinality as s (seen, at)
      where seen - 'not_kept' <> excluded.details - 'not_kept'
    ) as others
    where room <= ${mostEvidence}
    having count(*) > 0
  ), '{}') end`;

/** Reports anomalies. Those of one subject count as one. */
export function writeAnomalies(tx: FencedTx, found: readonly Anomaly[]): void {
  const bySubject = new Map(
    found.map((anomaly) => [JSON.stringify([anomaly.kind, anomaly.resource, anomaly.resourceId]), anomaly]),
  );
  const rows = [...bySubject.values()].map((anomaly) => ({
    accountId: tx.lease.account,
    kind: anomaly.kind,
    resource: anomaly.resource,
    resourceId: boundedId(anomaly.resourceId),
    details: anomaly.details,
    firstObservedAt: tx.at,
    lastObservedAt: tx.at,
  }));
  for (let from = 0; from < rows.length; from += rowsPerStatement) {
    tx.send('anomalies.report', (db) =>
      db
        .insert(anomalies)
        .values(rows.slice(from, from + rowsPerStatement))
        .onConflictDoUpdate({
          target: [anomalies.accountId, anomalies.kind, anomalies.resource, anomalies.resourceId],
          set: {
            details: keepingEvidence,
            lastObservedAt: sql`excluded.last_observed_at`,
            occurrences: sql`${anomalies.occurrences} + 1`,
            resolvedAt: null,
          },
        }),
    );
  }
}

export function resolveAnomalies(
  tx: FencedTx,
  kind: AnomalyKind,
  resource: Resource,
  resourceIds: readonly string[],
): void {
  if (resourceIds.length === 0) return;
  resolveWhere(tx, kind, resource, inArray(anomalies.resourceId, resourceIds.map(boundedId)));
}

/** Resolves the open anomalies of the kind whose subject begins with the prefix, if not found again. */
export function resolveOtherAnomalies(
  tx: FencedTx,
  kind: AnomalyKind,
  resource: Resource,
  prefix: string,
  found: readonly Anomaly[],
): void {
  const kept = textArray(found.map((anomaly) => boundedId(anomaly.resourceId)));
  const isOther = sql`starts_with(${anomalies.resourceId}, ${prefix}) and ${anomalies.resourceId} <> all(${kept})`;
  resolveWhere(tx, kind, resource, isOther);
}

function resolveWhere(tx: FencedTx, kind: AnomalyKind, resource: Resource, condition: SQL): void {
  tx.send('anomalies.resolve', (db) =>
    db
      .update(anomalies)
      .set({ resolvedAt: tx.at })
      .where(and(openOf(tx.lease.account, kind, resource), condition)),
  );
}

function openOf(account: string, kind: AnomalyKind, resource: Resource) {
  return and(
    eq(anomalies.accountId, account),
    eq(anomalies.kind, kind),
    eq(anomalies.resource, resource),
    isNull(anomalies.resolvedAt),
  );
}

function boundedId(resourceId: string): string {
  const id = storableText(resourceId);
  if (id.length <= longestId) return id;
  const digest = createHash('sha256').update(id).digest('hex');
  return `${storableText(id.slice(0, longestId))}…${digest}`;
}
