// `custody-mirror grant`: a role that reads everything, sees the keys, and writes nothing, as PostgreSQL itself decides when
// that role is connected; and what the command says of roles that are none such.
import { beforeAll, describe, expect, test } from 'vitest';
import { type Row, type TestDatabase, testDatabase } from '../../support/database.ts';
import { runProcess } from '../../support/process.ts';
import { type TestRole, testRole } from '../../support/roles.ts';
import { withClient } from '../../support/server.ts';

interface OwnedMirror {
  readonly database: TestDatabase;
  /** Owns the mirror and is no superuser. */
  readonly owner: TestRole;
}

/** Migrated by a role that may create schemas and nothing more, as in production. */
async function ownedMirror(): Promise<OwnedMirror> {
  const database = await testDatabase({ empty: true });
  const owner = await testRole(database);
  const name = new URL(database.url).pathname.slice(1);
  await database.query(`grant create on database "${name}" to ${owner.quoted}`);
  const migrated = await runProcess(['migrate'], { env: { DATABASE_URL: owner.url } });
  expect(migrated, migrated.stderr).toMatchObject({ code: 0 });
  // One that could be written through.
  await as(owner, 'create view reporting.probe as select * from custody.transactions');
  return { database, owner };
}

function as<Found extends Row = Row>(role: { readonly url: string }, sql: string): Promise<Found[]> {
  return withClient(role.url, async (client) => (await client.query<Found>(sql)).rows);
}

/** The SQLSTATE with which the statement is refused; null where it is not. */
async function refusal(role: TestRole, sql: string): Promise<string | null> {
  const failed = await as(role, sql).then(
    () => null,
    (error: unknown) => error,
  );
  return failed instanceof Error && 'code' in failed ? String(failed.code) : null;
}

const grant = (by: { readonly url: string }, ...args: string[]) =>
  runProcess(['grant', ...args], { env: { DATABASE_URL: by.url } });

const relationsOf = async (database: TestDatabase, schemas: readonly string[]) =>
  await database.query<{ schema: string; name: string; label: string }>(
    `select n.nspname as schema, c.relname as name, format('%I.%I', n.nspname, c.relname) as label
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p', 'v', 'm') and n.nspname = any($1) order by 1, 2`,
    [schemas],
  );
const openSyncTables = ['anomalies', 'learned', 'quarantine', 'runs'];

