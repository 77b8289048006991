// `custody-mirror grant --account`: a role that sees the rows of its accounts and of no other, as PostgreSQL
// itself decides when that role is connected.
import { beforeAll, describe, expect, test } from 'vitest';
import { environment, serveSandbox } from '../../../support/command.ts';
import { runHere } from '../../../support/in-process.ts';
import { type TestRole, testRole } from '../../../support/roles.ts';
import { withClient } from '../../../support/server.ts';
import { as, grant, type OwnedMirror, ownedMirrors, refusal, relationsOf } from './owned-mirror.ts';

const openMirror = await ownedMirrors();
const openSyncTables = ['anomalies', 'expectations', 'learned', 'leases', 'quarantine', 'runs'];

/** Two accounts with transactions, balances, vaults, whitelist and prices. */
async function twoAccounts(): Promise<OwnedMirror> {
  const mirror = await openMirror();
  const name = new URL(mirror.database.url).pathname.slice(1);
  await mirror.database.query(`grant create on database "${name}" to ${mirror.owner.quoted}`);
  for (const [seed, account] of ['first', 'zweites'].entries()) {
    const service = await serveSandbox({ seed, transactions: 60 });
    const env = environment(service, mirror.database, {
      DATABASE_URL: mirror.owner.url,
      CUSTODY_ACCOUNT: account,
    });
    const synced = await runHere(['sync'], { env });
    expect(synced, synced.stderr).toMatchObject({ code: 0 });
  }
  await as(
    mirror.owner,
    `insert into custody.asset_prices (account_id, asset_id, currency, as_of, price, known_from)
     select distinct account_id, asset_id, 'USD', '2020-01-01Z'::timestamptz, 2, '2020-01-01Z'::timestamptz from custody.balances`,
  );
  return mirror;
}

