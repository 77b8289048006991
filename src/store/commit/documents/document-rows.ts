// Checks the rows of documents against their last revisions. History is sealed, the rows are not: one that
// differs was altered in the database, not by the service, and its values must not enter history.
import { desc, eq, getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { documentRevisions } from '../../../../drizzle/documents.ts';
import type { DocumentChange, DocumentKind } from '../../../domain/document.ts';
import { documentAttributes, type Fields, namesOf } from '../../../domain/fields.ts';
import type { Resource } from '../../../domain/jobs.ts';
import type { JsonObject } from '../../../domain/json.ts';
import { hiddenFromPlanner } from '../../postgres/hidden-from-planner.ts';
import type { Anomaly } from '../../run/anomalies.ts';
import type { FencedTx } from '../../run/leases.ts';
import type { Run } from '../../run/runs.ts';
import {
  appendRows,
  type ColumnValues,
  columnsOf,
  excludedColumns,
  selectRows,
  textArray,
} from '../../values/bulk-rows.ts';
import { type Micros, microsOf, microsToIso, selectMicros, selectMicrosOrNull } from '../../values/micros.ts';

interface KnownDocuments {
  /** As history has them. A row without history is left out, so that it is overwritten. */
  readonly known: ReadonlyMap<string, KnownDocument>;
  readonly anomalies: readonly Anomaly[];
}

export async function readKnownDocuments(
  tx: FencedTx,
  resource: Resource,
  rows: DocumentTable,
  observed: readonly ObservedDocument[],
): Promise<KnownDocuments> {
  const known = new Map<string, KnownDocument>();
  /** What is in the table and not in history, by identifier. */
  const found = new Map<string, JsonObject>();
  /** Those whose content must be taken from their last revision. */
  const unknown = new Map<string, KnownDocument | null>(observed.map(({ id }) => [id, null]));
  for (const { history, ...row } of await readDocuments(tx, rows, observed)) {
    unknown.delete(row.id);
    const content = { ...row.attributes, ...(row.document === '' ? {} : { document: row.document }) };
    if (history === null) {
      found.set(row.id, { row: 'without history', ...content });
      continue;
    }
    const { isSame } = history;
    const altered = { ...otherMoments(row, history), ...(isSame ? {} : content) };
    const isAltered = !isSame || Object.keys(altered).length > 0;
    const expectedRow = { ...row, ...momentsOf(history), lastRevision: history.revision, isAltered };
    known.set(row.id, expectedRow);
    if (!isAltered) continue;
    found.set(row.id, altered);
    unknown.set(row.id, expectedRow);
  }
  const last = await lastRevisions(tx, rows, [...unknown.keys()], observed);
  for (const [id, row] of unknown) {
    const expected = last.get(id);
    if (expected === undefined) continue;
    const { attributes, document, isObserved, history } = expected;
    const seen = isObserved ? observed.find((one) => one.id === id) : undefined;
    const contentHash = seen?.contentHash ?? row?.contentHash ?? '';
    known.set(id, {
      ...{ id, attributes, document, contentHash, ...momentsOf(history) },
      lastRevision: history.revision,
      isAltered: true,
    });
    if (row === null) found.set(id, { row: null });
  }
  return {
    known,
    anomalies: [...found].map(([resourceId, what]) => ({
      kind: 'altered',
      resource,
      resourceId,
      details: { found: what },
    })),
  };
}

async function lastRevisions(
  tx: FencedTx,
  { kind }: DocumentTable,
  ids: readonly string[],
  observed: readonly ObservedDocument[],
) {
  return ids.length === 0 ? new Map<string, never>() : await readLastRevisions(tx, kind, ids, observed);
}

function momentsOf({ firstSeenAt, changedAt, change }: DocumentHistory) {
  return { firstSeenAt, changedAt, missingSince: change === 'removed' ? changedAt : null };
}

const columns = {
  firstSeenAt: 'first_seen_at',
  changedAt: 'changed_at',
  missingSince: 'missing_since',
} as const;

/** The moments of the row that differ from its history, by column. */
function otherMoments(row: Omit<StoredDocument, 'history'>, history: DocumentHistory): JsonObject {
  const expected = momentsOf(history);
  const found: Record<string, string | null> = {};
  for (const name of ['firstSeenAt', 'changedAt', 'missingSince'] as const) {
    const moment: Micros | null = row[name];
    if (moment !== expected[name]) found[columns[name]] = moment === null ? null : microsToIso(moment);
  }
  return found;
}

// Decides what a list of documents (vaults or whitelist entries) changes in the existing rows. Pure. Every
// state of a document is one revision: added, changed, removed from a complete list, restored. A list older
// than a row does not change it.

/** A document as it was received. */
interface ObservedDocument {
  readonly id: string;
  /** The columns beside the document, by their member of the table. */
  readonly attributes: Readonly<Record<string, string | null>>;
  /** JSON text. */
  readonly document: string;
  readonly contentHash: string;
}

/**
 * A document as its row and its history have it. `document` is empty where its digest is the observed one.
 */
interface KnownDocument extends ObservedDocument {
  readonly firstSeenAt: Micros;
  readonly changedAt: Micros;
  readonly missingSince: Micros | null;
  readonly lastRevision: number;
  /** Somebody changed or deleted the row in the database. */
  readonly isAltered: boolean;
}

interface DocumentRevision {
  readonly id: string;
  readonly revision: number;
  readonly change: DocumentChange;
  /** As in `ObservedDocument`; at a removal the last known ones. */
  readonly attributes: Readonly<Record<string, string | null>>;
  readonly document: string;
}

export interface DocumentChanges {
  /** Documents whose rows have to be written. */
  readonly written: readonly WrittenDocument[];
  readonly revisions: readonly DocumentRevision[];
  /** How many rows are younger than the list. */
  readonly stale: number;
}

interface WrittenDocument {
  readonly document: ObservedDocument;
  readonly firstSeenAt: Micros;
  readonly changedAt: Micros;
  readonly missingSince: Micros | null;
}

interface DocumentList {
  readonly observed: readonly ObservedDocument[];
  readonly beganAt: Micros;
  readonly arrivedAt: Micros;
  /** Whether a document that is neither in the list nor in `unreadable` is gone. */
  readonly isComplete: boolean;
  readonly unreadable: ReadonlySet<string>;
}

export function documentChanges(
  known: ReadonlyMap<string, KnownDocument>,
  list: DocumentList,
): DocumentChanges {
  const written: WrittenDocument[] = [];
  const revisions: DocumentRevision[] = [];
  let stale = 0;
  const observedIds = new Set(list.observed.map((document) => document.id));
  for (const document of list.observed) {
    const before = known.get(document.id);
    const change = before === undefined ? 'added' : changeOf(before, document, list.beganAt);
    if (change === 'refused') stale += 1;
    if (change === 'none' && before?.isAltered) written.push(asBefore(before, document));
    if (change === 'none' || change === 'refused') continue;
    const at = list.arrivedAt;
    written.push({ document, firstSeenAt: before?.firstSeenAt ?? at, changedAt: at, missingSince: null });
    revisions.push(revisionOf(document, change, before?.lastRevision ?? 0));
  }
  // An unreadable record without a known identifier may be any of the missing ones.
  const mayBeAny = [...list.unreadable].some((key) => !known.has(key));
  if (list.isComplete && !mayBeAny) {
    for (const document of known.values()) {
      if (observedIds.has(document.id) || list.unreadable.has(document.id)) continue;
      if (document.missingSince !== null) {
        if (document.isAltered) written.push(asBefore(document, document));
        continue;
      }
      if (list.beganAt < document.changedAt) stale += 1;
      else revisions.push(revisionOf(document, 'removed', document.lastRevision));
    }
  }
  return { written, revisions, stale };
}

/** The row as history has it. */
function asBefore(
  { firstSeenAt, changedAt, missingSince }: KnownDocument,
  document: ObservedDocument,
): WrittenDocument {
  return { document, firstSeenAt, changedAt, missingSince };
}

function revisionOf(
  { id, attributes, document }: ObservedDocument,
  change: DocumentChange,
  lastRevision: number,
): DocumentRevision {
  return { id, revision: lastRevision + 1, change, attributes, document };
}

function changeOf(
  before: KnownDocument,
  document: ObservedDocument,
  beganAt: Micros,
): 'changed' | 'restored' | 'none' | 'refused' {
  if (beganAt < Math.max(before.changedAt, before.missingSince ?? 0)) return 'refused';
  if (before.missingSince !== null) return 'restored';
  const isSame =
    before.contentHash === document.contentHash &&
    Object.keys(document.attributes).every((name) => before.attributes[name] === document.attributes[name]);
  return isSame ? 'none' : 'changed';
}

// The rows of vaults and whitelist entries. The two tables differ only in their columns beside the document:
// one set of statements serves both, by a description of the table.

export interface DocumentTable {
  readonly kind: DocumentKind;
  readonly table: PgTable;
  /** Member of the table that identifies the document. */
  readonly id: string;
  /** What is recognised in the document. */
  readonly attributes: Fields;
}

/** A row with what its history says of it; `history` is null where it has none. */
interface StoredDocument extends Omit<KnownDocument, 'lastRevision' | 'isAltered'> {
  readonly history: DocumentHistory | null;
}

interface DocumentHistory {
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
async function readDocuments(
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

interface LastRevision extends Pick<ObservedDocument, 'attributes' | 'document'> {
  readonly history: DocumentHistory;
  /** Whether it holds what was observed now. */
  readonly isObserved: boolean;
}

/** The last revision of each document that has one. */
async function readLastRevisions(
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