describe('a role that was granted reading', () => {
  let mirror: OwnedMirror;
  let reader: TestRole;
  beforeAll(async () => {
    mirror = await ownedMirror();
    reader = await testRole(mirror.database);
    const granted = await grant(mirror.owner, reader.name);
    expect(granted, granted.stderr).toMatchObject({ code: 0, stderr: '' });
  });

  test('reads all of custody, reporting and the run tables of sync, and no more', async () => {
    for (const { schema, name, label } of await relationsOf(mirror.database, [
      'custody',
      'reporting',
      'sync',
      'drizzle',
    ])) {
      const open =
        schema === 'sync' ? openSyncTables.includes(name) : !['internal', 'drizzle'].includes(schema);
      expect({ label, refusal: await refusal(reader, `select * from ${label} limit 1`) }).toEqual({
        label,
        refusal: open ? null : '42501',
      });
    }
  });

  test('can write nothing: every statement that would is refused for want of a privilege', async () => {
    const relations = await relationsOf(mirror.database, [
      'custody',
      'reporting',
      'sync',
      'internal',
      'drizzle',
    ]);
    expect(relations.length).toBeGreaterThan(15);
    const found = await mirror.database.query<{ label: string }>(
      `select format('%s.%s', n.nspname, c.relname) as label
       from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind = 'v'`,
    );
    const views = new Set(found.map(({ label }) => label));
    for (const { label } of relations) {
      const writes = [
        `insert into ${label} default values`,
        `delete from ${label}`,
        `update ${label} set ${await firstColumn(mirror.database, label)} = default`,
        ...(views.has(label)
          ? []
          : [`truncate ${label}`, `begin; lock table ${label} in row exclusive mode`]),
      ];
      // 55000: nobody could write through such a view.
      const expected = views.has(label) && label !== 'reporting.probe' ? /^(42501|55000)$/ : /^42501$/;
      for (const sql of writes) expect(await refusal(reader, sql), sql).toMatch(expected);
    }
    for (const schema of ['custody', 'reporting', 'sync', 'internal', 'drizzle']) {
      const sql = `create table ${schema}.of_the_reader ()`;
      expect({ sql, refusal: await refusal(reader, sql) }).toEqual({ sql, refusal: '42501' });
    }
    for (const sql of [
      'create schema of_the_reader',
      'drop table custody.transactions',
      'drop view reporting.probe',
      "comment on table custody.transactions is 'mine'",
      'alter table custody.transactions disable trigger all',
      "select nextval('sync.runs_run_id_seq')",
      `set role ${mirror.owner.quoted}`,
    ])
      expect({ sql, refusal: await refusal(reader, sql) }).toEqual({ sql, refusal: '42501' });
  });

  test('sees the primary and foreign keys in information_schema', async () => {
    const keys = (by: { readonly url: string }) =>
      as(
        by,
        `select k.table_schema, k.table_name, k.constraint_type, string_agg(u.column_name, ', ' order by u.ordinal_position) as columns
         from information_schema.table_constraints k
         join information_schema.key_column_usage u using (constraint_schema, constraint_name, table_name)
         where k.table_schema = 'custody' or k.table_schema = 'sync' and k.table_name = any('{${openSyncTables}}')
         group by 1, 2, 3, k.constraint_name order by 1, 2, 3, 4`,
      );
    const seen = await keys(reader);
    expect(seen).toEqual(await keys(mirror.owner));
    expect(seen).toContainEqual({
      table_schema: 'custody',
      table_name: 'transactions',
      constraint_type: 'PRIMARY KEY',
      columns: 'account_id, transaction_id',
    });
    const references = `select constraint_name, unique_constraint_name from information_schema.referential_constraints
      where constraint_schema in ('custody', 'sync') order by 1`;
    expect(await as(reader, references)).toEqual(await as(mirror.owner, references));
    expect((await as(reader, references)).length).toBeGreaterThan(5);
  });

  test('reads what the owner creates later in custody and reporting, and writes that neither', async () => {
    await as(mirror.owner, 'create table custody.later (id int primary key)');
    await as(mirror.owner, 'create view reporting.later as select id from custody.later');
    await as(mirror.owner, 'create function reporting.one() returns int language sql return 1');
    await as(mirror.owner, 'revoke execute on function reporting.one() from public');
    expect(await as(reader, 'select reporting.one() as one, count(*)::int from reporting.later')).toEqual([
      { one: 1, count: 0 },
    ]);
    for (const label of ['custody.later', 'reporting.later'])
      expect(await refusal(reader, `insert into ${label} values (1)`)).toBe('42501');
    const keys =
      "select from information_schema.table_constraints where table_name = 'later' and constraint_type = 'PRIMARY KEY'";
    expect(await as(reader, keys)).toHaveLength(1);
    await as(mirror.owner, 'create table sync.later ()');
    expect(await refusal(reader, 'select from sync.later')).toBe('42501');
    expect(await grant(mirror.owner, reader.name, '--check')).toMatchObject({
      code: 0,
      stdout: `${reader.name} reads everything and writes nothing.\n`,
    });
  });

  test('may check itself', async () => {
    expect(await grant(reader, reader.name, '--check')).toMatchObject({
      code: 0,
      stderr: '',
      stdout: `${reader.name} reads everything and writes nothing.\n`,
    });
  });
});

async function firstColumn(database: TestDatabase, label: string): Promise<string> {
  const [column] = await database.query<{ name: string }>(
    'select quote_ident(attname) as name from pg_attribute where attrelid = $1::regclass and attnum = 1',
    [label],
  );
  return column?.name ?? '';
}

test('granting again, also several at once, changes nothing', async () => {
  const { database, owner } = await ownedMirror();
  const reader = await testRole(database);
  const privileges = () =>
    database.query(
      `select c.oid::regclass::text as on, c.relacl::text as acl from pg_class c where c.relacl is not null
       union all select nspname, nspacl::text from pg_namespace
       union all select defaclnamespace::regnamespace::text || defaclobjtype::text, defaclacl::text from pg_default_acl order by 1`,
    );
  const first = await grant(owner, reader.name);
  expect(first, first.stderr).toMatchObject({ code: 0, stderr: '' });
  expect(first.stdout).toMatch(
    new RegExp(
      `^${reader.name} now reads \\d+ tables and views of custody, \\d+ tables? (or view|and views) of reporting, 4 tables and views of sync, and what is added to custody and reporting later\\.\\n$`,
    ),
  );
  const granted = await privileges();
  for (const again of await Promise.all([1, 2, 3, 4].map(() => grant(owner, reader.name))))
    expect(again).toEqual(first);
  expect(await privileges()).toEqual(granted);
});

