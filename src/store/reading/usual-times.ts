// How long transactions like one took: the last that were completed, of the same type and asset.
import { sql } from 'drizzle-orm';
import { type FilterColumn, transactions } from '../../../drizzle/transactions.ts';
import type { Tx } from '../postgres/transaction.ts';
import { shownMoment } from './list/columns.ts';
import { digestFilter } from './list/digest-filter.ts';

const equals = digestFilter(transactions);

/** So many tell what is usual. More would cost more rows, of a time that is over. */
const lastOnes = 200;

/** @returns a JSON object; null when there is no such transaction */
export async function readUsualTimes(tx: Tx, account: string, id: string): Promise<string | null> {
  const { rows } = await tx.run('read.usual-times.of', (db) =>
    db.execute<{ type: string | null; asset: string | null }>(sql`
      select transaction_type as type, asset_id as asset from ${transactions}
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
        select first_seen_at, status_changed_at - first_seen_at as took from ${transactions}
        where account_id = ${account} and first_seen_at > (select a.transactions_since from custody.accounts a where a.account_id = ${account})
          and ${alike('transactionType', of.type)} and ${alike('assetId', of.asset)} and ${alike('status', 'completed')}
        order by first_seen_at desc limit ${lastOnes}
      ) as l`),
  );
  return found.rows[0]?.json ?? null;
}
