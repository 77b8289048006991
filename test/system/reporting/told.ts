// A store told of balances and transactions one by one, at moments in milliseconds since `epoch`; what is
// left out was not told.
import type { Balance, BalanceVaultType } from '../../../src/domain/balance.ts';
import { parseDecimal } from '../../../src/domain/decimal.ts';
import { commitBalanceSnapshot } from '../../../src/store/commit/commit-balances.ts';
import {
  commitPages,
  digest,
  epoch,
  item,
  noRequests,
  openStore,
  page,
  type Store,
  transaction,
} from '../../support/store.ts';

export interface Told {
  readonly total?: string;
  readonly staking?: string;
  readonly claimable?: string;
}

export const decimal = (text: string | undefined) =>
  text === undefined ? null : (parseDecimal(text)?.value ?? null);
export const day = 86_400_000;

/** Balances of one network, by asset; a figure that is left out was not told. */
export function snapshot(
  store: Store,
  at: number,
  told: Readonly<Record<string, Told>>,
  vaultType: BalanceVaultType = 'all',
  tookMs = 1,
) {
  const items = Object.entries(told).map(([assetId, { total, staking, claimable }]) => {
    const record: Balance = {
      assetId,
      assetName: assetId,
      networkId: 'net',
      networkName: null,
      totalBalance: decimal(total),
      availableBalance: null,
      processingBalance: null,
      stakingBalance: decimal(staking),
      claimableBalance: decimal(claimable),
      raw: JSON.stringify({ assetId, total, staking, claimable }),
    };
    return { kind: 'record' as const, key: assetId, hash: digest(record.raw), record };
  });
  return commitBalanceSnapshot(store.database, store.lease, store.run, {
    vaultType,
    snapshotAt: epoch + at,
    observation: { beganAt: epoch + at, arrivedAt: epoch + at + tookMs },
    pages: [page(items, at, at + tookMs)],
    tally: noRequests,
  });
}

/** A store whose account was there before its data, and whose first sweep had ended. */
export async function openReporting(): Promise<Store> {
  const store = await openStore();
  await store.query(
    `update custody.accounts set first_seen_at = to_timestamp($1), transactions_since = to_timestamp($1)`,
    [epoch / 1000],
  );
  return store;
}

export interface Seen {
  readonly id: string;
  readonly assetId: string;
  readonly type?: string;
  readonly status?: string;
  readonly amount?: string;
}

export function see(store: Store, at: number, seen: readonly Seen[]) {
  const records = seen.map(({ assetId, ...wire }) => ({
    ...transaction({ status: 'completed', ...wire }),
    assetId,
    contentHash: digest(JSON.stringify([assetId, wire])),
    ...(wire.amount === undefined ? { amount: null } : {}),
  }));
  return commitPages(store, page(records.map(item), at));
}
