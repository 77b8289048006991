// The rows and revisions of documents: their known state, what a list changes, and what is written. History
// is sealed, the rows are not: the known state comes from the last revisions, and a row that differs was
// altered in the database, not by the service.
import { getTableColumns, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { documentRevisions } from '../../../../drizzle/documents.ts';
import type { DocumentChange, DocumentKind } from '../../../domain/document.ts';
import { documentAttributes, type Fields, namesOf } from '../../../domain/fields.ts';
import type { Resource } from '../../../domain/jobs.ts';
import type { JsonObject } from '../../../domain/json.ts';
import { hiddenFromPlanner } from '../../postgres/hidden-from-planner.ts';
import { type Anomaly, alteredRow } from '../../run/anomalies.ts';
import type { FencedTx } from '../../run/leases.ts';
import type { Run } from '../../run/runs.ts';
import { columnsOf, rowsOf, textArray } from '../../values/bulk-rows.ts';
import { type Micros, microsOf, microsToIso } from '../../values/micros.ts';

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

/** A document as history has it. `document` is empty where the row has the observed digest. */
interface KnownDocument extends ObservedDocument {
  readonly firstSeenAt: Micros;
  readonly changedAt: Micros;
  readonly missingSince: Micros | null;
  readonly lastRevision: number;
  /** Somebody changed or deleted the row in the database; `document` is not empty then. */
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
    if (change === 'none' && before?.isAltered) written.push(asBefore(before));
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
      if (document.isAltered) written.push(asBefore(document));
      if (document.missingSince !== null) continue;
      if (list.beganAt < document.changedAt) stale += 1;
      else revisions.push(revisionOf(document, 'removed', document.lastRevision));
    }
  }
  return { written, revisions, stale };
}

/** The row as history has it. */
function asBefore(document: KnownDocument): WrittenDocument {
  const { firstSeenAt, changedAt, missingSince } = document;
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
  /** The values recognised in the document. */
  readonly attributes: Fields;
}

/** A row, and the first and last revision of its document; one of the two may be missing. */
type StoredDocument = Pick<KnownDocument, 'id' | 'attributes' | 'document' | 'firstSeenAt' | 'changedAt'> & {
  /** Null where there is no revision. */
  readonly revision: number | null;
  readonly change: DocumentChange;
  readonly rowHash: string | null;
  /** Whether the row is what the revisions say; they say nothing of the digest. */
  readonly isSame: boolean;
  /** Null for a missing row, or if nothing differs. */
  readonly row: JsonObject | null;
};

/** Reads every document of the account, and those observed whose row was deleted. */
async function readDocuments(
  tx: FencedTx,
  { kind, table, id, attributes }: DocumentTable,
  observed: readonly ObservedDocument[],
): Promise<readonly StoredDocument[]> {
  const account = hiddenFromPlanner(tx.lease.account);
  const key = sql.identifier(columnOf(table, id).name);
  const columns = namesOf(attributes).map((name) => [name, columnOf(table, name).name] as const);
  const namesIn = (alias: string) => sql.raw(columns.map(([, column]) => `${alias}.${column}`).join());
  const attributesOf = sql.raw(columns.map(([name, column]) => `'${name}', l.${column}`).join());
  const ids = textArray(observed.map((document) => document.id));
  const hashes = textArray(observed.map((document) => document.contentHash));
  const { rows } = await tx.run(`${kind}.read`, (db) =>
    db.execute<StoredDocument>(sql`
      select coalesce(d.${key}, o.id) as id, l.revision, l.change, d.content_hash as "rowHash",
        jsonb_build_object(${attributesOf}) as attributes,
        ${microsOf(sql`f.observed_at`)}::float8 as "firstSeenAt",
        ${microsOf(sql`l.observed_at`)}::float8 as "changedAt", is_same as "isSame",
        case when is_same and d.content_hash = o.hash then '' else l.document::text end as document,
        case when is_same and d.content_hash = o.hash then null
          else to_jsonb(d) || jsonb_build_object('document', d.document::text) end as row
      from (select * from ${table} where account_id = ${account}) as d
      full join unnest(${ids}, ${hashes}) as o(id, hash) on o.id = d.${key}
      left join lateral (select h.* from ${documentRevisions} h
        where h.account_id = ${account} and h.kind = ${kind} and h.document_id = coalesce(d.${key}, o.id)
        order by h.revision desc limit 1) as l on true
      left join lateral (select h.observed_at from ${documentRevisions} h
        where h.account_id = ${account} and h.kind = ${kind} and h.document_id = coalesce(d.${key}, o.id)
        order by h.revision limit 1) as f on true
      cross join lateral (select
        (d.document::text, d.first_seen_at, d.changed_at, d.missing_since, ${namesIn('d')}) is not distinct from
        (l.document::text, f.observed_at, l.observed_at, case l.change when 'removed' then l.observed_at end,
          ${namesIn('l')}) as is_same) as compared`),
  );
  return rows;
}

