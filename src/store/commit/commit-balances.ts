// Commits one complete observation of the balances of a vault type in one database transaction: the
// snapshot's row, and the intervals that end or begin with it. Snapshots of a vault type follow one another
// in time.
import { and, eq, getTableColumns, isNull, sql } from 'drizzle-orm';
import { balanceSnapshots, balances, unreadableBalances } from '../../../drizzle/balances.ts';
import {
  type Balance,
  type BalanceIdentity,
  type BalanceVaultType,
  balanceKey,
  balanceOfKey,
  balancePartsAgree,
  sameAmounts,
} from '../../domain/balance.ts';
import type { RequestTally } from '../../domain/endpoint.ts';
import { balanceAmounts, balanceFields, namesOf } from '../../domain/fields.ts';
import type { Instant, Observation } from '../../domain/instant.ts';
import type { Page } from '../../domain/page.ts';
import type { Database } from '../postgres/database.ts';
import { type Anomaly, resolveOtherAnomalies, writeAnomalies } from '../run/anomalies.ts';
import { type FencedTx, type Lease, withFence } from '../run/leases.ts';
import { keysInQuarantine, resolveOtherQuarantine, writeQuarantine } from '../run/quarantine.ts';
import { countIntoRun, type Run } from '../run/runs.ts';
import { columnsOf, rowsOf, textArray } from '../values/bulk-rows.ts';
import { type Micros, microsToIso, selectMicros, shownMoment, toMicros } from '../values/micros.ts';
import { duplicateIds, type MergedPages, mergeObservations } from './observations.ts';

// Decides what a snapshot changes: which intervals of balances end with it, which begin, and which balances
// are unknown. Pure. An interval goes on while amounts and names are written exactly as before. A balance
// that could not be read neither ends nor begins: its interval goes on, and its value is unknown.

/** A balance as it is mirrored. */
export interface CurrentBalance extends Omit<Balance, 'raw'> {
  /** First snapshot since which the amounts have been the same numbers. */
  readonly unchangedSince: Micros;
}

/** What a snapshot showed. */
interface ObservedBalances {
  /** Each balance at most once. */
  readonly readable: readonly Balance[];
  /** Balances whose own record could not be read. */
  readonly unreadable: readonly BalanceIdentity[];
  /** Records that do not even show which balance they belong to. */
  readonly unidentified: number;
}

interface BegunBalance extends Balance {
  /** Null where the amounts are new with this snapshot. */
  readonly unchangedSince: Micros | null;
}

interface BalanceStep {
  /** Balances whose values end. One that changed is in `begun` as well. */
  readonly ended: readonly CurrentBalance[];
  /** Balances with new values. */
  readonly begun: readonly BegunBalance[];
  /** Balances whose value this snapshot does not show. */
  readonly unknown: readonly BalanceIdentity[];
  /** Balances that began, changed or ended, each counted once. */
  readonly changed: number;
  /** Of these, the balances that the mirror did not have before. */
  readonly appeared: number;
}

const fields = namesOf(balanceFields);

/**
 * @param current the balances of the previous snapshot
 * @param unknown the balances that it left unknown
 */
export function stepBalances(
  current: readonly CurrentBalance[],
  unknown: readonly BalanceIdentity[],
  observed: ObservedBalances,
): BalanceStep {
  const currentByKey = new Map(current.map((balance) => [balanceKey(balance), balance]));
  const shown = new Set(observed.readable.map(balanceKey));
  const ended: CurrentBalance[] = [];
  const begun: BegunBalance[] = [];
  for (const balance of observed.readable) {
    const before = currentByKey.get(balanceKey(balance));
    if (before !== undefined && fields.every((field) => before[field] === balance[field])) continue;
    if (before !== undefined) ended.push(before);
    const isSameAmount = before !== undefined && sameAmounts(before, balance);
    begun.push({ ...balance, unchangedSince: isSameAmount ? before.unchangedSince : null });
  }
  const held = [...current, ...unknown].filter((balance) => !shown.has(balanceKey(balance)));
  const unreadable = new Map(
    unknownOf(held, observed)
      .filter((balance) => !shown.has(balanceKey(balance)))
      .map(({ assetId, networkId }) => [balanceKey({ assetId, networkId }), { assetId, networkId }]),
  );
  const gone = current.filter(
    (balance) => !shown.has(balanceKey(balance)) && !unreadable.has(balanceKey(balance)),
  );
  return {
    ended: [...ended, ...gone],
    begun,
    unknown: [...unreadable.values()],
    changed: begun.length + gone.length,
    appeared: begun.length - ended.length,
  };
}

