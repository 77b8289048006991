// Vaults and whitelist entries now, at a moment, and each with its revisions.
import { type SQL, sql } from 'drizzle-orm';
import type { DocumentKind } from '../../domain/document.ts';
import type { Tx } from '../postgres/database.ts';
import type { Columns } from './list/columns.ts';
import { type Filter, type Listing, ownRows } from './list/listing.ts';
import { readOne, readPage } from './list/read-page.ts';

export interface DocumentLists {
  readonly now: Listing;
  readonly at: Listing;
  readonly revisions: Listing;
  /** Column of the identifier. */
  readonly id: string;
}

const times = { first_seen_at: 'moment!', changed_at: 'moment!', missing_since: 'moment' } as const;

function documentLists(
  kind: DocumentKind,
  name: string,
  table: string,
  id: string,
  attributes: Columns,
  filtered: readonly string[],
): DocumentLists {
  const filters: Record<string, Filter> = Object.fromEntries(
    filtered.map((column) => [column, { column, is: '=' }]),
  );
  const orders = { [id]: [id] };
  const recognised: readonly SQL[] = Object.keys(attributes).map(
    (column) => sql`r.${sql.identifier(column)}`,
  );
  return {
    id,
    now: {
      name,
      describedBy: `custody.${table}`,
      columns: { [id]: 'text!', ...attributes, ...times, document: 'json!' },
      from: ownRows(`custody.${table}`),
      filters: {
        ...filters,
        [id]: { column: id, is: '=' },
        missing: { column: 'missing_since', is: 'not null' },
      },
      orders,
      defaultOrder: id,
    },
    at: {
      name: `${name}-at`,
      describedBy: 'custody.document_revisions',
      columns: {
        [id]: 'text!',
        ...attributes,
        revision: 'integer!',
        change: 'text!',
        observed_after: 'moment',
        observed_at: 'moment!',
        document: 'json!',
      },
      // The last state that was seen by then; what had been removed by then was not listed.
      from: ({ account, at }) => ({
        item: sql`(
          select distinct on (r.document_id) r.document_id as ${sql.identifier(id)}, ${sql.join([...recognised], sql`, `)},
            r.revision, r.change, r.observed_after, r.observed_at, r.document
          from custody.document_revisions r
          where r.account_id = ${account} and r.kind = ${kind} and r.observed_at <= ${at}::timestamptz
          order by r.document_id, r.revision desc
        ) as v`,
        where: sql`v.change <> 'removed'`,
      }),
      filters: { ...filters, [id]: { column: id, is: '=' } },
      orders,
      defaultOrder: id,
    },
    revisions: {
      name: `${name}-revisions`,
      describedBy: 'custody.document_revisions',
      columns: {
        revision: 'integer!',
        change: 'text!',
        observed_after: 'moment',
        observed_at: 'moment!',
        ...attributes,
        document: 'json!',
        run_id: 'integer!',
      },
      from: ({ account }) => ({
        item: sql`custody.document_revisions as v`,
        where: sql`v.account_id = ${account} and v.kind = ${kind}`,
      }),
      filters: { document_id: { column: 'document_id', is: '=', isHidden: true } },
      orders: { revision: ['revision'] },
      defaultOrder: 'revision',
    },
  };
}

export const vaults = documentLists(
  'vault',
  'vaults',
  'vaults',
  'vault_id',
  { name: 'text', vault_type: 'text' },
  ['vault_type'],
);

export const whitelist = documentLists(
  'whitelist_entry',
  'whitelist',
  'whitelist_entries',
  'entry_id',
  { name: 'text', address: 'text', asset_id: 'text', network_id: 'text' },
  ['address', 'asset_id', 'network_id'],
);

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