interface KnownDocuments {
  /** A row without history is left out, so that it is overwritten. */
  readonly known: ReadonlyMap<string, KnownDocument>;
  readonly altered: readonly Anomaly[];
}

/** @param digestOf the digest of a stored document; if left out, that of the row counts */
export async function readKnownDocuments(
  tx: FencedTx,
  resource: Resource,
  table: DocumentTable,
  observed: readonly ObservedDocument[],
  digestOf?: DigestOf,
): Promise<KnownDocuments> {
  const known = new Map<string, KnownDocument>();
  const altered: Anomaly[] = [];
  for (const stored of await readDocuments(tx, table, observed)) {
    const { revision, change, rowHash, isSame, row, ...document } = stored;
    if (revision === null) {
      if (row !== null) altered.push(alteredRow(resource, document.id, row));
      continue;
    }
    const digest = document.document === '' ? null : digestOf?.(document.document);
    const contentHash = digest ?? rowHash ?? '';
    const isAltered = !isSame || contentHash !== rowHash;
    if (isAltered) altered.push(alteredRow(resource, document.id, row));
    const missingSince = change === 'removed' ? document.changedAt : null;
    known.set(document.id, { ...document, contentHash, missingSince, lastRevision: revision, isAltered });
  }
  return { known, altered };
}

export type DigestOf = (document: string) => string | null;

/** Inserts documents, or overwrites their rows. */
export function writeDocuments(
  tx: FencedTx,
  { kind, table, id, attributes }: DocumentTable,
  written: DocumentChanges['written'],
): void {
  if (written.length === 0) return;
  const documents = written.map((row) => row.document);
  const key = sql.identifier(columnOf(table, id).name);
  const { names, rows, excluded } = rowsOf(table, {
    [id]: documents.map((document) => document.id),
    ...columnsOf(documents, ['document', 'contentHash']),
    ...attributeColumns(namesOf(attributes), documents),
    ...columnsOf(written, ['firstSeenAt', 'changedAt', 'missingSince']),
  });
  tx.send(
    `${kind}.write`,
    () => sql`
      insert into ${table} (account_id, ${names}) select ${tx.lease.account}, r.* from ${rows} as r
      on conflict (account_id, ${key}) do update set (${names}) = row(${excluded})`,
  );
}

export function markMissing(
  tx: FencedTx,
  { kind, table, id }: DocumentTable,
  ids: readonly string[],
  at: Micros,
): void {
  if (ids.length === 0) return;
  const key = sql.identifier(columnOf(table, id).name);
  tx.send(
    `${kind}.remove`,
    () => sql`
      update ${table} set missing_since = ${microsToIso(at)}, changed_at = ${microsToIso(at)}
      where account_id = ${tx.lease.account} and ${key} = any(${textArray(ids)})`,
  );
}

export function writeDocumentRevisions(
  tx: FencedTx,
  run: Run,
  kind: DocumentKind,
  revisions: readonly DocumentRevision[],
  { observedAfter, observedAt }: { readonly observedAfter: Micros | null; readonly observedAt: Micros },
): void {
  // Where another list was read at the same time, its reading says nothing about the time before this answer.
  const after = observedAfter === null || observedAfter > observedAt ? null : microsToIso(observedAfter);
  const { names, rows } = rowsOf(documentRevisions, {
    documentId: revisions.map((revision) => revision.id),
    ...columnsOf(revisions, ['revision', 'change', 'document']),
    ...attributeColumns(namesOf(documentAttributes), revisions),
  });
  tx.send(
    'document-revisions.write',
    () => sql`
      insert into ${documentRevisions} (account_id, kind, observed_at, observed_after, run_id, ${names})
      select ${tx.lease.account}, ${kind}, ${microsToIso(observedAt)}::timestamptz, ${after}::timestamptz,
        ${run.runId}::bigint, r.*
      from ${rows} as r`,
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
