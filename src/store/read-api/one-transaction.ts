// One transaction with its statuses, its revisions and the record as it was received; and how long
// transactions like it took: the last that were completed, of the same type and asset.
import { sql } from 'drizzle-orm';
import { type FilterColumn, transactions as table } from '../../../drizzle/transactions.ts';
import type { Tx } from '../postgres/transaction.ts';
import { shownMoment } from '../values/micros.ts';
import { bounded } from './list/columns.ts';
import { digestFilter } from './list/digest-filter.ts';
import { readOne, readPage } from './list/read-page.ts';
import { readSealed } from './sealed.ts';
import { revisions, timeline, transactions } from './transactions.ts';

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

/** Enough to show what is usual. More would read more rows, and older ones. */
const lastOnes = 200;

/** @returns a JSON object; null when there is no such transaction */
export async function readUsualTimes(tx: Tx, account: string, id: string): Promise<string | null> {
  const { rows } = await tx.run('read.usual-times.of', (db) =>
    db.execute<{ type: string | null; asset: string | null }>(sql`
      select transaction_type as type, asset_id as asset from ${table}
      where account_id = ${account} and transaction_id = ${id}`),
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
