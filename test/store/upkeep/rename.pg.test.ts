// An account under another name: everything of it, in every table of the catalogue, and nothing of others.
import { expect, test } from 'vitest';
import { bindAccount } from '../../../src/store/run/accounts.ts';
import { eraseAccount } from '../../../src/store/upkeep/erase.ts';
import { renameAccount } from '../../../src/store/upkeep/rename.ts';
import type { Row } from '../../support/database.ts';
import { fill, rowsOf } from '../../support/every-account-table.ts';
import { withClient } from '../../support/server.ts';
import { account, lease, openStore, type Store } from '../../support/store.ts';
import { waitFor } from '../../support/wait-for.ts';

const { signal } = new AbortController();
const withdrawal = (of: string, id: string, amount: number) => `
  insert into custody.transactions (account_id, transaction_id, status, transaction_type, asset_id, destination_id, amount,
    first_seen_at, status_changed_at, changed_at, raw, content_hash)
  values ('${of}', '${id}', 'completed', 'withdraw', 'ETH', 'd', ${amount}, '2026-01-01Z', '2026-01-01Z', '2026-01-01Z', '{}', '')`;

async function twoAccounts(): Promise<Store> {
  const store = await openStore();
  await bindAccount(store.database, { account: 'other', baseUrl: 'https://other.example', timeZone: 'UTC' });
  await fill(store, account);
  await fill(store, 'other');
  return store;
}

/** Without the log, whose entries have the name. */
async function unsealed(): Promise<Store> {
  const store = await twoAccounts();
  await store.query('delete from sync.seal_checkpoints');
  await store.query('delete from internal.seal_tiles');
  return store;
}

/** Every row of the account, without its name and what a lease says of its holder. */
async function contentOf({ query }: Store, of: string): Promise<Readonly<Record<string, Row[]>>> {
  const content: Record<string, Row[]> = {};
  for (const name of Object.keys(await rowsOf({ query }, of)))
    content[name] = await query(
      `select to_jsonb(t) - '{account_id,account_time,database_time,expires_at}'::text[] as row
       from ${name} t where account_id = $1 order by 1`,
      [of],
    );
  return content;
}

test('everything of the account has the new name, in every table of the catalogue, and nothing of another', async () => {
  const store = await unsealed();
  const { query } = store;
  await query(`insert into sync.api_keys (key_prefix, name, digest, scope, accounts, created_at)
    values ('cm_1', 'both', repeat('a', 64), 'read', '{other,${account}}', now()), ('cm_2', 'all', repeat('b', 64), 'read', null, now())`);
  await query(withdrawal(account, 'first', 2));
  await query(withdrawal(account, 'second', 3));
  await query(withdrawal('other', 'first', 5));
  const before = await contentOf(store, account);
  const other = await contentOf(store, 'other');
  const empty = Object.entries(before).filter(([, rows]) => rows.length === 0);
  expect(empty.map(([name]) => name)).toEqual(['internal.seal_tiles', 'sync.seal_checkpoints']);

  await renameAccount(store.database, store.lease, 'beta', signal);
  expect(Object.entries(await rowsOf(store, account)).filter(([, rows]) => rows > 0)).toEqual([]);
  expect(await contentOf(store, 'beta')).toEqual(before);
  expect(await contentOf(store, 'other')).toEqual(other);
  expect(await query('select accounts from sync.api_keys order by key_prefix')).toEqual([
    { accounts: ['other', 'beta'] },
    { accounts: null },
  ]);
  expect(
    await query('select account_id, uses::int, completed_amount::int as amount from reporting.destinations'),
  ).toEqual(
    expect.arrayContaining([
      { account_id: 'beta', uses: 2, amount: 5 },
      { account_id: 'other', uses: 1, amount: 5 },
    ]),
  );
  // The lease is free, and its numbers go on.
  const next = await lease(store.database, 'next', 600_000, 'beta');
  expect(Number(next.token)).toBeGreaterThan(Number(store.lease.token));
  // History is append-only as before, and rules keep what they replace.
  await expect(query(`update custody.balance_snapshots set account_id = 'x'`)).rejects.toThrow('append-only');
  await query(`update custody.asset_prices set price = price + 1 where account_id = 'beta'`);
  expect((await rowsOf(store, 'beta'))['custody.former_prices']).toBe(
    (before['custody.former_prices']?.length ?? 0) + 1,
  );
});

