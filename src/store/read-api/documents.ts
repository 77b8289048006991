// Vaults and whitelist entries now, at a moment, and each with its revisions.
import { type SQL, sql } from 'drizzle-orm';
import type { DocumentKind } from '../../domain/document.ts';
import { columnOf, type Fields, namesOf } from '../../domain/field.ts';
import { documentAttributes, entryAttributes, vaultAttributes } from '../../domain/fields.ts';
import { inlinedLiteral } from '../postgres/inlined-literal.ts';
import type { Tx } from '../postgres/transaction.ts';
import { fieldColumns } from './list/columns.ts';
import { equal, fieldFilters, listOf, period } from './list/list-of.ts';
import type { Filter, Listing } from './list/listing.ts';
import { readOne, readPage } from './list/read-page.ts';

export interface DocumentLists {
  readonly now: Listing;
  readonly at: Listing;
  readonly revisions: Listing;
  /** Column of the identifier. */
  readonly id: string;
}

/** A state that was observed. */
const state = {
  revision: 'integer!',
  change: 'text!',
  observed_after: 'moment',
  observed_at: 'moment!',
} as const;

const times = { first_seen_at: 'moment!', changed_at: 'moment!', missing_since: 'moment' } as const;

interface DocumentTable {
  readonly kind: DocumentKind;
  /** Name of the lists. */
  readonly name: string;
  /** In the schema custody. */
  readonly table: string;
  /** Column of the identifier. */
  readonly id: string;
  /** What is recognised in a document. */
  readonly fields: Fields;
}

function documentLists(description: DocumentTable): DocumentLists {
  return {
    id: description.id,
    now: presentList(description),
    at: pastList(description),
    revisions: revisionList(description),
  };
}

function filtersOf({ id, fields }: DocumentTable): Record<string, Filter> {
  return { ...equal(id), ...fieldFilters(fields) };
}

function presentList(description: DocumentTable): Listing {
  const { name, table, id, fields } = description;
  return listOf({
    name,
    describedBy: `custody.${table}`,
    columns: { [id]: 'text!', ...fieldColumns(fields), ...times, document: 'json!' },
    filters: { ...filtersOf(description), missing: { column: 'missing_since', is: 'not null' } },
    orders: { [id]: [id] },
  });
}

function pastList(description: DocumentTable): Listing {
  const { kind, name, id, fields } = description;
  const recognised = namesOf(fields).map((field) => sql`r.${sql.identifier(columnOf(field))}`);
  return {
    name: `${name}-at`,
    describedBy: 'custody.document_revisions',
    columns: { [id]: 'text!', ...fieldColumns(fields), ...state, document: 'json!' },
    // The last state that was seen by then; what had been removed by then was not listed.
    from: ({ account, at }) => ({
      item: sql`(
        select distinct on (r.document_id) r.document_id as ${sql.identifier(id)}, ${sql.join(recognised, sql`, `)},
          r.revision, r.change, r.observed_after, r.observed_at, r.document
        from custody.document_revisions r
        where r.account_id = ${account} and r.kind = ${kind} and r.observed_at <= ${at}::timestamptz
        order by r.document_id, r.revision desc
      ) as v`,
      where: sql`v.change <> 'removed'`,
    }),
    filters: filtersOf(description),
    orders: { [id]: [id] },
    defaultOrder: id,
  };
}

function revisionList({ kind, name, fields }: DocumentTable): Listing {
  return {
    name: `${name}-revisions`,
    describedBy: 'custody.document_revisions',
    columns: { ...state, ...fieldColumns(fields), document: 'json!', run_id: 'integer!' },
    from: ({ account }) => ({
      item: sql`custody.document_revisions as v`,
      where: sql`v.account_id = ${account} and v.kind = ${kind}`,
    }),
    filters: { document_id: { column: 'document_id', is: '=', isHidden: true } },
    orders: { revision: ['revision'] },
    defaultOrder: 'revision',
  };
}

export const vaults = documentLists({
  kind: 'vault',
  name: 'vaults',
  table: 'vaults',
  id: 'vault_id',
  fields: vaultAttributes,
});

export const whitelist = documentLists({
  kind: 'whitelist_entry',
  name: 'whitelist',
  table: 'whitelist_entries',
  id: 'entry_id',
  fields: entryAttributes,
});

const stateOfDocument = {
  kind: 'text!',
  document_id: 'text!',
  ...state,
  known_until: 'moment',
  valid_to: 'moment',
  is_listed: 'boolean!',
  is_older_than_mirror: 'boolean!',
  is_current: 'boolean!',
  ...fieldColumns(documentAttributes),
} as const;

const jsonInText = ['before', 'after', 'document'] as const;

/** What changed in vaults and whitelist entries, with the members before and after. */
export const documentChanges = listOf({
  name: 'document-changes',
  describedBy: 'reporting.document_changes',
  columns: {
    ...stateOfDocument,
    changed_fields: 'texts!',
    before: 'json!',
    after: 'json!',
    document: 'json!',
    run_id: 'integer!',
  },
  says: {
    changed_fields:
      'Names of the members of the document that differ from the previous state; empty at the first sighting, and at a removal.',
    before: 'Those members before; one that was absent is left out.',
    after: 'Those members after; one that is absent now is left out.',
    document: 'The whole record; at a removal the last one seen.',
  },
  // The view has plain columns, for BI tools.
  from: ({ account }) => ({
    item: sql`(
      select d.account_id, d.run_id, ${columnsOfView(Object.keys(stateOfDocument))}, ${columnsOfView(jsonInText, '::jsonb')},
        array(select jsonb_object_keys(d.before::jsonb || d.after::jsonb) order by 1) as changed_fields
      from reporting.document_changes d) as v`,
    where: sql`v.account_id = ${inlinedLiteral(account)}`,
  }),
  filters: {
    ...equal('kind', 'document_id', 'change', 'is_older_than_mirror'),
    ...period('observed'),
  },
  orders: { observed_at: ['observed_at', 'kind', 'document_id', 'revision'] },
  defaultOrder: '-observed_at',
});

function columnsOfView(names: readonly string[], cast: '::jsonb' | '' = ''): SQL {
  const columns = names.map(
    (name) => sql`d.${sql.identifier(name)}${sql.raw(cast)} as ${sql.identifier(name)}`,
  );
  return sql.join(columns, sql`, `);
}

/** How many revisions are shown with a document: its last ones. */
const revisionsShown = 500;

/** A document with its revisions as a JSON object; null when it is not mirrored. */
export async function readDocument(
  tx: Tx,
  { now, revisions, id: column }: DocumentLists,
  account: string,
  id: string,
): Promise<string | null> {
  const row = await readOne(tx, now, {
    account,
    at: null,
    filters: { [column]: id },
    order: now.defaultOrder,
  });
  if (row === null) return null;
  const history = { account, at: null, filters: { document_id: id }, order: '-revision' };
  const { rows } = await readPage(tx, revisions, history, { limit: revisionsShown, from: null });
  return `${row.slice(0, -1)},"revisions":[${rows.toReversed().join()}]}`;
}
