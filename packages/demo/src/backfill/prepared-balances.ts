// Commits a series of balance snapshots at once: writes, in a few statements, what commitBalanceSnapshot
// would write one after the other. For a prepared past only: it takes lists that are whole and readable.
import { sql } from 'drizzle-orm';
import { balanceSnapshots, balances } from '../../../../drizzle/balances.ts';
import { runs } from '../../../../drizzle/runs.ts';
import {
  type Balance,
  type BalanceVaultType,
  balanceKey,
  balanceVaultTypes,
} from '../../../../src/domain/balance.ts';
import { balanceFields, namesOf } from '../../../../src/domain/fields.ts';
import type { Instant } from '../../../../src/domain/instant.ts';
import type { Page } from '../../../../src/domain/page.ts';
import {
  type CurrentBalance,
  readCurrent,
  stepBalances,
} from '../../../../src/store/commit/commit-balances.ts';
import type { Database } from '../../../../src/store/postgres/database.ts';
import { type FencedTx, type Lease, withFence } from '../../../../src/store/run/leases.ts';
import type { Run } from '../../../../src/store/run/runs.ts';
import { columnsOf, rowsOf, textArray } from '../../../../src/store/values/bulk-rows.ts';
import { type Micros, microsToIso, toMicros } from '../../../../src/store/values/micros.ts';

/** One tick: the three lists, each in one page. */
export interface PreparedSnapshot {
  readonly run: Run;
  readonly snapshotAt: Instant;
  readonly lists: Readonly<Record<BalanceVaultType, Page<Balance>>>;
}

/** The snapshots have to follow one another in time, and all that is mirrored. */
export function commitPreparedSnapshots(
  database: Database,
  lease: Lease,
  snapshots: readonly PreparedSnapshot[],
): Promise<void> {
  return withFence(database, lease, 'commit-prepared-balances', async (tx) => {
    if (snapshots.length === 0) return;
    const changed = new Map<string, number>();
    for (const vaultType of balanceVaultTypes) {
      const past = stepThrough(await readCurrent(tx, vaultType), vaultType, snapshots);
      await writeSnapshots(tx, vaultType, snapshots, past.changed);
      await endMirrored(tx, vaultType, past.endedBefore);
      writeIntervals(tx, vaultType, past.intervals);
      for (const [index, { run }] of snapshots.entries())
        changed.set(run.runId, (changed.get(run.runId) ?? 0) + (past.changed[index] ?? 0));
    }
    await countChanges(tx, changed);
  });
}

interface Interval extends Balance {
  readonly validFrom: Micros;
  validTo: Micros | null;
  readonly unchangedSince: Micros;
  readonly runId: string;
}

interface Ended {
  readonly balance: CurrentBalance;
  readonly at: Micros;
}

/** Goes from snapshot to snapshot by the rules by which single ones are committed. */
function stepThrough(
  mirrored: readonly CurrentBalance[],
  vaultType: BalanceVaultType,
  snapshots: readonly PreparedSnapshot[],
) {
  const current = new Map(mirrored.map((balance) => [balanceKey(balance), balance]));
  const open = new Map<string, Interval>();
  const intervals: Interval[] = [];
  const endedBefore: Ended[] = [];
  const changed: number[] = [];
  for (const { run, snapshotAt, lists } of snapshots) {
    const at = toMicros(snapshotAt);
    const readable = lists[vaultType].items.map(readableRecord);
    const step = stepBalances([...current.values()], [], { readable, unreadable: [], unidentified: 0 });
    for (const balance of step.ended) {
      const key = balanceKey(balance);
      const interval = open.get(key);
      if (interval === undefined) endedBefore.push({ balance, at });
      else interval.validTo = at;
      open.delete(key);
      current.delete(key);
    }
    for (const balance of step.begun) {
      const key = balanceKey(balance);
      const unchangedSince = balance.unchangedSince ?? at;
      const interval = { ...balance, validFrom: at, validTo: null, unchangedSince, runId: run.runId };
      intervals.push(interval);
      open.set(key, interval);
      current.set(key, { ...balance, unchangedSince });
    }
    changed.push(step.changed);
  }
  return { intervals, endedBefore, changed };
}

function readableRecord(item: Page<Balance>['items'][number]): Balance {
  if (item.kind === 'record') return item.record;
  throw new Error(`a prepared balance cannot be read: ${item.reason}`);
}

async function writeSnapshots(
  tx: FencedTx,
  vaultType: BalanceVaultType,
  snapshots: readonly PreparedSnapshot[],
  changed: readonly number[],
): Promise<void> {
  const rows = snapshots.map(({ run, snapshotAt, lists }, index) => {
    const page = lists[vaultType];
    return {
      accountId: tx.lease.account,
      vaultType,
      snapshotAt: microsToIso(toMicros(snapshotAt)),
      askedAt: microsToIso(toMicros(page.beganAt)),
      answeredAt: microsToIso(toMicros(page.arrivedAt)),
      sourceTimestamp: page.sourceTimestamp,
      assetCount: page.items.length,
      changedCount: changed[index] ?? 0,
      quarantinedCount: 0,
      unidentifiedCount: 0,
      runId: BigInt(run.runId),
    };
  });
  await tx.run('prepared-snapshots.write', (db) => db.insert(balanceSnapshots).values(rows));
}

/** Ends intervals that were mirrored before the first of the snapshots. */
async function endMirrored(
  tx: FencedTx,
  vaultType: BalanceVaultType,
  ended: readonly Ended[],
): Promise<void> {
  if (ended.length === 0) return;
  const assetIds = textArray(ended.map(({ balance }) => balance.assetId));
  const networkIds = textArray(ended.map(({ balance }) => balance.networkId));
  const ends = textArray(ended.map(({ at }) => microsToIso(at)));
  await tx.run('prepared-balances.end', (db) =>
    db.execute(sql`update ${balances} b set valid_to = e.at::timestamptz
      from unnest(${assetIds}, ${networkIds}, ${ends}) as e(asset_id, network_id, at)
      where b.account_id = ${tx.lease.account} and b.vault_type = ${vaultType} and b.valid_to is null
        and b.asset_id = e.asset_id and b.network_id = e.network_id`),
  );
}

function writeIntervals(tx: FencedTx, vaultType: BalanceVaultType, intervals: readonly Interval[]): void {
  if (intervals.length === 0) return;
  const { names, rows } = rowsOf(
    balances,
    columnsOf(intervals, [
      ...namesOf(balanceFields),
      'raw',
      'validFrom',
      'validTo',
      'unchangedSince',
      'runId',
    ]),
  );
  tx.send(
    'prepared-balances.write',
    () => sql`
      insert into ${balances} (account_id, vault_type, ${names})
      select ${tx.lease.account}, ${vaultType}, r.* from ${rows} as r`,
  );
}

async function countChanges(tx: FencedTx, changed: ReadonlyMap<string, number>): Promise<void> {
  const ids = textArray([...changed.keys()]);
  const counts = textArray([...changed.values()].map(String));
  await tx.run('prepared-runs.count', (db) =>
    db.execute(sql`update ${runs} r set records_changed = c.changed::bigint
      from unnest(${ids}, ${counts}) as c(run_id, changed)
      where r.account_id = ${tx.lease.account} and r.run_id = c.run_id::bigint`),
  );
}
