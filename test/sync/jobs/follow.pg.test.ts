// What docs/events.md rests on, in every job: history is written only by who has locked the account's lease.
import pg from 'pg';
import { expect, test } from 'vitest';
import { snapshotBalances } from '../../../src/sync/jobs/balances.ts';
import { mirrorVaults, mirrorWhitelist } from '../../../src/sync/jobs/documents.ts';
import { syncTransactions } from '../../../src/sync/jobs/transactions.ts';
import { sweepTransactions } from '../../../src/sync/jobs/transactions-sweep.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { historyTables } from '../../support/histories.ts';
import { type Mirror, openMirror } from '../../support/mirror.ts';

/**
 * Who locks a row by writing it leaves the transaction's number: in the version that ends, and after the
 * statement in the one that begins.
 */
async function refuseWithoutLock(mirror: Mirror): Promise<void> {
  await mirror.query(`
    create function public.expect_lock() returns trigger language plpgsql as $$ begin
      if not exists (select from sync.leases l where l.account_id = new.account_id
          and pg_current_xact_id()::text::bigint % 4294967296 in (l.xmin::text::bigint, l.xmax::text::bigint))
      then raise exception '% is written without the lease', tg_table_name; end if;
      return new;
    end $$`);
  for (const table of historyTables)
    await mirror.query(
      `create trigger expect_lock before insert on custody.${table} for each row execute function public.expect_lock()`,
    );
}

test('every job draws the numbers of history behind the lock of the lease, and announces what it wrote', async () => {
  const mirror = await openMirror({ transactions: 30 });
  await refuseWithoutLock(mirror);
  await expect(
    mirror.query(`insert into custody.document_revisions
      (account_id, kind, document_id, revision, observed_at, change, document, run_id)
      values ('default', 'vault', 'x', 1, now(), 'added', '{}', 1)`),
  ).rejects.toThrow('without the lease');
  const client = new pg.Client({ connectionString: mirror.url });
  await client.connect();
  onCleanup(() => client.end());
  const events = new Set<string>();
  client.on('notification', ({ payload = '{}' }) => {
    events.add(JSON.parse(payload).event);
  });
  await client.query('listen custody_events');

  const { world } = mirror.sandbox;
  const sweep = () => sweepTransactions(mirror.context, { job: 'reconcile' });
  const others = [snapshotBalances, mirrorVaults, mirrorWhitelist];
  const succeeded = { status: 'succeeded' };
  expect(await sweep()).toMatchObject(succeeded);
  for (const job of others) expect(await job(mirror.context)).toMatchObject(succeeded);
  const [vault] = world.vaults();
  const [first, second] = [...world.transactions()];
  if (vault === undefined || first === undefined || second === undefined)
    throw new Error('the world is empty');
  world.renameVault(vault.vaultId, 'Renamed');
  world.addWhitelistEntry();
  world.insertTransaction('head', { status: 'pending' });
  world.removeTransaction(second.transactionId);
  expect(await syncTransactions(mirror.context, { full: true })).toMatchObject(succeeded);
  world.alterTransaction(first.transactionId, { status: 'failed' });
  expect(await sweep()).toMatchObject(succeeded);
  expect(await sweep()).toMatchObject(succeeded);
  for (const job of others) expect(await job(mirror.context)).toMatchObject(succeeded);
  const [rows] = await mirror.query<Record<string, number>>(
    `select ${historyTables.map((table) => `(select count(*)::int from custody.${table}) as ${table}`).join()},
       (select count(*)::int from custody.transactions where missing_since is not null) as missing`,
  );
  for (const count of Object.values(rows ?? {})) expect(count).toBeGreaterThan(0);
  await expect
    .poll(() => [...events].sort())
    .toEqual([
      'balance_change',
      'status_change',
      'transaction_new',
      'transaction_revision',
      'vault_change',
      'whitelist_change',
    ]);
});
