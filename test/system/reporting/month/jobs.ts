// How the month is read: the jobs as a daemon runs them, and beside each what was to be seen then.
import { expect } from 'vitest';
import type { BalanceRecord } from '../../../../packages/sandbox/src/world/records.ts';
import { createCustodyClient } from '../../../../src/custody/client.ts';
import { expectedOfDaemon } from '../../../../src/scheduler/expected.ts';
import { saveExpectations } from '../../../../src/store/run/expectations.ts';
import { snapshotBalances } from '../../../../src/sync/jobs/balances.ts';
import { mirrorWhitelist } from '../../../../src/sync/jobs/documents.ts';
import { syncTransactions } from '../../../../src/sync/jobs/transactions.ts';
import { letAnHourPass } from '../../../support/an-hour-later.ts';
import { type Observed, type Type, vaultTypes } from '../observed.ts';
import { isoOf, micros } from '../zones.ts';
import { prices } from './views.ts';

export async function expectDaemon(
  { mirror }: Observed,
  resources: readonly ('transactions' | 'balances' | 'vaults' | 'whitelist')[],
) {
  const { database, lease } = mirror.context;
  await saveExpectations(database, lease, 'daemon', expectedOfDaemon({ ...mirror.config, resources }));
}

export async function readBalances(observed: Observed, iso: string): Promise<void> {
  await observed.readBalances(iso);
  if (observed.balances.at(-1)?.lists.size === 0) observed.balances.pop();
}

/** A list that is empty is believed when readings an hour apart showed it so. */
export async function readEmpty({ mirror, moveTo }: Observed, iso: string): Promise<void> {
  letAnHourPass(mirror.context);
  expect(await syncTransactions(mirror.context, { full: true })).toMatchObject({ status: 'succeeded' });
  expect(await snapshotBalances(mirror.context)).toMatchObject({ status: 'succeeded' });
  await moveTo(iso);
}

/** Of the last reading of balances: which records nobody could read. */
export function noteUnreadable(
  observed: Observed,
  { named, gone = named }: { readonly named: readonly string[]; readonly gone?: readonly string[] },
): void {
  const last = observed.balances.pop();
  if (last === undefined) throw new Error('no balance was read');
  const records = new Map<Type, readonly BalanceRecord[]>(last.lists);
  const unreadable = new Map(
    vaultTypes.flatMap((type) => {
      const list = records.get(type);
      if (list === undefined) return [];
      records.set(
        type,
        list.filter(({ assetId }) => !gone.includes(assetId)),
      );
      const keys = list.filter(({ assetId }) => named.includes(assetId));
      const lacks = list.some(({ assetId }) => gone.includes(assetId) && !named.includes(assetId));
      return [[type, { named: keys, unidentified: lacks || gone.length === 0 }] as const];
    }),
  );
  observed.balances.push({ ...last, lists: records, unreadable });
}

export async function readWhitelist(
  observed: Observed,
  iso: string,
  status: 'succeeded' | 'failed',
  isBelieved = status === 'succeeded',
): Promise<void> {
  // A process of its own: one that was refused lets hours pass before it asks again.
  const { context } = observed.mirror;
  letAnHourPass(context);
  const client = createCustodyClient({ ...context, onFact: () => undefined, facts: context.facts.known });
  expect(await mirrorWhitelist({ ...context, client })).toMatchObject({ status });
  await client.close();
  await observed.moveTo(iso);
  if (isBelieved)
    observed.whitelist.push({ at: micros(iso), documents: observed.mirror.sandbox.world.whitelist() });
}

/** The last answer to the last reading of balances was long in coming. */
export async function answeredAt({ mirror, account, balances }: Observed, iso: string): Promise<void> {
  const last = balances.pop();
  if (last === undefined) throw new Error('no balance was read');
  await mirror.query(
    `begin; set local session_replication_role = replica;
     update custody.balance_snapshots set answered_at = '${iso}' where account_id = '${account}' and snapshot_at = '${isoOf(last.at)}'; commit`,
  );
  const bounds = { askedAt: last.at, answeredAt: micros(iso) };
  balances.push({ ...last, bounds: new Map(vaultTypes.map((type) => [type, bounds])) });
}

export async function addPrices({ mirror, account }: Observed): Promise<void> {
  for (const { assetId, currency, asOf, price } of prices)
    await mirror.query(
      'insert into custody.asset_prices (account_id, asset_id, currency, as_of, price, known_from) values ($1, $2, $3, $4, $5, $4)',
      [account, assetId, currency, isoOf(asOf), price],
    );
}

/** The process that wrote is gone, and its lease has ended. */
export async function whileNobodyWrites(
  { mirror, account }: Observed,
  work: () => Promise<void>,
): Promise<void> {
  const [lease] = await mirror.query<{ until: string }>(
    'select expires_at::text as until from sync.leases where account_id = $1',
    [account],
  );
  const until = (at: string | undefined) =>
    mirror.query('update sync.leases set expires_at = $2 where account_id = $1', [account, at]);
  await until('2025-06-12T20:30:00Z');
  await work();
  await until(lease?.until);
}