describe('a role that reads one of two accounts', () => {
  let mirror: OwnedMirror;
  let reader: TestRole;
  beforeAll(async () => {
    mirror = await twoAccounts();
    reader = await testRole(mirror.database);
    const granted = await grant(mirror.owner, reader.name, '--account', 'first');
    expect(granted, granted.stderr).toMatchObject({ code: 0, stderr: '' });
    expect(granted.stdout).toBe(
      `${reader.name} now reads first in the schemas custody_${reader.name}, reporting_${reader.name} and sync_${reader.name}.\n`,
    );
  }, 120_000);

  test('reads each table and view as the owner reads that account, and nothing of the mirror itself', async () => {
    const relations = await relationsOf(mirror.database, ['custody', 'reporting', 'sync']);
    const open = relations.filter(({ schema, name }) => schema !== 'sync' || openSyncTables.includes(name));
    expect(open.length).toBeGreaterThan(45);
    let filled = 0;
    for (const { schema, name, label } of open) {
      expect(await refusal(reader, `select from ${label}`), label).toBe('42501');
      const view = `${schema}_${reader.name}.${name}`;
      if (name === 'accounting_rules') {
        expect((await as(reader, `select * from ${view}`)).length).toBeGreaterThan(5);
        continue;
      }
      const count = `select coalesce(account_id, '-') as account, count(*)::int as rows`;
      const expected = await as(mirror.owner, `${count} from ${label} where account_id = 'first' group by 1`);
      expect(await as(reader, `${count} from ${view} group by 1`), view).toEqual(expected);
      filled += expected.length;
    }
    expect(filled).toBeGreaterThan(25);
    for (const label of ['internal.account_readers', 'sync.api_keys'])
      expect(await refusal(reader, `select from ${label}`), label).toBe('42501');
  });

  test('calls the functions of reporting for its account, and gets nothing for another', async () => {
    const own = `reporting_${reader.name}`;
    for (const call of ['transactions_at(now())', 'balances_at(now())'])
      expect(await as(reader, `select distinct account_id from ${own}.${call}`), call).toEqual([
        { account_id: 'first' },
      ]);
    const shown = (account: string) =>
      as(
        reader,
        `select * from ${own}.balances_shown('${account}', 'all',
           (select max(snapshot_at) from custody_${reader.name}.balance_snapshots where vault_type = 'all'))`,
      );
    expect((await shown('first')).length).toBeGreaterThan(0);
    expect(await shown('zweites')).toEqual([]);
    expect(await refusal(reader, `select reporting.transactions_at(now())`)).toBe('42501');
  });

  test('cannot look through a view by a condition of its own that reveals what it sees', async () => {
    const told = await withClient(reader.url, async (client) => {
      const seen: string[] = [];
      client.on('notice', ({ message }) => seen.push(message ?? ''));
      await client.query(`create function pg_temp.tell(text) returns boolean language plpgsql cost 0.0000001
        as $$ begin raise notice '%', $1; return true; end $$`);
      for (const view of [
        'custody.transactions',
        'reporting.transactions',
        'reporting.balances_current',
        'sync.runs',
      ])
        await client.query(
          `select from ${view.replace('.', `_${reader.name}.`)} where pg_temp.tell(account_id)`,
        );
      return seen;
    });
    expect([...new Set(told)]).toEqual(['first']);
  });

  test('finds the name of another account nowhere in the catalogs', async () => {
    const [found] = await as(
      reader,
      `select count(*)::int as count from pg_views where definition like '%zweites%'`,
    );
    expect(found).toEqual({ count: 0 });
    expect(await as(reader, `select from pg_proc where prosrc like '%zweites%'`)).toEqual([]);
  });

  test('gets other accounts by the same command', async () => {
    const both = await testRole(mirror.database);
    const accounts = () => as(both, `select account_id from custody_${both.name}.accounts order by 1`);
    for (const [given, names] of [
      ['first, zweites', ['first', 'zweites']],
      ['zweites', ['zweites']],
    ] as const) {
      const granted = await grant(mirror.owner, both.name, '--account', given);
      expect(granted, granted.stderr).toMatchObject({ code: 0 });
      expect((await accounts()).map(({ account_id }) => account_id)).toEqual(names);
    }
    const checked = await grant(mirror.owner, both.name, '--account', 'first', '--check');
    expect(checked.code).toBe(1);
    expect(checked.stdout).toContain(
      'warning: lacks the account on first; custody-mirror grant --account first',
    );
    expect(checked.stdout).toContain('rows of other accounts');
    expect(await grant(mirror.owner, both.name, '--account', 'third')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no account is named third: there is first, zweites'),
    });
  });

  test('--check tries it, and names each way to another account', async () => {
    const check = () => grant(mirror.owner, reader.name, '--account', 'first', '--check');
    const clean = await check();
    expect(clean, clean.stdout).toMatchObject({ code: 0, stderr: '' });
    expect(clean.stdout).toMatch(/^\w+ reads first in the schemas .*, and nothing else\.$/m);
    const group = await testRole(mirror.database);
    await mirror.database.query(`
      grant ${group.quoted} to ${reader.quoted};
      create schema lent; grant usage on schema lent to public;
      create view lent.everything as select * from reporting.transactions; grant select on lent.everything to ${group.quoted};
      create function lent.peek() returns bigint language sql security definer as 'select count(*) from custody.transactions'`);
    await as(mirror.owner, `grant select (name) on custody.vaults to public`);
    await as(
      mirror.owner,
      `create or replace view custody_${reader.name}.whitelist_entries as select * from custody.whitelist_entries`,
    );
    const { code, stdout } = await check();
    expect(code).toBe(1);
    for (const line of [
      `also has rows of other accounts on custody_${reader.name}.whitelist_entries; revoke it by hand`,
      `also has SELECT on lent.everything, through ${group.name}; revoke it there, by hand`,
      'also has EXECUTE on lent.peek(); revoke it by hand',
      'also has SELECT on custody.vaults, through PUBLIC; revoke it there, by hand',
    ])
      expect(stdout).toContain(line);
  });
});

test('a schema that somebody else made under that name is refused, and left alone', async () => {
  const mirror = await openMirror();
  const reader = await testRole(mirror.database);
  await as(
    mirror.owner,
    "insert into custody.accounts (account_id, base_url, first_seen_at) values ('first', 'https://custody.example', now())",
  );
  await mirror.database.query(
    `create schema custody_${reader.name}; create table custody_${reader.name}.kept ()`,
  );
  const granted = await grant(mirror.owner, reader.name, '--account', 'first');
  expect(granted).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('which custody-mirror did not make'),
  });
  expect(await mirror.database.query(`select from custody_${reader.name}.kept`)).toEqual([]);
});
