// Observations of balances, tick by tick, as runs commit them.
import { createClock } from '../../src/base/clock.ts';
import { type Balance, type BalanceVaultType, balanceKey } from '../../src/domain/balance.ts';
import { parseDecimal } from '../../src/domain/decimal.ts';
import { commitBalanceSnapshot } from '../../src/store/commit/commit-balances.ts';
import { bindAccount } from '../../src/store/run/accounts.ts';
import { acquireLease } from '../../src/store/run/leases.ts';
import { startRun } from '../../src/store/run/runs.ts';
import { account, digest, noRequests, page, type Store, undecodable } from '../support/store.ts';

export const hour = 3_600_000;
/** From the first request of an observation to its last answer. */
const tookMs = 1_500;
const began = Date.UTC(2025, 9, 24);
const vaultTypes = ['all', 'warm', 'cold'] as const;

/** One tick: how long after the one before, and what each vault type held; null where it was not observed. */
export interface Tick {
  readonly afterMs: number;
  readonly held: readonly (readonly string[] | null)[];
}

function balances(amounts: readonly string[]) {
  return amounts.map((total, index) => {
    if (index === 2) return undecodable(digest('unidentified'));
    if (total === '?') return undecodable(balanceKey({ assetId: `asset${index}`, networkId: 'net' }));
    const amount = parseDecimal(total)?.value ?? null;
    const record: Balance = {
      assetId: `asset${index}`,
      networkId: 'net',
      assetName: null,
      networkName: null,
      totalBalance: amount,
      availableBalance: amount,
      processingBalance: null,
      stakingBalance: null,
      claimableBalance: null,
      raw: JSON.stringify({
        asset_id: `asset${index}`,
        network_id: 'net',
        balances: { total_balance: total, available_balance: total },
      }),
    };
    return { kind: 'record' as const, key: record.assetId, hash: digest(record.raw), record };
  });
}

export async function observe({ database, query }: Store, told: readonly Tick[]) {
  await bindAccount(database, { account, baseUrl: 'https://custody.example', timeZone: 'UTC' });
  await query(
    'update custody.accounts set first_seen_at = $2, transactions_since = $2 where account_id = $1',
    [account, new Date(began)],
  );
  const attempt = await acquireLease(database, {
    account,
    holder: 'test',
    ttlMs: 600_000,
    clock: createClock(),
  });
  if (!('lease' in attempt)) throw new Error('the lease is held');
  const { lease } = attempt;
  const run = await startRun(database, lease, { job: 'balances', mode: 'full' });
  let snapshotAt = began;
  for (const tick of told) {
    snapshotAt += tick.afterMs;
    for (const [index, amounts] of tick.held.entries()) {
      if (amounts === null) continue;
      const vaultType: BalanceVaultType = vaultTypes[index] ?? 'all';
      const pages = [page(balances(amounts), snapshotAt)];
      await commitBalanceSnapshot(database, lease, run, {
        vaultType,
        snapshotAt,
        observation: { beganAt: snapshotAt, arrivedAt: snapshotAt + tookMs },
        pages,
        tally: noRequests,
      });
    }
  }
  return { lease };
}
