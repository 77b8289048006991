// Commits one complete observation of the balances of a vault type in one database transaction: the
// snapshot's row, and the intervals that end or begin with it. Snapshots of a vault type follow one another
// in time.
import { and, eq, sql } from 'drizzle-orm';
import { balanceSnapshots } from '../../../drizzle/balances.ts';
import {
  type Balance,
  type BalanceIdentity,
  type BalanceVaultType,
  balanceKey,
  balanceOfKey,
  balancePartsAgree,
} from '../../domain/balance.ts';
import type { RequestTally } from '../../domain/endpoint.ts';
import { balanceAmounts, namesOf } from '../../domain/fields.ts';
import type { Instant, Observation } from '../../domain/instant.ts';
import type { Page } from '../../domain/page.ts';
import type { Database } from '../postgres/database.ts';
import { type Anomaly, resolveOtherAnomalies, writeAnomalies } from '../run/anomalies.ts';
import { type FencedTx, withFence } from '../run/fence.ts';
import type { Lease } from '../run/leases.ts';
import { keysInQuarantine, resolveOtherQuarantine, writeQuarantine } from '../run/quarantine.ts';
import { countIntoRun, type Run } from '../run/runs.ts';
import { type Micros, microsToIso, selectMicros, toMicros } from '../values/micros.ts';
import { type ObservedBalances, stepBalances } from './balance-intervals.ts';
import { readCurrent, readUnknown, writeIntervals, writeUnknown } from './balance-rows.ts';
import { duplicateIds, type MergedPages, mergeObservations } from './observations.ts';

export interface BalanceSnapshot {
  readonly vaultType: BalanceVaultType;
  /** One value for the three vault types of one tick. */
  readonly snapshotAt: Instant;
  /** When the first request began, and when the last answer had arrived. */
  readonly observation: Observation;
  /** Every page of the list. */
  readonly pages: readonly Page<Balance>[];
  /** Requests of the run so far. */
  readonly tally: RequestTally;
}

export interface SnapshotCommit {
  /** Balances the snapshot holds. */
  readonly assets: number;
  /** Balances that began, changed or ended with it. */
  readonly changed: number;
  readonly quarantined: number;
  /** True when the mirror held a snapshot of this time or a later one: nothing was written. */
  readonly stale: boolean;
}

/**
 * @throws MirrorError `LEASE-LOST`, `DATABASE-UNREACHABLE`, `DATABASE-REFUSED`; nothing is written then,
 *   unless only the answer to the commit was lost
 */
export async function commitBalanceSnapshot(
  database: Database,
  lease: Lease,
  run: Run,
  snapshot: BalanceSnapshot,
): Promise<SnapshotCommit> {
  const { vaultType } = snapshot;
  const merged = mergeObservations(snapshot.pages);
  const observed = observedBalances(merged);
  const { readable, unidentified } = observed;
  const counts = {
    assets: readable.length,
    quarantined: keysInQuarantine(merged.undecodable).size,
  };
  const at = toMicros(snapshot.snapshotAt);
  return await withFence(database, lease, 'commit-balances', async (tx) => {
    const latest = await readLatest(tx, vaultType);
    if (latest !== null && latest >= at) return { ...counts, changed: 0, stale: true };
    const current = await readCurrent(tx, vaultType);
    const unknown = await readUnknown(tx, vaultType);
    const step = stepBalances(current, unknown, observed);
    await writeSnapshot(tx, run, snapshot, { ...counts, unidentified, changed: step.changed });
    await writeIntervals(tx, run, { vaultType, at }, step);
    await writeUnknown(tx, { vaultType, at }, unknown, step.unknown);
    writeFindings(tx, run, vaultType, merged, readable);
    const read = {
      read: merged.read,
      inserted: step.appeared,
      changed: step.changed - step.appeared,
      quarantined: counts.quarantined,
    };
    countIntoRun(tx, run, read, snapshot.tally);
    return { ...counts, changed: step.changed, stale: false };
  });
}

/** A balance that was seen more than once is as the request that began last showed it. */
function observedBalances(merged: MergedPages<Balance>): ObservedBalances {
  const byKey = new Map<string, Balance>();
  for (const observations of merged.records.values()) {
    const record = (observations[observations.length - 1] ?? observations[0]).item.record;
    byKey.set(balanceKey(record), record);
  }
  const unreadable: BalanceIdentity[] = [];
  const unidentified = new Set<string>();
  for (const { item } of merged.undecodable) {
    const balance = balanceOfKey(item.key);
    if (balance === null) unidentified.add(item.key);
    else unreadable.push(balance);
  }
  return { readable: [...byKey.values()], unreadable, unidentified: unidentified.size };
}

async function readLatest(tx: FencedTx, vaultType: BalanceVaultType): Promise<Micros | null> {
  const rows = await tx.run('balance-snapshots.latest', (db) =>
    db
      .select({ latest: selectMicros(sql`max(${balanceSnapshots.snapshotAt})`) })
      .from(balanceSnapshots)
      .where(
        and(eq(balanceSnapshots.accountId, tx.lease.account), eq(balanceSnapshots.vaultType, vaultType)),
      ),
  );
  return rows[0]?.latest ?? null;
}

async function writeSnapshot(
  tx: FencedTx,
  run: Run,
  { vaultType, snapshotAt, observation, pages }: BalanceSnapshot,
  counts: Readonly<Record<'assets' | 'changed' | 'quarantined' | 'unidentified', number>>,
): Promise<void> {
  const [askedAt, answeredAt] = [toMicros(observation.beganAt), toMicros(observation.arrivedAt)];
  await tx.run('balance-snapshots.write', (db) =>
    db.insert(balanceSnapshots).values({
      accountId: tx.lease.account,
      vaultType,
      snapshotAt: microsToIso(toMicros(snapshotAt)),
      askedAt: microsToIso(askedAt),
      answeredAt: microsToIso(Math.max(askedAt, answeredAt)),
      sourceTimestamp: pages.find((page) => page.sourceTimestamp !== null)?.sourceTimestamp ?? null,
      assetCount: counts.assets,
      changedCount: counts.changed,
      quarantinedCount: counts.quarantined,
      unidentifiedCount: counts.unidentified,
      runId: BigInt(run.runId),
    }),
  );
}

/**
 * Writes quarantine and anomalies. The snapshot is the whole list, so that it also resolves what it does not
 * show.
 */
function writeFindings(
  tx: FencedTx,
  run: Run,
  vaultType: BalanceVaultType,
  merged: MergedPages<Balance>,
  observed: readonly Balance[],
): void {
  const prefix = `${vaultType}/`;
  const unreadable = merged.undecodable.map(({ item, arrivedAt }) => ({
    item: { ...item, key: `${prefix}${item.key}` },
    arrivedAt,
  }));
  resolveOtherQuarantine(tx, 'balances', prefix, unreadable);
  writeQuarantine(tx, run, 'balances', unreadable);
  const disagreeing = observed.filter((balance) => balancePartsAgree(balance) === false);
  const differing = disagreeing.map((balance) => partsDiffer(prefix, balance));
  resolveOtherAnomalies(tx, 'balance-parts-differ', 'balances', prefix, differing);
  writeAnomalies(tx, [...differing, ...duplicateIds(merged, 'balances', prefix)]);
}

function partsDiffer(prefix: string, balance: Balance): Anomaly {
  return {
    kind: 'balance-parts-differ',
    resource: 'balances',
    resourceId: `${prefix}${balance.assetId}/${balance.networkId}`,
    details: Object.fromEntries(
      namesOf(balanceAmounts).map((name) => [name.replace('Balance', ''), balance[name]]),
    ),
  };
}
