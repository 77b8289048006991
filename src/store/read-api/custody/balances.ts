// The balances that /custody shows: those of the last snapshot of a vault type.
import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { balanceSnapshots, balances, unreadableBalances } from '../../../../drizzle/balances.ts';
import type { BalanceVaultType } from '../../../domain/balance.ts';
import type { Database } from '../../postgres/database.ts';
import { balanceElement, isoMilliseconds } from './records.ts';

export interface BalanceQuery {
  readonly vaultType: BalanceVaultType;
  readonly assetId?: string;
  /** Null for all. */
  readonly limit: number | null;
  readonly offset: number;
}

export interface BalancePage {
  /** When the snapshot was taken, ISO 8601 with milliseconds. */
  readonly snapshotAt: string;
  /** The texts of the elements, by asset and network. */
  readonly elements: readonly string[];
}

/** @returns null when there is no snapshot of the vault type yet */
export async function readBalancePage(
  database: Database,
  account: string,
  { vaultType, assetId, limit, offset }: BalanceQuery,
): Promise<BalancePage | null> {
  const of = (table: typeof balances | typeof unreadableBalances) =>
    and(
      eq(table.accountId, account),
      eq(table.vaultType, vaultType),
      isNull(table.validTo),
      ...(assetId === undefined ? [] : [eq(table.assetId, assetId)]),
    );
  return await database.transact(
    'custody-balances',
    async (tx) => {
      const { snapshotAt } = balanceSnapshots;
      const [latest] = await tx.run('custody-balances.snapshot', (db) =>
        db
          .select({ snapshotAt: isoMilliseconds(snapshotAt) })
          .from(balanceSnapshots)
          .where(and(eq(balanceSnapshots.accountId, account), eq(balanceSnapshots.vaultType, vaultType)))
          .orderBy(desc(snapshotAt))
          .limit(1),
      );
      if (latest === undefined) return null;
      const found = await tx.run('custody-balances.page', (db) =>
        db.execute<{ element: string }>(sql`
          select ${balanceElement(alias(balances, 'b'), alias(unreadableBalances, 'u'))} as element
          from (select * from ${balances} where ${of(balances)}) as b
          full join (select * from ${unreadableBalances} where ${of(unreadableBalances)}) as u
            on b.asset_id = u.asset_id and b.network_id = u.network_id
          order by coalesce(b.asset_id, u.asset_id), coalesce(b.network_id, u.network_id)
          limit ${limit} offset ${offset}`),
      );
      return { snapshotAt: latest.snapshotAt, elements: found.rows.map((row) => row.element) };
    },
    { snapshot: true },
  );
}
