// The histories of an account as one feed, in the order of its commits. Rows draw their change_id while the
// writer holds the lock on the account's lease (src/store/run/leases.ts), and all histories draw from one
// sequence: a reader that sees a number sees every lower one that was ever committed. So a reader that goes
// on after the last number it has read misses nothing.
import { type SQL, sql } from 'drizzle-orm';
import type { Tx } from '../postgres/transaction.ts';
import { lastChangeId, type Names, namesFrom, namesOf } from '../run/histories.ts';
import { shownMoment } from '../values/micros.ts';
import { isAccount } from './known-since.ts';
import { bounded } from './list/columns.ts';
import { withinMostBytes } from './list/stream-csv.ts';

export const changeKinds = [
  'transaction_status',
  'transaction_revision',
  'vault',
  'whitelist_entry',
  'balance_snapshot',
] as const;

export type ChangeKind = (typeof changeKinds)[number];

export interface Changes {
  /** Each change as a JSON object. */
  readonly rows: readonly string[];
  /** The number after which the feed continues: that of the last row, or the one given. */
  readonly next: number;
  readonly hasMore: boolean;
  /** The greatest number of the account; 0 when it has none. */
  readonly last: number;
  readonly isMirrored: boolean;
  /** The names of the history, newest first. */
  readonly names: Names;
  /** On a replica, which may lag behind. */
  readonly isReplica: boolean;
}

export interface ChangesAsked {
  readonly account: string;
  readonly after: number;
  readonly limit: number;
  /** Null for all. */
  readonly kind: ChangeKind | null;
}

export async function readChanges(tx: Tx, { account, after, limit, kind }: ChangesAsked): Promise<Changes> {
  const branches = (kind === null ? changeKinds : [kind]).map((part) => {
    const { table, id, observedAt, details, only = sql`` } = histories[part];
    return sql`(
      select h.change_id, ${part}::text as kind, ${id} as resource_id, ${shownMoment(observedAt)} as observed_at,
        h.run_id, json_build_object(${details}) as details
      from ${sql.raw(`custody.${table}`)} as h
      where h.account_id = ${account} and h.change_id > ${after} ${only}
      order by h.change_id limit ${limit + 1})`;
  });
  // One statement, so that the rows and the greatest number show one state.
  const rows = await tx.ask<ChangeRow>(
    'read.changes',
    sql`
      select ${placeColumns(account)}, ${isAccount(account)}::text as "isMirrored", f.change_id::text, f.row
      from (select 1) as one left join (
        select m.change_id, ${withinMostBytes(sql`m.row`)} as row from (
          select h.change_id, row_to_json(h)::text as row from (${sql.join(branches, sql` union all `)}) as h
          order by h.change_id limit ${limit + 1}
        ) as m
      ) as f on true order by f.change_id`,
    'once',
  );
  const found = rows.filter((row) => row.change_id !== null);
  const shown = found.slice(0, limit).flatMap(({ row }) => row ?? []);
  return {
    rows: shown,
    next: Number(found[shown.length - 1]?.change_id ?? after),
    hasMore: found.length > shown.length,
    isMirrored: rows[0]?.isMirrored === 'true',
    ...placeFrom(rows[0]),
  };
}

type PlaceRow = Record<'last' | 'names' | 'isReplica', string>;
type ChangeRow = PlaceRow & { readonly isMirrored: string } & Record<'change_id' | 'row', string | null>;
type Place = Pick<Changes, 'names' | 'last' | 'isReplica'>;

/** Where the history of an account is: its names, and its greatest number. */
export async function readPlace(tx: Tx, account: string): Promise<Place> {
  const rows = await tx.ask<PlaceRow>('read.place', sql`select ${placeColumns(account)}`, 'once');
  return placeFrom(rows[0]);
}

function placeColumns(account: string): SQL {
  return sql`${lastChangeId(account)}::text as last, ${namesOf(account)}::text as names, pg_is_in_recovery()::text as "isReplica"`;
}

function placeFrom(row: PlaceRow | undefined): Place {
  return {
    names: namesFrom(JSON.parse(row?.names ?? '[]')),
    last: Number(row?.last ?? 0),
    isReplica: row?.isReplica === 'true',
  };
}

/** The greatest number of an account: one lookup by index in each history. */
export async function readLastChange(tx: Tx, account: string): Promise<number> {
  const { rows } = await tx.run('read.last-change', (db) =>
    db.execute<{ last: string }>(sql`select ${lastChangeId(account)}::text as last`),
  );
  return Number(rows[0]?.last ?? 0);
}

interface History {
  /** In the schema custody. */
  readonly table: string;
  readonly id: SQL;
  readonly observedAt: SQL;
  /** Arguments of json_build_object. */
  readonly details: SQL;
  readonly only?: SQL;
}

const text = (name: string) => bounded('text', sql.raw(`h.${name}`));
const json = (name: string) => bounded('json', sql.raw(`h.${name}`));

/** The columns recognised in the documents of each kind. */
const ofKind = {
  vault: sql`'vault_type', ${text('vault_type')}`,
  whitelist_entry: sql`'address', ${text('address')}, 'asset_id', ${text('asset_id')}, 'network_id', ${text('network_id')}`,
};

function documentHistory(kind: 'vault' | 'whitelist_entry'): History {
  return {
    table: 'document_revisions',
    id: sql`h.document_id`,
    observedAt: sql`h.observed_at`,
    details: sql`'revision', h.revision, 'change', h.change, 'observed_after', ${shownMoment(sql`h.observed_after`)}, 'name', ${text('name')},
      ${ofKind[kind]}, 'document', ${json('document')}`,
    only: sql` and h.kind = ${kind}`,
  };
}

const histories: Readonly<Record<ChangeKind, History>> = {
  transaction_status: {
    table: 'transaction_status_history',
    id: sql`h.transaction_id`,
    observedAt: sql`h.observed_at`,
    details: sql`'sequence', h.sequence, 'from_status', h.from_status, 'to_status', h.to_status,
      'observed_after', ${shownMoment(sql`h.observed_after`)}, 'source_timestamp', ${shownMoment(sql`h.source_timestamp`)}`,
  },
  transaction_revision: {
    table: 'transaction_revisions',
    id: sql`h.transaction_id`,
    observedAt: sql`h.observed_at`,
    details: sql`'revision', h.revision, 'changed_fields', h.changed_fields, 'before', ${json('before')}, 'after', ${json('after')}`,
  },
  vault: documentHistory('vault'),
  whitelist_entry: documentHistory('whitelist_entry'),
  balance_snapshot: {
    table: 'balance_snapshots',
    id: sql`h.vault_type`,
    observedAt: sql`h.answered_at`,
    details: sql`'snapshot_at', ${shownMoment(sql`h.snapshot_at`)}, 'asked_at', ${shownMoment(sql`h.asked_at`)},
      'source_timestamp', ${shownMoment(sql`h.source_timestamp`)},
      'asset_count', h.asset_count, 'changed_count', h.changed_count, 'quarantined_count', h.quarantined_count,
      'unidentified_count', h.unidentified_count`,
  },
};
