import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { bindAccount } from '../../../src/store/run/accounts.ts';
import { eraseAccount, listAccounts } from '../../../src/store/upkeep/erase.ts';
import { fill, rowsOf } from '../../support/every-account-table.ts';
import { testRole } from '../../support/roles.ts';
import { account, lease, open, openStore, type Store } from '../../support/store.ts';

const parts = { signal: new AbortController().signal };
async function twoAccounts(): Promise<Store> {
  const store = await openStore();
  await bindAccount(store.database, { account: 'other', baseUrl: 'https://other.example', timeZone: 'UTC' });
  await fill(store, account);
  await fill(store, 'other');
  return store;
}

test('everything of the account goes from every table of the catalogue, nothing of another, and a record stays', async () => {
  const store = await twoAccounts();
  const before = await rowsOf(store, account);
  const other = await rowsOf(store, 'other');
  expect(Object.entries(before).filter(([, rows]) => rows === 0)).toEqual([]);
  expect(Object.entries(other).filter(([, rows]) => rows === 0)).toEqual([]);

  const erased = await eraseAccount(store.database, store.lease, 'host.example', { ...parts, atOnce: 1 });
  expect(Object.entries(await rowsOf(store, account)).filter(([, rows]) => rows > 0)).toEqual([]);
  expect(await rowsOf(store, 'other')).toEqual(other);
  expect(erased).toBeGreaterThanOrEqual(Object.values(before).reduce((sum, rows) => sum + rows, 0));
  expect(
    await store.query(
      `select rows_erased::int as rows, erased_by like '_%@host.example' as by, finished_at >= started_at as finished
       from internal.erasures where account_id = $1`,
      [account],
    ),
  ).toEqual([{ rows: erased, by: true, finished: true }]);
  expect(await listAccounts(store.database)).toMatchObject([
    { account: 'other', state: 'https://other.example, is retired by x' },
    { account, state: expect.stringMatching(/^erased .* UTC by .+@host\.example, \d+ rows$/) },
  ]);
});

test('what was interrupted is continued, and the record counts both attempts', async () => {
  const store = await twoAccounts();
  await store.query(
    `create function public.fail() returns trigger language plpgsql as 'begin raise exception $q$interrupted$q$; end';
     create trigger fail before delete on sync.runs execute function public.fail()`,
  );
  await expect(eraseAccount(store.database, store.lease, 'first.example', parts)).rejects.toThrow(
    'interrupted',
  );
  const [half] = await store.query<{ rows: number; open: boolean }>(
    'select rows_erased::int as rows, finished_at is null as open from internal.erasures',
  );
  expect(half).toMatchObject({ rows: expect.toSatisfy((rows: number) => rows > 0), open: true });
  expect(await listAccounts(store.database)).toContainEqual({
    account,
    state: 'https://custody.example, erasing is unfinished',
  });
  await store.query('drop trigger fail on sync.runs');
  const again = await lease(store.database, 'again');
  const erased = await eraseAccount(store.database, again, 'second.example', parts);
  expect(erased).toBeGreaterThan(half?.rows ?? 0);
  expect(await store.query('select rows_erased::int as rows from internal.erasures')).toEqual([
    { rows: erased },
  ]);
});

test('a rule that somebody adds meanwhile goes too', async () => {
  const store = await twoAccounts();
  await store.query(
    `create sequence public.times;
     create function public.add_rule() returns trigger language plpgsql as $$ begin
       if nextval('public.times') = 1 then
         insert into custody.fee_rules (account_id, network_id, asset_id) values (old.account_id, 'ARB', 'ETH');
       end if;
       return old;
     end $$;
     create trigger add_rule before delete on custody.accounts for each row execute function public.add_rule()`,
  );
  await eraseAccount(store.database, store.lease, 'host.example', parts);
  expect(Object.entries(await rowsOf(store, account)).filter(([, rows]) => rows > 0)).toEqual([]);
  expect(await store.query('select last_value::int as times from public.times')).toEqual([{ times: 2 }]);
});

test('the numbers of leases go on after an erase: an older holder cannot be taken for the next', async () => {
  const store = await twoAccounts();
  await eraseAccount(store.database, store.lease, 'host.example', parts);
  const again = await lease(store.database, 'again');
  expect(Number(again.token)).toBeGreaterThan(Number(store.lease.token));
});

test('history stays append-only for all else: an update, the owner without the setting, others with it', async () => {
  const store = await twoAccounts();
  const allow = "set local custody_mirror.erasing = 'on'";
  const history = 'custody.transaction_status_history';
  await expect(store.query(`delete from ${history}`)).rejects.toThrow('append-only');
  await expect(store.query(`${allow}; update ${history} set account_id = 'x'`)).rejects.toThrow(
    'append-only',
  );
  await expect(store.query(`${allow}; truncate ${history}`)).rejects.toThrow('append-only');
  const role = await testRole(store);
  await store.query(
    `grant usage on schema custody to ${role.name}; grant select, delete on ${history} to ${role.name}`,
  );
  const stranger = open(role.url);
  await expect(
    stranger.transact('stranger', async (tx) => {
      await tx.ask('set', sql.raw(allow));
      await tx.ask('delete', sql.raw(`delete from ${history}`));
    }),
  ).rejects.toThrow('append-only');
});

test('keys of the erased account alone are revoked, and others name it no more', async () => {
  const store = await twoAccounts();
  const key = (name: string, accounts: string) =>
    store.query(
      `insert into sync.api_keys (key_prefix, name, digest, scope, accounts, created_at)
       values ('cm_' || $1::text, $1, rpad($1, 64, 'a'), 'read', $2, now())`,
      [name, accounts],
    );
  await key('mine', `{${account}}`);
  await key('mine twice', `{${account},${account}}`);
  await key('both', `{other,${account}}`);
  await key('other', '{other}');
  await eraseAccount(store.database, await lease(store.database), 'host', parts);
  expect(
    await store.query(
      'select name, accounts, revoked_at is not null as revoked from sync.api_keys order by name',
    ),
  ).toEqual([
    { name: 'both', accounts: ['other'], revoked: false },
    { name: 'mine', accounts: [account], revoked: true },
    { name: 'mine twice', accounts: [account, account], revoked: true },
    { name: 'other', accounts: ['other'], revoked: false },
  ]);
});
