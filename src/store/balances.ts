// Commits one complete observation of the balances of a vault type, whole or not at all: the snapshot's row always, and of
// the balances only the intervals that end or begin with it. Snapshots of a vault type follow one another in time.
import { and, eq, isNull, sql } from 'drizzle-orm';
import { balanceSnapshots, balances } from '../../drizzle/balances.ts';
import { type Balance, type BalanceVaultType, balanceKey, balancePartsAgree } from '../domain/balance.ts';
import { type Decimal, parseDecimal } from '../domain/decimal.ts';
import type { Instant } from '../domain/instant.ts';
import type { Page } from '../domain/page.ts';
import type { RequestTally } from '../domain/resource.ts';
import { type Anomaly, resolveOtherAnomalies, writeAnomalies } from './anomalies.ts';
import { type BalanceStep, type BalanceValues, stepBalances } from './balance-intervals.ts';
import { textArray } from './binary-array.ts';
import type { Database, Tx } from './database.ts';
import { withFence } from './fence.ts';
import type { Lease } from './leases.ts';
import { type Micros, microsToIso, selectMicros, toMicros } from './micros.ts';
import { resolveOtherQuarantine, writeQuarantine } from './quarantine.ts';
import { type Refusal, reportRefusal } from './refusals.ts';
import { selectRows } from './rows.ts';
import { countIntoRun, type Run } from './runs.ts';
import { type SettledPages, settlePages } from './settle-pages.ts';

export interface BalanceSnapshot {
  readonly vaultType: BalanceVaultType;
  /** One value for the three vault types of one tick. */
  readonly snapshotAt: Instant;
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
  /** Items that named a balance which another item had named. */
  readonly duplicates: number;
  /** True when a snapshot of this time or a later one was there: nothing was written. */
  readonly stale: boolean;
  /** Where that one is of a time that is still to come. */
  readonly refusal: Refusal | null;
}

/** @throws MirrorError `LEASE-LOST`, `DATABASE-UNREACHABLE`, `DATABASE-REFUSED`; nothing is written then */
export async function commitBalanceSnapshot(
  database: Database,
  lease: Lease,
  run: Run,
  snapshot: BalanceSnapshot,
): Promise<SnapshotCommit> {
  const settled = settlePages(snapshot.pages);
  const observed = observedBalances(settled);
  const counts = {
    assets: observed.length,
    quarantined: settled.undecodable.length,
    duplicates: settled.read - settled.undecodable.length - observed.length,
  };
  const snapshotAt = toMicros(snapshot.snapshotAt);
  return await withFence(database, lease, 'commit-balances', async (tx) => {
    const latest = await readLatest(tx, lease, snapshot.vaultType);
    if (latest !== null && latest >= snapshotAt) {
      const refusal = await reportRefusal(tx, lease, 'balances', { count: observed.length, for: latest });
      return { ...counts, changed: 0, stale: true, refusal };
    }
    const current = await readCurrent(tx, lease, snapshot.vaultType);
    const step = stepBalances(current, observed);
    await writeSnapshot(tx, lease, run, snapshot, { ...counts, changed: step.changed });
    await writeStep(tx, lease, run, snapshot, step);
    await writeFindings(tx, lease, run, snapshot.vaultType, settled, observed);
    const begun = step.begun.length;
    const continued = step.begun.filter((balance) =>
      step.ended.some((ended) => balanceKey(ended) === balanceKey(balance)),
    ).length;
    const read = {
      read: settled.read,
      inserted: begun - continued,
      changed: step.changed - (begun - continued),
      statusChanges: 0,
      quarantined: counts.quarantined,
    };
    await countIntoRun(tx, lease, run, read, snapshot.tally);
    return { ...counts, changed: step.changed, stale: false, refusal: null };
  });
}

/** Of a balance that was seen more than once, what the request that began last showed. */
function observedBalances(settled: SettledPages<Balance>): Balance[] {
  const byKey = new Map<string, Balance>();
  for (const sightings of settled.records.values()) {
    const record = (sightings[sightings.length - 1] ?? sightings[0]).item.record;
    byKey.set(balanceKey(record), record);
  }
  return [...byKey.values()];
}

async function readLatest(tx: Tx, lease: Lease, vaultType: BalanceVaultType): Promise<Micros | null> {
  const rows = await tx.run('balance-snapshots.latest', (db) =>
    db
      .select({ latest: selectMicros(sql`max(${balanceSnapshots.snapshotAt})`) })
      .from(balanceSnapshots)
      .where(and(eq(balanceSnapshots.accountId, lease.account), eq(balanceSnapshots.vaultType, vaultType))),
  );
  return rows[0]?.latest ?? null;
}

async function readCurrent(tx: Tx, lease: Lease, vaultType: BalanceVaultType): Promise<BalanceValues[]> {
  const rows = await tx.run('balances.current', (db) =>
    db
      .select({
        assetId: balances.assetId,
        networkId: balances.networkId,
        assetName: balances.assetName,
        networkName: balances.networkName,
        totalBalance: balances.totalBalance,
        availableBalance: balances.availableBalance,
        processingBalance: balances.processingBalance,
        stakingBalance: balances.stakingBalance,
        claimableBalance: balances.claimableBalance,
      })
      .from(balances)
      .where(and(ofVaultType(lease, vaultType), isNull(balances.validTo))),
  );
  return rows.map((row) => ({
    ...row,
    totalBalance: stored(row.totalBalance),
    availableBalance: stored(row.availableBalance),
    processingBalance: stored(row.processingBalance),
    stakingBalance: stored(row.stakingBalance),
    claimableBalance: stored(row.claimableBalance),
  }));
}

