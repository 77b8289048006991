// The rows of custody.balances and custody.unreadable_balances: reads those that hold now, and writes what
// ends and begins with a snapshot.

import { and, eq, getTableColumns, isNull, sql } from 'drizzle-orm';
import { balances, unreadableBalances } from '../../../drizzle/balances.ts';
import { type BalanceIdentity, type BalanceVaultType, balanceKey } from '../../domain/balance.ts';
import { balanceFields, namesOf } from '../../domain/fields.ts';
import type { FencedTx } from '../run/fence.ts';
import type { Lease } from '../run/leases.ts';
import type { Run } from '../run/runs.ts';
import { textArray } from '../values/binary-array.ts';
import { columnsOf, selectRows } from '../values/bulk-rows.ts';
import { type Micros, microsToIso, selectMicros } from '../values/micros.ts';
import type { BalanceStep, CurrentBalance } from './balance-intervals.ts';

export interface SnapshotMoment {
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
export async function readUnknown(tx: FencedTx, vaultType: BalanceVaultType): Promise<BalanceIdentity[]> {
  const { assetId, networkId } = unreadableBalances;
  return await tx.run('unreadable-balances.current', (db) =>
    db
      .select({ assetId, networkId })
      .from(unreadableBalances)
      .where(openOf(unreadableBalances, tx.lease, vaultType)),
  );
}

export async function writeIntervals(
  tx: FencedTx,
  run: Run,
  snapshot: SnapshotMoment,
  { ended, begun }: BalanceStep,
): Promise<void> {
  await endIntervals(tx, balances, 'balances.end', snapshot, ended);
  if (begun.length === 0) return;
  await tx.run('balances.begin', (db) =>
    db.insert(balances).select(
      selectRows(balances, {
        ...intervalsFrom(tx.lease, snapshot),
        ...columnsOf(begun, [...namesOf(balanceFields), 'raw']),
        unchangedSince: begun.map((balance) => balance.unchangedSince ?? snapshot.at),
        runId: sql`${run.runId}::bigint`,
      }),
    ),
  );
}

/** Ends the intervals of what is known again, and begins those of what became unknown. */
export async function writeUnknown(
  tx: FencedTx,
  snapshot: SnapshotMoment,
  before: readonly BalanceIdentity[],
  now: readonly BalanceIdentity[],
): Promise<void> {
  const ended = without(before, now);
  await endIntervals(tx, unreadableBalances, 'unreadable-balances.end', snapshot, ended);
  const begun = without(now, before);
  if (begun.length === 0) return;
  await tx.run('unreadable-balances.begin', (db) =>
    db.insert(unreadableBalances).select(
      selectRows(unreadableBalances, {
        ...intervalsFrom(tx.lease, snapshot),
        ...columnsOf(begun, ['assetId', 'networkId']),
      }),
    ),
  );
}

type IntervalTable = typeof balances | typeof unreadableBalances;

function openOf(table: IntervalTable, lease: Lease, vaultType: BalanceVaultType) {
  return and(eq(table.accountId, lease.account), eq(table.vaultType, vaultType), isNull(table.validTo));
}

async function endIntervals(
  tx: FencedTx,
  table: IntervalTable,
  label: string,
  { vaultType, at }: SnapshotMoment,
  ended: readonly BalanceIdentity[],
): Promise<void> {
  if (ended.length === 0) return;
  const assetIds = textArray(ended.map((balance) => balance.assetId));
  const networkIds = textArray(ended.map((balance) => balance.networkId));
  const isEnded = sql`(${table.assetId}, ${table.networkId}) in (select * from unnest(${assetIds}, ${networkIds}))`;
  await tx.run(label, (db) =>
    db
      .update(table)
      .set({ validTo: microsToIso(at) })
      .where(and(openOf(table, tx.lease, vaultType), isEnded)),
  );
}

function intervalsFrom(lease: Lease, { vaultType, at }: SnapshotMoment) {
  return {
    accountId: sql`${lease.account}`,
    vaultType: sql`${vaultType}`,
    validFrom: sql`${microsToIso(at)}::timestamptz`,
    validTo: sql`null::timestamptz`,
  };
}

function without(balances: readonly BalanceIdentity[], others: readonly BalanceIdentity[]) {
  const keys = new Set(others.map(balanceKey));
  return balances.filter((balance) => !keys.has(balanceKey(balance)));
}
