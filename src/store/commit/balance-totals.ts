// Compares the balances of all vaults with the sum of warm and cold (docs/custody-service.md 4.3 and 4.4),
// asset by asset, in the database's exact decimals. The three are read a moment apart, and a movement in
// between makes them differ once: only the same difference in two ticks in a row is reported.
import { type SQL, sql } from 'drizzle-orm';
import { balanceSnapshots, balances, unreadableBalances } from '../../../drizzle/balances.ts';
import { balanceVaultTypes } from '../../domain/balance.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Database } from '../postgres/database.ts';
import { type Anomaly, resolveOtherAnomalies, writeAnomalies } from '../run/anomalies.ts';
import { type FencedTx, withFence } from '../run/fence.ts';
import type { Lease } from '../run/leases.ts';
import { microsToIso, toMicros } from '../values/micros.ts';

const kind = 'totals-differ';

interface ComparedTotals extends Record<string, unknown> {
  readonly asset_id: string;
  readonly network_id: string;
  readonly all: string | null;
  readonly warm: string | null;
  readonly cold: string | null;
  readonly difference: string | null;
  readonly holds: boolean | null;
  readonly differed_before: boolean | null;
}

/** Compares the snapshots of one tick, if all three exist. Unknown balances are left out. */
export async function compareTotals(database: Database, lease: Lease, snapshotAt: Instant): Promise<void> {
  const at = microsToIso(toMicros(snapshotAt));
  await withFence(database, lease, 'compare-totals', async (tx) => {
    const before = await readTickBefore(tx, at);
    if (before === null) return;
    const compared = await readTotals(tx, at, before);
    const differing = compared.filter((row) => row.differed_before);
    const unsettled = compared.filter((row) => !row.holds);
    resolveOtherAnomalies(tx, kind, 'balances', '', unsettled.map(totalsDiffer));
    writeAnomalies(tx, differing.map(totalsDiffer));
  });
}

/**
 * The last moment before this one that has a snapshot of each vault type; null when there is none, or this
 * one lacks a type.
 */
async function readTickBefore(tx: FencedTx, at: string): Promise<string | null> {
  const has = (type: string, moment: SQL) => sql`exists (select from ${balanceSnapshots} o
    where o.account_id = ${tx.lease.account} and o.vault_type = ${type} and o.snapshot_at = ${moment})`;
  const hasEach = sql.join(
    balanceVaultTypes.map((type) => has(type, sql`${at}::timestamptz`)),
    sql` and `,
  );
  const found = await tx.run('balance-totals.tick-before', (db) =>
    db.execute<{ micros: string }>(sql`
      select (extract(epoch from s.snapshot_at) * 1000000)::bigint as micros from ${balanceSnapshots} s
      where s.account_id = ${tx.lease.account} and s.vault_type = 'all' and s.snapshot_at < ${at}::timestamptz
        and ${hasEach} and ${has('warm', sql`s.snapshot_at`)} and ${has('cold', sql`s.snapshot_at`)}
      order by s.snapshot_at desc limit 1`),
  );
  const [row] = found.rows;
  return row === undefined ? null : microsToIso(Number(row.micros));
}

/**
 * A balance that a snapshot does not show is zero, unless it may be one of the records that could not be
 * read.
 */
async function readTotals(tx: FencedTx, at: string, before: string): Promise<readonly ComparedTotals[]> {
  const columns = sql`vault_type, asset_id, network_id, valid_from, valid_to, total_balance`;
  const found = await tx.run('balance-totals.read', (db) =>
    db.execute<ComparedTotals>(sql`
      with relevant as (
        select ${columns} from ${balances} where account_id = ${tx.lease.account} and valid_to is null
        union all
        select ${columns} from ${balances} where account_id = ${tx.lease.account} and valid_to > ${before}::timestamptz
      ), part as (
        select s.snapshot_at, k.asset_id, k.network_id, s.vault_type,
          case when u.asset_id is not null then null when b.asset_id is not null then b.total_balance
            when s.unidentified_count = 0 then 0 end as total
        from ${balanceSnapshots} s
        cross join (select distinct asset_id, network_id from relevant) k
        left join relevant b on (b.vault_type, b.asset_id, b.network_id) = (s.vault_type, k.asset_id, k.network_id)
          and b.valid_from <= s.snapshot_at and (b.valid_to is null or b.valid_to > s.snapshot_at)
        left join ${unreadableBalances} u on (u.account_id, u.vault_type, u.asset_id, u.network_id)
            = (s.account_id, s.vault_type, k.asset_id, k.network_id)
          and u.valid_from <= s.snapshot_at and (u.valid_to is null or u.valid_to > s.snapshot_at)
        where s.account_id = ${tx.lease.account} and s.snapshot_at in (${at}::timestamptz, ${before}::timestamptz)
      ), total as (
        select snapshot_at, asset_id, network_id, max(total) filter (where vault_type = 'all') as "all",
          max(total) filter (where vault_type = 'warm') as warm, max(total) filter (where vault_type = 'cold') as cold
        from part group by snapshot_at, asset_id, network_id
      )
      select asset_id, network_id, n."all"::text, n.warm::text, n.cold::text, (n."all" - n.warm - n.cold)::text as difference,
        n."all" = n.warm + n.cold as holds,
        n."all" <> n.warm + n.cold and n."all" - n.warm - n.cold = b."all" - b.warm - b.cold as differed_before
      from total n join total b using (asset_id, network_id)
      where n.snapshot_at = ${at}::timestamptz and b.snapshot_at = ${before}::timestamptz`),
  );
  return found.rows;
}

function totalsDiffer({ asset_id, network_id, all, warm, cold, difference }: ComparedTotals): Anomaly {
  return {
    kind,
    resource: 'balances',
    resourceId: `${asset_id}/${network_id}`,
    details: { all, warm, cold, difference },
  };
}