test('--check changes nothing, and tells what is lacking and what is too much', async () => {
  const { database, owner } = await ownedMirror();
  const reader = await testRole(database);
  const before = await grant(owner, reader.name, '--check');
  expect(before).toMatchObject({ code: 1, stderr: '' });
  expect(before.stdout).toMatch(/^cm_role_\w+ cannot read everything\.$/m);
  expect(before.stdout).toMatch(
    /lacks USAGE on schema custody, schema reporting, schema sync; custody-mirror grant gives it/,
  );
  expect(before.stdout).toMatch(/lacks SELECT, REFERENCES on custody\.accounts, .* and \d+ more/);
  expect(before.stdout).toMatch(/lacks SELECT on what \w+ creates in schema custody from now on, what/);
  expect(await refusal(reader, 'select from custody.accounts')).toBe('42501');

  const group = await testRole(database, { attributes: 'noinherit' });
  await database.query(`grant ${group.quoted} to ${reader.quoted}`);
  await as(owner, `grant insert, truncate on custody.vaults to ${reader.quoted}`);
  await as(owner, `grant update (name) on custody.vaults to public`);
  await as(owner, `grant delete on custody.balances, custody.accounts to ${group.quoted}`);
  await as(owner, `grant create on schema reporting to ${group.quoted}`);
  await as(owner, `grant usage on sequence sync.runs_run_id_seq to ${reader.quoted}`);
  const granted = await grant(owner, reader.name);
  expect(granted, granted.stderr).toMatchObject({ code: 0, stderr: '' });
  const warnings = [
    `also has CREATE on schema reporting, through ${group.name}`,
    `also has DELETE on custody.accounts, custody.balances, through ${group.name}`,
    `also has INSERT, TRUNCATE on custody.vaults, through ${reader.name}`,
    'also has UPDATE on custody.vaults, through PUBLIC',
    `also has USAGE on sync.runs_run_id_seq, through ${reader.name}`,
  ].map((text) => `warning: ${text}; it has to be revoked there, by hand`);
  expect(granted.stdout.trimEnd().split('\n').slice(1).toSorted()).toEqual(warnings);
  const checked = await grant(owner, reader.name, '--check');
  expect(checked).toMatchObject({ code: 1, stderr: '' });
  expect(checked.stdout.split('\n')[0]).toBe(`${reader.name} reads everything and can do more.`);
  expect(checked.stdout.trimEnd().split('\n').slice(1).toSorted()).toEqual(warnings);
  // What was granted before is still there.
  expect(await refusal(reader, 'truncate custody.vaults')).not.toBe('42501');
});

test('a predefined role that writes, a schema to create in, and a database that lets nobody in are told', async () => {
  const { database, owner } = await ownedMirror();
  const reader = await testRole(database);
  const name = new URL(database.url).pathname.slice(1);
  await database.query(`grant pg_write_all_data, pg_write_server_files to ${reader.quoted}`);
  await database.query('create schema scratch');
  await database.query(`grant create on schema scratch to ${reader.quoted}`);
  await database.query(`revoke connect on database "${name}" from public`);
  await database.query(`grant connect on database "${name}" to ${owner.quoted}`);
  const granted = await grant(owner, reader.name);
  expect(granted, granted.stderr).toMatchObject({ code: 0, stderr: '' });
  expect(granted.stdout).toContain(
    `warning: lacks CONNECT on database ${name}; the owner of the database has to grant it\n`,
  );
  expect(granted.stdout).toMatch(
    /also has DELETE, INSERT, UPDATE on .* and \d+ more, through pg_write_all_data;/,
  );
  expect(granted.stdout).toMatch(
    /also has the rights of pg_write_server_files on the server; it has to be revoked by hand/,
  );
  expect(granted.stdout).toMatch(/^note: has CREATE on schema scratch; a foreign key/m);
});

test('a role with a hostile name is quoted, not obeyed', async () => {
  const { database, owner } = await ownedMirror();
  const reader = await testRole(database, { suffix: `" "; drop schema custody; --'$1\\` });
  const granted = await grant(owner, reader.name);
  expect(granted, granted.stderr).toMatchObject({ code: 0, stderr: '' });
  expect(await as(reader, 'select count(*)::int from custody.transactions')).toEqual([{ count: 0 }]);
  expect(await refusal(reader, 'delete from custody.transactions')).toBe('42501');
});

