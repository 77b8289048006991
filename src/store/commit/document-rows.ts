// The rows of vaults and whitelist entries. The two tables differ only in their columns beside the document:
// one set of statements serves both, by a description of the table. And when their list was read whole: from
// one end to the other, with every record decoded. Such a reading shows what is listed and what is not;
// nothing is known about the time between two readings.
import { and, desc, eq, getTableColumns, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { documentReadings, documentRevisions } from '../../../drizzle/documents.ts';
import type { DocumentKind } from '../../domain/document.ts';
import { type Fields, namesOf } from '../../domain/field.ts';
import { documentAttributes } from '../../domain/fields.ts';
import { hiddenFromPlanner } from '../postgres/hidden-from-planner.ts';
import type { FencedTx } from '../run/fence.ts';
import type { Run } from '../run/runs.ts';
import { textArray } from '../values/binary-array.ts';
import {
  appendRows,
  type ColumnValues,
  columnsOf,
  excludedColumns,
  selectRows,
} from '../values/bulk-rows.ts';
import { type Micros, microsToIso, selectMicros, selectMicrosOrNull } from '../values/micros.ts';
import type {
  DocumentChanges,
  DocumentRevision,
  KnownDocument,
  ObservedDocument,
} from './document-changes.ts';

export interface DocumentTable {
  readonly kind: DocumentKind;
  readonly table: PgTable;
  /** Member of the table that identifies the document. */
  readonly id: string;
  /** What is recognised in the document. */
  readonly attributes: Fields;
}

/**
 * Every document of the account. The text is empty where the row has the digest that was observed: nobody
 * needs it then.
 */
export async function readDocuments(
  tx: FencedTx,
  description: DocumentTable,
  observed: readonly ObservedDocument[],
): Promise<Map<string, KnownDocument>> {
  const { kind, table, attributes } = description;
  const id = columnOf(table, description.id);
  const attributePairs = namesOf(attributes).map((name) => sql`${name}::text, ${columnOf(table, name)}`);
  const contentHash = columnOf(table, 'contentHash');
  const observedIds = textArray(observed.map((document) => document.id));
  const observedHashes = textArray(observed.map((document) => document.contentHash));
  const rows = await tx.run(`${kind}.read`, (db) =>
    db
      .select({
        id: sql<string>`${id}`,
        attributes: sql<
          KnownDocument['attributes']
        >`jsonb_build_object(${sql.join(attributePairs, sql`, `)})`,
        document: sql<string>`case
          when (${id}, ${contentHash}) in (select * from unnest(${observedIds}, ${observedHashes})) then ''
          else ${columnOf(table, 'document')}::text
        end`,
        contentHash: sql<string>`${contentHash}`,
        changedAt: selectMicros(columnOf(table, 'changedAt')),
        missingSince: selectMicrosOrNull(columnOf(table, 'missingSince')),
        lastRevision: sql<number>`(
          select max(${documentRevisions.revision}) from ${documentRevisions}
          where ${documentRevisions.accountId} = ${hiddenFromPlanner(tx.lease.account)}
            and ${documentRevisions.kind} = ${kind} and ${documentRevisions.documentId} = ${id}
        )`,
      })
      .from(table)
      .where(eq(columnOf(table, 'accountId'), tx.lease.account)),
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Inserts documents, or writes over their rows, which keep when they were first seen. */
export async function writeDocuments(
  tx: FencedTx,
  { kind, table, id, attributes }: DocumentTable,
  written: DocumentChanges['written'],
): Promise<void> {
  if (written.length === 0) return;
  const changedAt = written.map((row) => row.changedAt);
  const documents = written.map((row) => row.document);
  const values: Record<string, ColumnValues> = {
    accountId: sql`${tx.lease.account}`,
    [id]: documents.map((document) => document.id),
    ...columnsOf(documents, ['document', 'contentHash']),
    ...attributeColumns(namesOf(attributes), documents),
    firstSeenAt: changedAt,
    changedAt,
    missingSince: sql`null::timestamptz`,
  };
  await tx.run(`${kind}.write`, (db) =>
    db
      .insert(table)
      .select(selectRows(table, values))
      .onConflictDoUpdate({
        target: [columnOf(table, 'accountId'), columnOf(table, id)],
        set: excludedColumns(table, ['accountId', id, 'firstSeenAt']),
      }),
  );
}

export async function markMissing(
  tx: FencedTx,
  { kind, table, id }: DocumentTable,
  ids: readonly string[],
  at: Micros,
): Promise<void> {
  if (ids.length === 0) return;
  const moment = sql`${microsToIso(at)}::timestamptz`;
  await tx.run(`${kind}.remove`, (db) =>
    db
      .update(table)
      .set({ missingSince: moment, changedAt: moment })
      .where(
        sql`${columnOf(table, 'accountId')} = ${tx.lease.account} and ${columnOf(table, id)} = any(${textArray(ids)})`,
      ),
  );
}

/** What the last revision of each document holds. */
export async function readLastRevisions(
  tx: FencedTx,
  kind: DocumentKind,
  ids: readonly string[],
): Promise<Map<string, Pick<ObservedDocument, 'attributes' | 'document'>>> {
  const { documentId, revision, document } = documentRevisions;
  const pairs = namesOf(documentAttributes).map((name) => sql`${name}::text, ${documentRevisions[name]}`);
  const rows = await tx.run('document-revisions.last', (db) =>
    db
      .selectDistinctOn([documentId], {
        id: documentId,
        attributes: sql<ObservedDocument['attributes']>`jsonb_build_object(${sql.join(pairs, sql`, `)})`,
        document: sql<string>`${document}::text`,
      })
      .from(documentRevisions)
      .where(
        sql`${documentRevisions.accountId} = ${hiddenFromPlanner(tx.lease.account)}
          and ${documentRevisions.kind} = ${kind} and ${documentId} = any(${textArray(ids)})`,
      )
      .orderBy(documentId, desc(revision)),
  );
  return new Map(rows.map((row) => [row.id, row]));
}

export async function writeDocumentRevisions(
  tx: FencedTx,
  run: Run,
  kind: DocumentKind,
  revisions: readonly DocumentRevision[],
  { observedAfter, observedAt }: { readonly observedAfter: Micros | null; readonly observedAt: Micros },
): Promise<void> {
  // Where another list was read at the same time, its reading says nothing about the time before this answer.
  const after = observedAfter === null || observedAfter > observedAt ? null : microsToIso(observedAfter);
  await tx.run('document-revisions.write', (db) =>
    db.execute(
      appendRows(documentRevisions, {
        accountId: sql`${tx.lease.account}`,
        kind: sql`${kind}`,
        documentId: revisions.map((revision) => revision.id),
        ...columnsOf(revisions, ['revision', 'change', 'document']),
        observedAt: sql`${microsToIso(observedAt)}::timestamptz`,
        runId: sql`${run.runId}::bigint`,
        ...attributeColumns(namesOf(documentAttributes), revisions),
        observedAfter: sql`${after}::timestamptz`,
      }),
    ),
  );
}

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

/** What the rows hold of each attribute; null of those that their kind of document has not. */
function attributeColumns<Name extends string>(
  names: readonly Name[],
  rows: readonly Pick<ObservedDocument, 'attributes'>[],
): Record<Name, readonly (string | null)[]> {
  const none = Object.fromEntries(names.map((name) => [name, null]));
  return columnsOf(
    rows.map(({ attributes }) => ({ ...none, ...attributes })),
    names,
  );
}

function columnOf(table: PgTable, member: string): PgColumn {
  const column = getTableColumns(table)[member];
  if (column === undefined) throw new TypeError(`the table has no member ${member}`);
  return column;
}
