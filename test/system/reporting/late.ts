// Pasts in which transactions are corrected after their day is over, and what the reports say of a day.
import fc from 'fast-check';
import { markMissingTransactions } from '../../../src/store/commit/mark-missing.ts';
import {
  account,
  commitPages,
  digest,
  epoch,
  item,
  page,
  type Store,
  transaction,
} from '../../support/store.ts';
import { decimal, openReporting } from './told.ts';

export const hour = 3_600_000;

export interface Seen {
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly amount: string | null;
  readonly fee: string | null;
  readonly asset: string | null;
}

export type Event =
  | { readonly gone: string }
  | { readonly shown: readonly Seen[] }
  /** A person states another asset for the fees of network `net`. */
  | { readonly rule: string };

export async function openAccount(): Promise<Store> {
  const store = await openReporting();
  await store.query(
    `insert into custody.fee_rules (account_id, network_id, asset_id, known_from) values ($1, 'net', 'GAS', '-infinity')`,
    [account],
  );
  return store;
}

export async function play(store: Store, event: Event, at: number): Promise<void> {
  const { database, lease, run } = store;
  if ('rule' in event) {
    await stateAt(store, at, `update custody.fee_rules set asset_id = '${event.rule}'`);
    return;
  }
  if ('gone' in event) {
    const moment = epoch + at;
    await markMissingTransactions(database, lease, run, {
      ids: [event.gone],
      asked: moment,
      missingSince: moment,
    });
    return;
  }
  const records = event.shown.map((seen) => ({
    ...transaction({ id: seen.id, status: seen.status, type: seen.type }),
    assetId: seen.asset,
    networkId: seen.asset === 'X' ? 'net' : 'other',
    amount: decimal(seen.amount ?? undefined),
    fee: decimal(seen.fee ?? undefined),
    contentHash: digest(JSON.stringify(seen)),
  }));
  await commitPages(store, page(records.map(item), at, at));
}

/** Has a person change what people state, as if it had been at the moment. */
export async function stateAt(store: Store, at: number, change: string): Promise<void> {
  const moment = `to_timestamp(${(epoch + at) / 1000})`;
  const moved = [
    ['fee_rules', 'known_from'],
    ['former_fee_rules', 'known_until'],
    ['asset_prices', 'known_from'],
    ['former_prices', 'known_until'],
  ].map(([table, column]) => `update custody.${table} set ${column} = ${moment} where ${column} = now();`);
  await store.query(
    `begin; ${change}; set local session_replication_role = replica; ${moved.join(' ')} commit`,
  );
}

export const reports = ['flows_daily', 'fees_daily', 'transaction_outcomes_daily'] as const;

export const seen = fc.uniqueArray(
  fc.record<Seen>({
    id: fc.constantFrom('a', 'b', 'c', 'd'),
    type: fc.constantFrom('deposit', 'withdraw', 'withdraw', 'rebalance', 'airdrop'),
    status: fc.constantFrom('pending', 'confirming', 'completed', 'completed', 'failed', 'on hold'),
    amount: fc.constantFrom('1', '1', '2.5', null),
    fee: fc.constantFrom('0.1', '0.1', '0.25', null),
    asset: fc.constantFrom('X', 'X', 'Y'),
  }),
  { selector: ({ id }) => id, minLength: 1, maxLength: 4 },
);

export const withdrawal: Seen = {
  id: 'w',
  type: 'withdraw',
  status: 'completed',
  amount: '5',
  fee: '0.1',
  asset: 'Y',
};
