// The rows of vaults and whitelist entries. The two tables differ only in their columns beside the document:
// one set of statements serves both, by a description of the table.
import { desc, eq, getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { documentRevisions } from '../../../../drizzle/documents.ts';
import type { DocumentChange, DocumentKind } from '../../../domain/document.ts';
import { documentAttributes, type Fields, namesOf } from '../../../domain/fields.ts';
import { hiddenFromPlanner } from '../../postgres/hidden-from-planner.ts';
import type { FencedTx } from '../../run/fence.ts';
import type { Run } from '../../run/runs.ts';
import { textArray } from '../../values/binary-array.ts';
import {
  appendRows,
  type ColumnValues,
  columnsOf,
  excludedColumns,
  selectRows,
} from '../../values/bulk-rows.ts';
import { type Micros, microsOf, microsToIso, selectMicros, selectMicrosOrNull } from '../../values/micros.ts';
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

/** A row with what its history says of it; `history` is null where it has none. */
export interface StoredDocument extends Omit<KnownDocument, 'lastRevision' | 'isAltered'> {
  readonly history: DocumentHistory | null;
}

export interface DocumentHistory {
  readonly firstSeenAt: Micros;
  readonly changedAt: Micros;
  readonly change: DocumentChange;
  readonly revision: number;
  /** Whether the row holds the document and the attributes of the last revision. */
  readonly isSame: boolean;
}

/**
 * The history of the document of this identifier, as JSON: an expression; null without a history.
 *
 * @param isSame whether the last revision, `l`, holds what the row does
 */
function historyOf(tx: FencedTx, kind: DocumentKind, id: SQL, isSame: SQL): SQL<DocumentHistory | null> {
  const revisions = sql`from ${documentRevisions} h
    where h.account_id = ${hiddenFromPlanner(tx.lease.account)} and h.kind = ${kind} and h.document_id = ${id}`;
  return sql<DocumentHistory | null>`(
    select json_build_object('revision', l.revision, 'change', l.change, 'isSame', ${isSame},
      'changedAt', ${microsOf(sql`l.observed_at`)}, 'firstSeenAt', ${microsOf(sql`f.observed_at`)})
    from (select h.* ${revisions} order by h.revision desc limit 1) l,
      (select h.observed_at ${revisions} order by h.revision limit 1) f)`;
}

/**
 * Every document of the account. The text is empty if the row has the observed digest, because it is not
 * needed then.
 */
export async function readDocuments(
  tx: FencedTx,
  description: DocumentTable,
  observed: readonly ObservedDocument[],
): Promise<readonly StoredDocument[]> {
  const { kind, table, attributes } = description;
  const id = columnOf(table, description.id);
  const attributePairs = namesOf(attributes).map((name) => sql`${name}::text, ${columnOf(table, name)}`);
  const contentHash = columnOf(table, 'contentHash');
  const observedIds = textArray(observed.map((document) => document.id));
  const observedHashes = textArray(observed.map((document) => document.contentHash));
  // The outer table is spelled out: in a select from one table drizzle omits its name.
  const ofRow = (column: PgColumn) =>
    sql`${sql.identifier(getTableName(table))}.${sql.identifier(column.name)}`;
  const alike = namesOf(attributes).map(
    (name) =>
      sql`l.${sql.identifier(columnOf(table, name).name)} is not distinct from ${ofRow(columnOf(table, name))}`,
  );
  const isSame = sql.join(
    [sql`l.document::text = ${ofRow(columnOf(table, 'document'))}::text`, ...alike],
    sql` and `,
  );
  return await tx.run(`${kind}.read`, (db) =>
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
        firstSeenAt: selectMicros(columnOf(table, 'firstSeenAt')),
        changedAt: selectMicros(columnOf(table, 'changedAt')),
        missingSince: selectMicrosOrNull(columnOf(table, 'missingSince')),
        history: historyOf(tx, kind, ofRow(id), isSame),
      })
      .from(table)
      .where(eq(columnOf(table, 'accountId'), tx.lease.account)),
  );
}

/** Inserts documents, or overwrites their rows. */
export async function writeDocuments(
  tx: FencedTx,
  { kind, table, id, attributes }: DocumentTable,
  written: DocumentChanges['written'],
): Promise<void> {
  if (written.length === 0) return;
  const documents = written.map((row) => row.document);
  const values: Record<string, ColumnValues> = {
    accountId: sql`${tx.lease.account}`,
    [id]: documents.map((document) => document.id),
    ...columnsOf(documents, ['document', 'contentHash']),
    ...attributeColumns(namesOf(attributes), documents),
    ...columnsOf(written, ['firstSeenAt', 'changedAt', 'missingSince']),
  };
  await tx.run(`${kind}.write`, (db) =>
    db
      .insert(table)
      .select(selectRows(table, values))
      .onConflictDoUpdate({
        target: [columnOf(table, 'accountId'), columnOf(table, id)],
        set: excludedColumns(table, ['accountId', id]),
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

export interface LastRevision extends Pick<ObservedDocument, 'attributes' | 'document'> {
  readonly history: DocumentHistory;
  /** Whether it holds what was observed now. */
  readonly isObserved: boolean;
}

/** The last revision of each document that has one. */
export async function readLastRevisions(
  tx: FencedTx,
  kind: DocumentKind,
  ids: readonly string[],
  observed: readonly ObservedDocument[],
): Promise<Map<string, LastRevision>> {
  const { documentId, revision, document } = documentRevisions;
  const pairs = namesOf(documentAttributes).map((name) => sql`${name}::text, ${documentRevisions[name]}`);
  const given = sql`unnest(${textArray(observed.map(({ id }) => id))}, ${textArray(observed.map((one) => one.document))})`;
  const rows = await tx.run('document-revisions.last', (db) =>
    db
      .selectDistinctOn([documentId], {
        id: documentId,
        attributes: sql<ObservedDocument['attributes']>`jsonb_build_object(${sql.join(pairs, sql`, `)})`,
        document: sql<string>`${document}::text`,
        isObserved: sql<boolean>`coalesce(
          (select o.text::jsonb::text = ${document}::text from ${given} as o(id, text) where o.id = ${documentId}), false)`,
        history: historyOf(tx, kind, sql`document_revisions.document_id`, sql`true`),
      })
      .from(documentRevisions)
      .where(
        sql`${documentRevisions.accountId} = ${hiddenFromPlanner(tx.lease.account)}
          and ${documentRevisions.kind} = ${kind} and ${documentId} = any(${textArray(ids)})`,
      )
      .orderBy(documentId, desc(revision)),
  );
  return new Map(
    rows.flatMap(({ history, ...row }) => (history === null ? [] : [[row.id, { ...row, history }] as const])),
  );
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

/** The rows' values of each attribute; null for those that their kind of document lacks. */
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