test('it is refused where the log has the name, the new name is taken, or the account is half erased, and the lease is free again', async () => {
  const store = await twoAccounts();
  const before = await rowsOf(store, account);
  const attempt = async (to: string) =>
    renameAccount(store.database, await lease(store.database), to, signal);
  await expect(attempt('beta')).rejects.toMatchObject({
    code: 'CONFIGURATION',
    message: expect.stringContaining('custody-mirror seal restart --end <directory>'),
  });
  await expect(attempt('other')).rejects.toThrow('account "other" is in the database already');
  await store.query(
    `insert into sync.api_keys (key_prefix, name, digest, scope, accounts, created_at)
     values ('cm_1', 'old', repeat('a', 64), 'read', '{beta}', now())`,
  );
  await expect(attempt('beta')).rejects.toThrow('keys of the read API name account "beta"');
  await store.query(`update sync.api_keys set revoked_at = now()`);
  expect(await rowsOf(store, account)).toEqual(before);
  await store.query(
    `create function public.fail() returns trigger language plpgsql as 'begin raise exception $q$interrupted$q$; end';
     create trigger fail before delete on sync.runs execute function public.fail()`,
  );
  const parts = { signal };
  await expect(eraseAccount(store.database, await lease(store.database), 'host', parts)).rejects.toThrow(
    'interrupted',
  );
  await expect(attempt('beta')).rejects.toThrow(
    `account "${account}" is half erased: run account erase again`,
  );
});

test('what fails on the way leaves everything under the old name, and the same command does it then', async () => {
  const store = await unsealed();
  const before = await contentOf(store, account);
  await store.query(
    `create function public.fail() returns trigger language plpgsql as 'begin raise exception $q$interrupted$q$; end';
     create trigger fail after update on sync.runs execute function public.fail()`,
  );
  await expect(renameAccount(store.database, store.lease, 'beta', signal)).rejects.toThrow('interrupted');
  expect(await contentOf(store, account)).toEqual(before);
  await store.query('drop trigger fail on sync.runs');
  await renameAccount(store.database, await lease(store.database, 'again'), 'beta', signal);
  expect((await rowsOf(store, 'beta'))['sync.runs']).toBe(before['sync.runs']?.length);
});

test('a name that was erased goes on with the numbers of its leases', async () => {
  const store = await unsealed();
  await store.query(`insert into internal.erasures (account_id, started_at, finished_at, erased_by, last_token)
    values ('beta', now(), now(), 'somebody', 700)`);
  await renameAccount(store.database, store.lease, 'beta', signal);
  const next = await lease(store.database, 'next', 600_000, 'beta');
  expect(Number(next.token)).toBeGreaterThan(700);
});

test('a price that somebody is adding meanwhile gets the new name', async () => {
  const store = await unsealed();
  const price = (
    asset: string,
  ) => `insert into custody.asset_prices (account_id, asset_id, currency, as_of, price)
    values ('${account}', '${asset}', 'USD', '2026-01-02Z', 1)`;
  let renaming: Promise<void> | undefined;
  await withClient(store.url, async (client) => {
    await client.query(`begin; ${price('LATE')}`);
    renaming = renameAccount(store.database, store.lease, 'beta', signal);
    const waiting = () =>
      store.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
    await waitFor(async () => (await waiting()).length > 0, { what: 'a rename that waits' });
    await client.query('commit');
  });
  await renaming;
  expect(await store.query(`select account_id from custody.asset_prices where asset_id = 'LATE'`)).toEqual([
    { account_id: 'beta' },
  ]);
});
