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
 * read. Rows are grouped, not joined by their keys: without statistics such a join compares each with each.
 */
async function readTotals(tx: FencedTx, at: string, before: string): Promise<readonly ComparedTotals[]> {
  const identity = sql`vault_type, asset_id, network_id, valid_from, valid_to`;
  const ofAccount = sql`account_id = ${tx.lease.account}`;
  const total = (type: string, moment: SQL) => {
    const isShown = sql`vault_type = ${type} and snapshot_at = ${moment}`;
    return sql`case when count(*) filter (where ${isShown}) > count(total) filter (where ${isShown}) then null
      else coalesce(max(total) filter (where ${isShown}),
        (select 0 from tick where ${isShown} and unidentified_count = 0)) end`;
  };
  const now = sql`${at}::timestamptz`;
  const then = sql`${before}::timestamptz`;
  const found = await tx.run('balance-totals.read', (db) =>
    db.execute<ComparedTotals>(sql`
      with tick as materialized (
        select vault_type, snapshot_at, unidentified_count from ${balanceSnapshots}
        where ${ofAccount} and snapshot_at in (${now}, ${then})
      ), relevant as (
        select ${identity}, total_balance as total, true as is_held from ${balances} where ${ofAccount} and valid_to is null
        union all
        select ${identity}, total_balance, true from ${balances} where ${ofAccount} and valid_to > ${then}
        union all
        select ${identity}, null, false from ${unreadableBalances}
        where ${ofAccount} and (valid_to is null or valid_to > ${then})
      ), shown as (
        select r.asset_id, r.network_id, r.vault_type, t.snapshot_at, r.total, r.is_held
        from relevant r join tick t on t.vault_type = r.vault_type
          and r.valid_from <= t.snapshot_at and (r.valid_to is null or r.valid_to > t.snapshot_at)
      ), total as (
        select asset_id, network_id, ${total('all', now)} as "all", ${total('warm', now)} as warm, ${total('cold', now)} as cold,
          ${total('all', then)} - ${total('warm', then)} - ${total('cold', then)} as difference_before
        from shown group by asset_id, network_id having bool_or(is_held)
      )
      select asset_id, network_id, "all"::text, warm::text, cold::text, ("all" - warm - cold)::text as difference,
        "all" = warm + cold as holds, "all" <> warm + cold and "all" - warm - cold = difference_before as differed_before
      from total`),
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