describe('refused', () => {
  let mirror: OwnedMirror;
  beforeAll(async () => {
    mirror = await ownedMirror();
  });
  /** By both forms of the command, with a message that explains itself. */
  const refused = async (by: { readonly url: string }, role: string, message: RegExp) => {
    const runs = await Promise.all([grant(by, role), grant(by, '--check', role)]);
    for (const run of runs) {
      expect(run, run.stdout).toMatchObject({ code: 1, stdout: '' });
      expect(run.stderr).toMatch(message);
      expect(run.stderr).not.toContain('    at ');
    }
  };

  test('a role that does not exist', async () => {
    await refused(
      mirror.owner,
      'Nobody "here"',
      /^role "Nobody ""here""" does not exist .*: create it first: CREATE ROLE "Nobody ""here""" LOGIN PASSWORD '…' \(ROLE-UNUSABLE\)\n$/,
    );
    const reader = await testRole(mirror.database);
    await refused(
      mirror.owner,
      reader.name.toUpperCase(),
      new RegExp(`there is ${reader.name}, and case counts`),
    );
    const long = await testRole(mirror.database, { suffix: 'x'.repeat(45) });
    expect(long.name).toHaveLength(63);
    await refused(mirror.owner, `${long.name}y`, /does not exist/);
  });

  test('PUBLIC', async () => {
    for (const name of ['public', 'PUBLIC']) await refused(mirror.owner, name, /everybody and not a role/);
    expect(
      await mirror.database.query(
        "select from pg_namespace where nspname = 'custody' and nspacl::text like '%,=%'",
      ),
    ).toEqual([]);
  });

  test('the owner, its members, and superusers and theirs', async () => {
    const [member, chief, deputy] = await Promise.all([
      testRole(mirror.database, { attributes: 'noinherit' }),
      testRole(mirror.database, { attributes: 'superuser' }),
      testRole(mirror.database),
    ]);
    await mirror.database.query(`grant ${mirror.owner.quoted} to ${member.quoted}`);
    await mirror.database.query(`grant ${chief.quoted} to ${deputy.quoted}`);
    await refused(mirror.owner, mirror.owner.name, /can be no reader: it is the owner of the mirror/);
    await refused(
      mirror.owner,
      member.name,
      new RegExp(`is a member of ${mirror.owner.name}, the owner of the mirror`),
    );
    await refused(mirror.owner, chief.name, /can be no reader: it is a superuser/);
    await refused(mirror.owner, deputy.name, new RegExp(`is a member of ${chief.name}, a superuser`));
  });

  test('a user of the database who does not own the tables', async () => {
    const [stranger, reader] = await Promise.all([testRole(mirror.database), testRole(mirror.database)]);
    const asked = await grant(stranger, reader.name);
    expect(asked).toMatchObject({ code: 1, stdout: '' });
    expect(asked.stderr).toMatch(
      new RegExp(
        `^user ${stranger.name} of DATABASE_URL may not grant on database .*: custody\\.accounts belongs to ${mirror.owner.name}; use that user .*\\(DATABASE-REFUSED\\)\\n$`,
      ),
    );
    expect(await refusal(reader, 'select from custody.accounts')).toBe('42501');
    const member = await testRole(mirror.database);
    await mirror.database.query(`grant ${mirror.owner.quoted} to ${member.quoted}`);
    expect(await grant(member, reader.name)).toMatchObject({ code: 0, stderr: '' });
    expect(await refusal(reader, 'select from custody.accounts')).toBeNull();
  });

  test('a database that was never migrated, or not to the end', async () => {
    const empty = await testDatabase({ empty: true });
    const reader = await testRole(empty);
    await refused(empty, reader.name, /holds no mirror yet: run custody-mirror migrate \(SCHEMA-MISSING\)/);
    const behind = await testDatabase();
    await behind.query(
      'delete from drizzle.__drizzle_migrations where created_at = (select max(created_at) from drizzle.__drizzle_migrations)',
    );
    const asked = await grant(behind, reader.name);
    expect(asked).toMatchObject({ code: 1, stdout: '' });
    expect(asked.stderr).toMatch(/lacks migrations \(\w+\): run custody-mirror migrate/);
  });

  test('arguments and configuration that cannot be meant', async () => {
    for (const args of [[], [''], ['one', 'two'], ['one', '--chek']]) {
      const run = await grant(mirror.owner, ...args);
      expect(run, args.join()).toMatchObject({ code: 2, stdout: '' });
      expect(run.stderr).toContain('--help');
    }
    const unset = await runProcess(['grant', 'reader']);
    expect(unset).toMatchObject({ code: 2, stdout: '' });
    expect(unset.stderr).toMatch(/DATABASE_URL: is required/);
    const away = await grant({ url: 'postgres://nobody@127.0.0.1:1/custody' }, 'reader');
    expect(away).toMatchObject({ code: 1, stdout: '' });
    expect(away.stderr).toMatch(/DATABASE-UNREACHABLE/);
  });
});

