// Vaults and whitelist entries now, at a moment, and each with its revisions.
import { type SQL, sql } from 'drizzle-orm';
import { type DocumentKind, documentChangeKinds, documentKinds } from '../../domain/document.ts';
import {
  columnOf,
  documentAttributes,
  entryAttributes,
  type Fields,
  namesOf,
  vaultAttributes,
  vaultTypes,
} from '../../domain/fields.ts';
import type { Tx } from '../postgres/transaction.ts';
import { fieldColumns } from './list/columns.ts';
import { type List, type Listing, list, listing, period } from './list/listing.ts';
import { choice, fieldParameters, flag, type Parameters, text } from './list/parameter-kinds.ts';
import { readOne, readPage } from './list/read-page.ts';

export interface DocumentLists {
  readonly now: List;
  readonly revisions: Listing;
  /** Column of the identifier. */
  readonly id: string;
}

/** An observed state. */
const state = 'revision! change! observed_after observed_at!';

interface DocumentTable {
  readonly kind: DocumentKind;
  /** In the schema custody. */
  readonly table: string;
  /** Names of the lists, part of their path. */
  readonly name: string;
  /** Part of the names of operations. */
  readonly many: string;
  /** Name of the schema. */
  readonly one: string;
  /** Column of the identifier, and an example. */
  readonly id: string;
  readonly example: string;
  /** The fields recognised in a document. */
  readonly fields: Fields;
  readonly filters: Parameters;
}

function documentLists(description: DocumentTable): DocumentLists {
  const { kind, table, name, many, one, id, example, fields, filters } = description;
  const recognised = namesOf(fields).map((field) => sql`r.${sql.identifier(columnOf(field))}`);
  const now = list({
    id: `list${many}`,
    path: `/v1/${name}`,
    summary: `${many}, now or as known at a moment`,
    description: 'Without `at`, those that the service no longer lists are included, with `missing_since`.',
    row: one,
    name,
    view: `custody.${table}`,
    columns: `${id}! ${fieldColumns(fields)} first_seen_at! changed_at! missing_since document!`,
    filters: {
      [id]: text('Only the one with this identifier.', example),
      ...filters,
      missing: flag('Only what the service no longer lists, or only what it lists; not with at.'),
    },
    conditions: { missing: { column: 'missing_since', is: 'not null' } },
    orders: { [id]: [id] },
    past: {
      row: `${one}At`,
      of: kind,
      view: 'custody.document_revisions',
      columns: `${id}! ${fieldColumns(fields)} ${state} document!`,
      without: ['missing'],
      // The last state seen by then; documents that had been removed by then were not listed.
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
    },
  });
  const revisions = listing({
    name: `${name}-revisions`,
    view: 'custody.document_revisions',
    columns: `${state} ${fieldColumns(fields)} document! run_id!`,
    from: ({ account }) => ({
      item: sql`custody.document_revisions as v`,
      where: sql`v.account_id = ${account} and v.kind = ${kind}`,
    }),
    filters: { document_id: text('Only the one with this identifier.', example) },
    orders: { revision: ['revision'] },
  });
  return { id, now, revisions };
}

export const vaults = documentLists({
  kind: 'vault',
  table: 'vaults',
  name: 'vaults',
  many: 'Vaults',
  one: 'Vault',
  id: 'vault_id',
  example: 'vlt_aa3044f12ffc5957',
  fields: vaultAttributes,
  filters: { vault_type: choice(vaultTypes, vaultAttributes.vaultType.filter.says) },
});

export const whitelist = documentLists({
  kind: 'whitelist_entry',
  table: 'whitelist_entries',
  name: 'whitelist',
  many: 'Whitelist',
  one: 'WhitelistEntry',
  id: 'entry_id',
  example: 'wl_dcaa3d11d3136c8d',
  fields: entryAttributes,
  filters: fieldParameters(entryAttributes),
});

const stateOfDocument = `
  kind! document_id! ${state} known_until valid_to is_listed! is_older_than_mirror! is_current!
  ${fieldColumns(documentAttributes)}`;

const jsonInText = ['before', 'after', 'document'] as const;

/** What changed in vaults and whitelist entries, with the members before and after. */
export const documentChanges = list({
  id: 'listDocumentChanges',
  path: '/v1/documents/changes',
  summary: 'Changes in vaults and whitelist entries, with the members before and after',
  description: 'Each observed state is a row. It began between `observed_after` and `observed_at`.',
  row: 'DocumentChange',
  view: 'reporting.document_changes',
  columns: `${stateOfDocument} changed_fields! before! after! document! run_id!`,
  // The view has plain columns, for BI tools.
  kinds: { changed_fields: 'texts', before: 'json', after: 'json', document: 'json' },
  from: ({ account }) => ({
    item: sql`(
      select d.account_id, d.run_id, ${columnsOfView(stateOfDocument)}, ${columnsOfView(jsonInText.join(' '), '::jsonb')},
        array(select jsonb_object_keys(d.before::jsonb || d.after::jsonb) order by 1) as changed_fields
      from reporting.document_changes d) as v`,
    where: sql`v.account_id = ${account}`,
  }),
  filters: {
    kind: choice(documentKinds, 'Only changes of vaults, or of whitelist entries.'),
    document_id: text('Only changes of the vault or entry with this identifier.', 'wl_dcaa3d11d3136c8d'),
    change: choice(documentChangeKinds, 'Only changes of this kind.'),
    is_older_than_mirror: flag('Only what the initial sync found, or only what came after it.'),
    ...period('observed', 'changes first observed'),
  },
  orders: { observed_at: ['observed_at', 'kind', 'document_id', 'revision'] },
  defaultOrder: '-observed_at',
});

function columnsOfView(names: string, cast: '::jsonb' | '' = ''): SQL {
  const columns = names
    .trim()
    .split(/!?\s+|!$/)
    .map((name) => sql`d.${sql.identifier(name)}${sql.raw(cast)} as ${sql.identifier(name)}`);
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