/**
 * An unreadable record that names an asset without a network may belong to any network on which it is held.
 */
function unknownOf(
  held: readonly BalanceIdentity[],
  { unreadable, unidentified }: ObservedBalances,
): readonly BalanceIdentity[] {
  const keys = new Set(unreadable.map(balanceKey));
  const withoutNetwork = new Set(
    unreadable.filter(({ networkId }) => networkId === '').map(({ assetId }) => assetId),
  );
  const assetsHeld = new Set(held.map(({ assetId }) => assetId));
  return [
    ...held.filter(
      (balance) => unidentified > 0 || keys.has(balanceKey(balance)) || withoutNetwork.has(balance.assetId),
    ),
    ...unreadable.filter(({ assetId, networkId }) => networkId !== '' || !assetsHeld.has(assetId)),
  ];
}

// The rows of custody.balances and custody.unreadable_balances: reads those that hold now, and writes those
// that end and begin with a snapshot.

interface SnapshotMoment {
  readonly vaultType: BalanceVaultType;
  readonly at: Micros;
}

const { accountId, vaultType, validFrom, validTo, unchangedSince, runId, raw, ...fieldColumns } =
  getTableColumns(balances);

/** The balances of the last snapshot of a vault type. */
export async function readCurrent(tx: FencedTx, vaultType: BalanceVaultType): Promise<CurrentBalance[]> {
  return await tx.run('balances.current', (db) =>
    db
      .select({
        ...fieldColumns,
        unchangedSince: selectMicros(balances.unchangedSince),
      })
      .from(balances)
      .where(openOf(balances, tx.lease, vaultType)),
  );
}

/** The balances that the last snapshot of a vault type left unknown. */
async function readUnknown(tx: FencedTx, vaultType: BalanceVaultType): Promise<BalanceIdentity[]> {
  const { assetId, networkId } = unreadableBalances;
  return await tx.run('unreadable-balances.current', (db) =>
    db
      .select({ assetId, networkId })
      .from(unreadableBalances)
      .where(openOf(unreadableBalances, tx.lease, vaultType)),
  );
}

function writeIntervals(
  tx: FencedTx,
  run: Run,
  snapshot: SnapshotMoment,
  { ended, begun }: BalanceStep,
): void {
  endIntervals(tx, balances, 'balances.end', snapshot, ended);
  if (begun.length === 0) return;
  const { names, rows } = rowsOf(balances, {
    ...columnsOf(begun, [...namesOf(balanceFields), 'raw']),
    unchangedSince: begun.map((balance) => balance.unchangedSince ?? snapshot.at),
  });
  tx.send(
    'balances.begin',
    () => sql`
      insert into ${balances} (account_id, vault_type, valid_from, run_id, ${names})
      select ${tx.lease.account}, ${snapshot.vaultType}, ${microsToIso(snapshot.at)}::timestamptz, ${run.runId}::bigint, r.*
      from ${rows} as r`,
  );
}