test('a role that was granted prices writes them, and can do nothing else with the mirror', async () => {
  const { database, owner } = await ownedMirror();
  const pricer = await testRole(database);
  const granted = await grant(owner, '--prices', pricer.name);
  expect(granted).toMatchObject({ code: 0, stderr: '' });
  expect(granted.stdout).toBe(`${pricer.name} now reads and writes custody.asset_prices.\n`);
  await as(
    owner,
    "insert into custody.accounts (account_id, base_url, first_seen_at) values ('default', 'https://x.example', now())",
  );

  const price = (amount: number) =>
    `insert into custody.asset_prices (asset_id, currency, as_of, price) values ('BTC', 'USD', '2026-01-01', ${amount})
     on conflict (account_id, asset_id, currency, as_of) do update set price = excluded.price`;
  await as(pricer, price(1));
  await as(pricer, price(2));
  expect(await as(pricer, 'select price::text from custody.asset_prices')).toEqual([{ price: '2' }]);
  await as(pricer, 'delete from custody.asset_prices');

  const others = (await relationsOf(database, ['custody', 'reporting', 'sync', 'drizzle'])).filter(
    ({ label }) => label !== 'custody.asset_prices',
  );
  expect(others.length).toBeGreaterThan(30);
  for (const { label } of others)
    for (const sql of [
      `select from ${label}`,
      `delete from ${label}`,
      `update ${label} set account_id = 'x'`,
    ])
      expect(await refusal(pricer, sql), sql).toMatch(/^(42501|42703|55000)$/);
  for (const sql of [
    'truncate custody.asset_prices',
    'alter table custody.asset_prices add column x int',
    'create table custody.mine (id int)',
    'create view reporting.mine as select 1',
    'create table mine (id int references custody.asset_prices)',
  ])
    expect(await refusal(pricer, sql), sql).toBe('42501');

  expect(await grant(owner, '--check', '--prices', pricer.name)).toMatchObject({
    code: 0,
    stdout: `${pricer.name} writes custody.asset_prices and nothing else.\n`,
  });
  expect(await grant(owner, '--check', pricer.name)).toMatchObject({ code: 1 });
  await as(owner, `grant insert on custody.vaults to ${pricer.quoted}`);
  const more = await grant(owner, '--check', '--prices', pricer.name);
  expect(more).toMatchObject({ code: 1 });
  expect(more.stdout).toMatch(/can do more\.\nwarning: also has INSERT on custody\.vaults/);
  await as(owner, `revoke delete on custody.asset_prices from ${pricer.quoted}`);
  expect((await grant(owner, '--check', '--prices', pricer.name)).stdout).toMatch(
    /cannot write custody\.asset_prices.*\n.*lacks DELETE on custody\.asset_prices/,
  );
});

test('status as a reader says whose DATABASE_URL it wants, and where a reader finds the same', async () => {
  const { database, owner } = await ownedMirror();
  const reader = await testRole(database);
  expect(await grant(owner, reader.name)).toMatchObject({ code: 0 });
  const { code, stderr } = await runProcess(['status'], { env: { DATABASE_URL: reader.url } });
  expect(code).toBe(1);
  expect(stderr).toMatch(/DATABASE_URL of the daemon.*reporting\.health_problems/);
  expect(stderr).not.toContain('grant it');
  await as(reader, 'select * from reporting.health_problems');
});

test('a role that was granted fee rules writes them, with prices or without', async () => {
  const { database, owner } = await ownedMirror();
  await as(
    owner,
    "insert into custody.accounts (account_id, base_url, first_seen_at) values ('default', 'https://x.example', now())",
  );
  const writer = await testRole(database);
  expect((await grant(owner, '--fee-rules', writer.name)).stdout).toBe(
    `${writer.name} now reads and writes custody.fee_rules.\n`,
  );
  expect(await refusal(writer, 'select * from custody.asset_prices')).toBe('42501');
  expect((await grant(owner, '--prices', '--fee-rules', writer.name)).stdout).toBe(
    `${writer.name} now reads and writes custody.asset_prices and custody.fee_rules.\n`,
  );
  await as(writer, `insert into custody.fee_rules (network_id, asset_id) values ('ETH', 'ETH')`);
  expect(await as(writer, 'select network_id, asset_id from custody.fee_rules')).toEqual([
    { network_id: 'ETH', asset_id: 'ETH' },
  ]);
  expect(await grant(owner, '--check', '--prices', writer.name)).toMatchObject({ code: 1 });
  expect(await grant(owner, '--check', '--prices', '--fee-rules', writer.name)).toMatchObject({
    code: 0,
    stdout: `${writer.name} writes custody.asset_prices and custody.fee_rules and nothing else.\n`,
  });
});