function stored(text: string | null): Decimal | null {
  return text === null ? null : (parseDecimal(text)?.value ?? null);
}

function ofVaultType(lease: Lease, vaultType: BalanceVaultType) {
  return and(eq(balances.accountId, lease.account), eq(balances.vaultType, vaultType));
}

async function writeSnapshot(
  tx: Tx,
  lease: Lease,
  run: Run,
  { vaultType, snapshotAt, pages }: BalanceSnapshot,
  counts: { readonly assets: number; readonly changed: number; readonly quarantined: number },
): Promise<void> {
  await tx.run('balance-snapshots.write', (db) =>
    db.insert(balanceSnapshots).values({
      accountId: lease.account,
      vaultType,
      snapshotAt: microsToIso(toMicros(snapshotAt)),
      sourceTimestamp: pages.find((page) => page.sourceTimestamp !== null)?.sourceTimestamp ?? null,
      assetCount: counts.assets,
      changedCount: counts.changed,
      quarantinedCount: counts.quarantined,
      runId: BigInt(run.runId),
    }),
  );
}

async function writeStep(
  tx: Tx,
  lease: Lease,
  run: Run,
  { vaultType, snapshotAt }: BalanceSnapshot,
  { ended, begun }: BalanceStep,
): Promise<void> {
  const at = microsToIso(toMicros(snapshotAt));
  if (ended.length > 0) {
    const assetIds = textArray(ended.map((balance) => balance.assetId));
    const networkIds = textArray(ended.map((balance) => balance.networkId));
    await tx.run('balances.end', (db) =>
      db
        .update(balances)
        .set({ validTo: at })
        .where(
          and(
            ofVaultType(lease, vaultType),
            isNull(balances.validTo),
            sql`(${balances.assetId}, ${balances.networkId}) in (select * from unnest(${assetIds}, ${networkIds}))`,
          ),
        ),
    );
  }
  if (begun.length > 0) {
    await tx.run('balances.begin', (db) =>
      db.insert(balances).select(
        selectRows(balances, {
          accountId: sql`${lease.account}`,
          vaultType: sql`${vaultType}`,
          assetId: begun.map((balance) => balance.assetId),
          networkId: begun.map((balance) => balance.networkId),
          validFrom: sql`${at}::timestamptz`,
          validTo: sql`null::timestamptz`,
          assetName: begun.map((balance) => balance.assetName),
          networkName: begun.map((balance) => balance.networkName),
          totalBalance: begun.map((balance) => balance.totalBalance),
          availableBalance: begun.map((balance) => balance.availableBalance),
          processingBalance: begun.map((balance) => balance.processingBalance),
          stakingBalance: begun.map((balance) => balance.stakingBalance),
          claimableBalance: begun.map((balance) => balance.claimableBalance),
          runId: sql`${run.runId}::bigint`,
          raw: begun.map((balance) => balance.raw),
        }),
      ),
    );
  }
}

/** The snapshot is the whole list: what it does not show as unreadable or disagreeing is so no longer. */
async function writeFindings(
  tx: Tx,
  lease: Lease,
  run: Run,
  vaultType: BalanceVaultType,
  settled: SettledPages<Balance>,
  observed: readonly Balance[],
): Promise<void> {
  const prefix = `${vaultType}/`;
  const unreadable = settled.undecodable.map(({ item, arrivedAt }) => ({
    item: { ...item, key: `${prefix}${item.key}` },
    arrivedAt,
  }));
  await resolveOtherQuarantine(tx, lease, 'balances', prefix, unreadable);
  if (unreadable.length > 0) await writeQuarantine(tx, lease, run, 'balances', unreadable);
  const disagreeing = observed.filter((balance) => balancePartsAgree(balance) === false);
  const differing = disagreeing.map((balance) => partsDiffer(prefix, balance));
  await resolveOtherAnomalies(tx, lease, 'balance-parts-differ', 'balances', prefix, differing);
  const contradicted = settled.contradicted.map(
    (key): Anomaly => ({
      kind: 'duplicate-id',
      resource: 'balances',
      resourceId: `${prefix}${key}`,
      details: { meaning: 'one page held the same balance twice with different content' },
    }),
  );
  const anomalies = [...differing, ...contradicted];
  if (anomalies.length > 0) await writeAnomalies(tx, lease, anomalies);
}

function partsDiffer(prefix: string, balance: Balance): Anomaly {
  return {
    kind: 'balance-parts-differ',
    resource: 'balances',
    resourceId: `${prefix}${balance.assetId}/${balance.networkId}`,
    details: {
      total: balance.totalBalance,
      available: balance.availableBalance,
      processing: balance.processingBalance,
      staking: balance.stakingBalance,
      claimable: balance.claimableBalance,
    },
  };
}
