// Intervals of snapshots in which a balance is unknown, because its record could not be read: they begin and end as the
// balances' own do, beside these, which go on.
import { and, eq, isNull, sql } from 'drizzle-orm';
import { unreadableBalances } from '../../../drizzle/balances.ts';
import { type BalanceIdentity, type BalanceVaultType, balanceKey } from '../../domain/balance.ts';
import { textArray } from '../postgres/binary-array.ts';
import { selectRows } from '../postgres/bulk-rows.ts';
import type { Tx } from '../postgres/database.ts';
import type { Lease } from '../run/leases.ts';

/** The balances that the last snapshot of a vault type left unknown. */
export async function readUnknown(
  tx: Tx,
  lease: Lease,
  vaultType: BalanceVaultType,
): Promise<BalanceIdentity[]> {
  const { assetId, networkId } = unreadableBalances;
  return await tx.run('unreadable-balances.current', (db) =>
    db.select({ assetId, networkId }).from(unreadableBalances).where(openOf(lease, vaultType)),
  );
}

/** @param at the snapshot's moment as ISO 8601 */
export async function writeUnknown(
  tx: Tx,
  lease: Lease,
  { vaultType, at }: { readonly vaultType: BalanceVaultType; readonly at: string },
  before: readonly BalanceIdentity[],
  now: readonly BalanceIdentity[],
): Promise<void> {
  const ended = without(before, now);
  const begun = without(now, before);
  if (ended.length > 0) {
    const assets = textArray(ended.map(({ assetId }) => assetId));
    const networks = textArray(ended.map(({ networkId }) => networkId));
    await tx.run('unreadable-balances.end', (db) =>
      db
        .update(unreadableBalances)
        .set({ validTo: at })
        .where(
          and(
            openOf(lease, vaultType),
            sql`(${unreadableBalances.assetId}, ${unreadableBalances.networkId}) in (select * from unnest(${assets}, ${networks}))`,
          ),
        ),
    );
  }
  if (begun.length > 0) {
    await tx.run('unreadable-balances.begin', (db) =>
      db.insert(unreadableBalances).select(
        selectRows(unreadableBalances, {
          accountId: sql`${lease.account}`,
          vaultType: sql`${vaultType}`,
          assetId: begun.map(({ assetId }) => assetId),
          networkId: begun.map(({ networkId }) => networkId),
          validFrom: sql`${at}::timestamptz`,
          validTo: sql`null::timestamptz`,
        }),
      ),
    );
  }
}

function without(balances: readonly BalanceIdentity[], others: readonly BalanceIdentity[]) {
  const keys = new Set(others.map(balanceKey));
  return balances.filter((balance) => !keys.has(balanceKey(balance)));
}

function openOf(lease: Lease, vaultType: BalanceVaultType) {
  const { accountId, validTo } = unreadableBalances;
  return and(eq(accountId, lease.account), eq(unreadableBalances.vaultType, vaultType), isNull(validTo));
}
