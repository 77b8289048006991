// The rows of custody.balances: reads those that hold now, and writes what ends and begins with a snapshot.
import { and, eq, isNull, sql } from 'drizzle-orm';
import { balances } from '../../../drizzle/balances.ts';
import type { BalanceVaultType } from '../../domain/balance.ts';
import { type Decimal, parseDecimal } from '../../domain/decimal.ts';
import { textArray } from '../postgres/binary-array.ts';
import { selectRows } from '../postgres/bulk-rows.ts';
import type { Tx } from '../postgres/database.ts';
import { type Micros, microsToIso, selectMicros } from '../postgres/micros.ts';
import type { Lease } from '../run/leases.ts';
import type { Run } from '../run/runs.ts';
import type { BalanceStep, CurrentBalance } from './balance-intervals.ts';

export async function readCurrent(
  tx: Tx,
  lease: Lease,
  vaultType: BalanceVaultType,
): Promise<CurrentBalance[]> {
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
        unchangedSince: selectMicros(balances.unchangedSince),
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

/** @param at the snapshot's moment */
export async function writeIntervals(
  tx: Tx,
  lease: Lease,
  run: Run,
  { vaultType, at: moment }: { readonly vaultType: BalanceVaultType; readonly at: Micros },
  { ended, begun }: BalanceStep,
): Promise<void> {
  const at = microsToIso(moment);
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
          unchangedSince: begun.map((balance) => balance.unchangedSince ?? moment),
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
