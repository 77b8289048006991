// Records asked for by their key: a transaction with its statuses, its revisions and the record as received;
// how long transactions like it took; and the three snapshots of one tick.
import { type SQL, sql } from 'drizzle-orm';
import { type FilterColumn, transactions as table } from '../../../drizzle/transactions.ts';
import type { Tx } from '../postgres/transaction.ts';
import { isNotHalfErased } from '../run/accounts.ts';
import { shownMoment } from '../values/micros.ts';
import { snapshots } from './balances/balances.ts';
import { bounded, digestFilter } from './list/columns.ts';
import type { Listing } from './list/listing.ts';
import { readOne, readPage } from './list/read-page.ts';
import { revisions, timeline, transactions } from './transactions.ts';

const ofTick: Listing = {
  ...snapshots,
  filters: { snapshot_at: { column: 'snapshot_at', is: '=' } },
};

/**
 * The snapshots of one tick, of all, warm and cold vaults, and the checkpoint that seals them.
 *
 * @returns a JSON object; null when nothing was observed then
 */
export async function readSnapshotsAt(tx: Tx, account: string, at: string): Promise<string | null> {
  const asked = { account, at: null, filters: { snapshot_at: at }, order: snapshots.defaultOrder };
  const { rows } = await readPage(tx, ofTick, asked, { limit: 3, from: null });
  if (rows.length === 0) return null;
  const sealed = await readSealed(
    tx,
    account,
    sql`(select max(s.change_id) from custody.balance_snapshots s where s.account_id = ${account} and s.snapshot_at = ${at}::timestamptz)`,
  );
  return `{"snapshots":[${rows.join()}],"sealed":${sealed}}`;
}

/** How many statuses and revisions are shown with a transaction. The lists of their own show all. */
const historyShown = 500;

/**
 * A transaction with its statuses and revisions, as members of a JSON object; null when it is not mirrored.
 */
export async function readTransaction(tx: Tx, account: string, id: string): Promise<string | null> {
  const asked = { account, at: null, filters: { transaction_id: id } };
  const row = await readOne(tx, transactions, { ...asked, order: transactions.defaultOrder });
  if (row === null) return null;
  const all = { limit: historyShown, from: null };
  const statuses = await readPage(tx, timeline, { ...asked, order: timeline.defaultOrder }, all);
  const changes = await readPage(tx, revisions, { ...asked, order: revisions.defaultOrder }, all);
  const raw = await tx.run('read.raw', (db) =>
    db.execute<{ raw: string }>(sql`
      select ${bounded('json', sql`t.raw`)}::text as raw from custody.transactions t where t.account_id = ${account} and t.transaction_id = ${id}`),
  );
  const last = (table: string) =>
    sql`(select max(h.change_id) from custody.${sql.identifier(table)} h where h.account_id = ${account} and h.transaction_id = ${id})`;
  const lastOfBoth = sql`greatest(${last('transaction_status_history')}, ${last('transaction_revisions')})`;
  return [
    row.slice(0, -1),
    `"sealed":${await readSealed(tx, account, lastOfBoth)}`,
    `"timeline":[${statuses.rows.join()}]`,
    `"revisions":[${changes.rows.join()}]`,
    `"raw":${raw.rows[0]?.raw ?? 'null'}}`,
  ].join();
}

const equals = digestFilter(table);

/** Enough to show the usual duration. More would read more rows, and older ones. */
const lastOnes = 200;

/**
 * How long the last ones of the same type and asset took to be completed.
 *
 * @returns a JSON object; null when there is no such transaction
 */
export async function readUsualTimes(tx: Tx, account: string, id: string): Promise<string | null> {
  const { rows } = await tx.run('read.usual-times.of', (db) =>
    db.execute<{ type: string | null; asset: string | null }>(sql`
      select transaction_type as type, asset_id as asset from ${table}
      where account_id = ${account} and transaction_id = ${id} and ${isNotHalfErased(account)}`),
  );
  const [of] = rows;
  if (of === undefined) return null;
  const alike = (column: FilterColumn, value: string | null) =>
    value === null ? sql`false` : equals({ account, column, value });
  const found = await tx.run('read.usual-times', (db) =>
    db.execute<{ json: string }>(sql`
      select json_build_object('transaction_type', ${of.type}::text, 'asset_id', ${of.asset}::text, 'completed', count(*)::int,
        'since', ${shownMoment(sql`min(l.first_seen_at)`)},
        'median_seconds', round(extract(epoch from percentile_disc(0.5) within group (order by l.took)), 3),
        'p95_seconds', round(extract(epoch from percentile_disc(0.95) within group (order by l.took)), 3),
        'longest_seconds', round(extract(epoch from max(l.took)), 3))::text as json
      from (
        select first_seen_at, status_changed_at - first_seen_at as took from ${table}
        where account_id = ${account} and first_seen_at > (select a.transactions_since from custody.accounts a where a.account_id = ${account})
          and ${alike('transactionType', of.type)} and ${alike('assetId', of.asset)} and ${alike('status', 'completed')}
        order by first_seen_at desc limit ${lastOnes}
      ) as l`),
  );
  return found.rows[0]?.json ?? null;
}

// In which checkpoint of the sealed history something is sealed, and what its last verification found.

/**
 * The first checkpoint that seals all rows up to one: a JSON object, its members null while there is none
 * yet; `null` for an account without a log.
 *
 * @param last the number (change_id) of the last of the rows
 */
async function readSealed(tx: Tx, account: string, last: SQL): Promise<string> {
  const { rows } = await tx.run('read.sealed', (db) =>
    db.execute<{ json: string }>(sql`
      select json_build_object('checkpoint', c.tree_size, 'signed_at', ${shownMoment(sql`c.signed_at`)},
        'verified_at', ${shownMoment(sql`v.verified_at`)}, 'is_altered', v.finding is not null)::text as json
      from (select ${last} as last) as n left join lateral (
        select * from reporting.checkpoints k where k.account_id = ${account} and k.last_change_id >= n.last order by k.last_change_id limit 1
      ) as c on true left join sync.seal_verifications v on v.account_id = ${account}
      where exists (select from reporting.checkpoints k where k.account_id = ${account})`),
  );
  return rows[0]?.json ?? 'null';
}