/** Ends the intervals of balances known again, and begins those of balances that became unknown. */
function writeUnknown(
  tx: FencedTx,
  snapshot: SnapshotMoment,
  before: readonly BalanceIdentity[],
  now: readonly BalanceIdentity[],
): void {
  const ended = without(before, now);
  endIntervals(tx, unreadableBalances, 'unreadable-balances.end', snapshot, ended);
  const begun = without(now, before);
  if (begun.length === 0) return;
  const { names, rows } = rowsOf(unreadableBalances, columnsOf(begun, ['assetId', 'networkId']));
  tx.send(
    'unreadable-balances.begin',
    () => sql`
      insert into ${unreadableBalances} (account_id, vault_type, valid_from, ${names})
      select ${tx.lease.account}, ${snapshot.vaultType}, ${microsToIso(snapshot.at)}::timestamptz, r.* from ${rows} as r`,
  );
}

type IntervalTable = typeof balances | typeof unreadableBalances;

function openOf(table: IntervalTable, lease: Lease, vaultType: BalanceVaultType) {
  return and(eq(table.accountId, lease.account), eq(table.vaultType, vaultType), isNull(table.validTo));
}

function endIntervals(
  tx: FencedTx,
  table: IntervalTable,
  label: string,
  { vaultType, at }: SnapshotMoment,
  ended: readonly BalanceIdentity[],
): void {
  if (ended.length === 0) return;
  const assetIds = textArray(ended.map((balance) => balance.assetId));
  const networkIds = textArray(ended.map((balance) => balance.networkId));
  tx.send(
    label,
    () => sql`
      update ${table} set valid_to = ${microsToIso(at)}
      where account_id = ${tx.lease.account} and vault_type = ${vaultType} and valid_to is null
        and (asset_id, network_id) in (select * from unnest(${assetIds}, ${networkIds}))`,
  );
}

function without(balances: readonly BalanceIdentity[], others: readonly BalanceIdentity[]) {
  const keys = new Set(others.map(balanceKey));
  return balances.filter((balance) => !keys.has(balanceKey(balance)));
}

// Compares the balances of all vaults with the sum of warm and cold (docs/custody-service.md 4.3 and 4.4),
// asset by asset, in the database's exact decimals. The three are read a moment apart, and a movement in
// between makes them differ once: only the same difference in two ticks in a row is reported.

const kind = 'totals-differ';

type ComparedTotals = Readonly<
  Record<'asset_id' | 'network_id', string> &
    Record<'all' | 'warm' | 'cold' | 'difference', string | null> &
    Record<'holds' | 'differed_before', boolean | null>
>;

/** Compares the snapshots of one tick, if all three exist. Unknown balances are left out. */
export async function compareTotals(database: Database, lease: Lease, snapshotAt: Instant): Promise<void> {
  const { account } = lease;
  const at = microsToIso(toMicros(snapshotAt));
  await withFence(database, lease, 'compare-totals', async (tx) => {
    const before = shownMoment(sql`internal.tick_before(${account}, ${at})`);
    const [tick] = await tx.ask<{ before: string | null }>(
      'balance-totals.tick-before',
      sql`select ${before} as before`,
    );
    if (tick?.before == null) return;
    const rows = await tx.ask<ComparedTotals>(
      'balance-totals.read',
      sql`select * from internal.compared_totals(${account}, ${at}, ${tick.before})`,
    );
    const differing = rows.filter((row) => row.differed_before);
    const unsettled = rows.filter((row) => !row.holds);
    resolveOtherAnomalies(tx, kind, 'balances', '', unsettled.map(totalsDiffer));
    writeAnomalies(tx, differing.map(totalsDiffer));
  });
}

function totalsDiffer({ asset_id, network_id, all, warm, cold, difference }: ComparedTotals): Anomaly {
  return {
    kind,
    resource: 'balances',
    resourceId: `${asset_id}/${network_id}`,
    details: { all, warm, cold, difference },
  };
}

interface BalanceSnapshot {
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

interface SnapshotCommit {
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
    writeIntervals(tx, run, { vaultType, at }, step);
    writeUnknown(tx, { vaultType, at }, unknown, step.unknown);
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
 * Writes quarantine and anomalies. The snapshot is the whole list, so it also resolves records that it does
 * not show.
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
