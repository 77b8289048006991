// Processes that mirror one account after another, each with its own clock, and what must hold whatever the
// clock of the database did between them.
import { expect } from 'vitest';
import type { Sandbox } from '../../packages/sandbox/src/sandbox.ts';
import { bindAccount } from '../../src/store/run/accounts.ts';
import { snapshotBalances } from '../../src/sync/jobs/balances.ts';
import { mirrorVaults, mirrorWhitelist } from '../../src/sync/jobs/documents.ts';
import { syncTransactions } from '../../src/sync/jobs/transactions.ts';
import { sweepTransactions } from '../../src/sync/jobs/transactions-sweep.ts';
import type { JobContext } from '../../src/sync/run/context.ts';
import { onCleanup } from './cleanup.ts';
import type { Row } from './database.ts';
import { openEngine, testConfig } from './engine.ts';
import { startSandbox } from './sandbox.ts';
import { lease, open } from './store.ts';

export interface Succession {
  readonly account: string;
  readonly sandbox: Sandbox;
  /** One of each resource, which changes. */
  readonly changing: { readonly transaction: string; readonly vault: string; readonly entry: string };
  /** Another process takes the lease; the one before is not heard of again. */
  takeOver(holder: string): Promise<JobContext>;
}

interface MirrorDatabase {
  readonly url: string;
  query<Found extends Row>(sql: string, params?: readonly unknown[]): Promise<Found[]>;
}

/** An account in a migrated database. */
export async function openSuccession({ url }: MirrorDatabase, account: string): Promise<Succession> {
  const { sandbox, url: serviceUrl } = await startSandbox({ transactions: 20 });
  const places = { databaseUrl: url, serviceUrl, key: sandbox.apiKey };
  const config = testConfig(places, { CUSTODY_ACCOUNT: account }).custody;
  await bindAccount(open(url), { account, baseUrl: config.baseUrl.href, timeZone: 'UTC' });
  return {
    account,
    sandbox,
    changing: {
      transaction: sandbox.world.insertTransaction('tail', {}).transactionId,
      vault: sandbox.world.vaults()[0]?.vaultId ?? '',
      entry: sandbox.world.whitelist()[0]?.whitelistId ?? '',
    },
    async takeOver(holder) {
      const database = open(url);
      const taken = await lease(database, holder, 30_000, account);
      const engine = await openEngine({ database, config, lease: taken });
      onCleanup(engine.close);
      return engine.context;
    },
  };
}

export function changeAll({ sandbox: { world }, changing }: Succession, name: string): void {
  world.alterTransaction(changing.transaction, { note: name });
  world.renameVault(changing.vault, name);
  world.alterWhitelistEntry(changing.entry, { name });
}

export async function mirrorAll(context: JobContext): Promise<void> {
  for (const outcome of [
    await sweepTransactions(context, { job: 'reconcile' }),
    await syncTransactions(context, { full: false }),
    await snapshotBalances(context),
    await mirrorVaults(context),
    await mirrorWhitelist(context),
  ])
    expect(outcome).toMatchObject({ status: 'succeeded', errorMessage: null });
}

/**
 * What was changed last is shown. The times of each run lie between its begin and its end, and behind the run
 * before.
 */
export async function expectInOrder(
  { account, changing }: Succession,
  { query }: MirrorDatabase,
  name: string,
  snapshots: number,
): Promise<void> {
  const shown = await query(
    `select (select note from custody.transactions where account_id = $1 and transaction_id = $2) as transaction,
       (select name from custody.vaults where account_id = $1 and vault_id = $3) as vault,
       (select name from custody.whitelist_entries where account_id = $1 and entry_id = $4) as entry,
       (select count(*)::int from custody.balance_snapshots where account_id = $1 and vault_type = 'all') as snapshots`,
    [account, changing.transaction, changing.vault, changing.entry],
  );
  expect(shown, account).toEqual([{ transaction: name, vault: name, entry: name, snapshots }]);
  const backwards = await query(
    `with written as (
       select run_id, observed_at as at from custody.transaction_status_history where account_id = $1
       union all select run_id, observed_at from custody.transaction_revisions where account_id = $1
       union all select run_id, observed_at from custody.document_revisions where account_id = $1
       union all select run_id, asked_at from custody.balance_snapshots where account_id = $1
       union all select run_id, answered_at from custody.balance_snapshots where account_id = $1
       union all select run_id, snapshot_at from custody.balance_snapshots where account_id = $1
     ), run as (
       select run_id, started_at, finished_at, lag(finished_at) over (order by run_id) as ended_before
       from sync.runs where account_id = $1
     ), ordered as (
       select 'begin' as kind, started_at as at, ended_before as before from run
       union all select 'written', at, started_at from written join run using (run_id)
       union all select 'end', finished_at, at from written join run using (run_id)
       union all select 'bound', observed_at, observed_after from custody.transaction_status_history where account_id = $1
       union all select 'bound', observed_at, observed_after from custody.document_revisions where account_id = $1
       union all select 'account', account_time, (select max(finished_at) from run) from sync.leases where account_id = $1
     ) select * from ordered where at < before`,
    [account],
  );
  expect(backwards, account).toEqual([]);
}
