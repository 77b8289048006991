// `custody-mirror grant`: a role that reads everything, sees the keys, and writes nothing, as PostgreSQL
// itself decides when that role is connected.
import { beforeAll, describe, expect, test } from 'vitest';
import type { TestDatabase } from '../../../support/database.ts';
import { runHere } from '../../../support/in-process.ts';
import { type TestRole, testRole } from '../../../support/roles.ts';
import { as, grant, type OwnedMirror, ownedMirrors, refusal, refusals, relationsOf } from './owned-mirror.ts';

const openMirror = await ownedMirrors();

const openSyncTables = ['anomalies', 'expectations', 'learned', 'leases', 'quarantine', 'runs'];

describe('a role that was granted reading', () => {
  let mirror: OwnedMirror;
  let reader: TestRole;
  beforeAll(async () => {
    mirror = await openMirror();
    reader = await testRole(mirror.database);
    const granted = await grant(mirror.owner, reader.name);
    expect(granted, granted.stderr).toMatchObject({ code: 0, stderr: '' });
  });

  test('reads all of custody, reporting and the run tables of sync, and no more', async () => {
    const relations = await relationsOf(mirror.database, ['custody', 'reporting', 'sync', 'drizzle']);
    const read = (label: string) => `select * from ${label} limit 1`;
    const told = await refusals(
      reader,
      relations.map(({ label }) => read(label)),
    );
    const isOpen = ({ schema, name }: { readonly schema: string; readonly name: string }) =>
      schema === 'sync' ? openSyncTables.includes(name) : schema !== 'drizzle';
    expect(told).toEqual(
      relations.map((relation) => ({ sql: read(relation.label), code: isOpen(relation) ? null : '42501' })),
    );
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
      for (const { sql, code } of await refusals(reader, writes)) expect(code, sql).toMatch(expected);
    }
    const schemas = ['custody', 'reporting', 'sync', 'internal', 'drizzle'];
    const others = [
      ...schemas.map((schema) => `create table ${schema}.of_the_reader ()`),
      'create schema of_the_reader',
      'drop table custody.transactions',
      'drop view reporting.probe',
      "comment on table custody.transactions is 'mine'",
      'alter table custody.transactions disable trigger all',
      "select nextval('sync.runs_run_id_seq')",
      `set role ${mirror.owner.quoted}`,
    ];
    expect(await refusals(reader, others)).toEqual(others.map((sql) => ({ sql, code: '42501' })));
  });

  test('refers to no table from a schema of its own: adding the key would hold the mirror up', async () => {
    await mirror.database.query(`create schema marts authorization ${reader.quoted}`);
    const tables = (await relationsOf(mirror.database, ['custody', 'sync'])).map(
      ({ label }) => `create table marts.mine (id text references ${label})`,
    );
    expect(await refusals(reader, tables)).toEqual(tables.map((sql) => ({ sql, code: '42501' })));
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
    await as(mirror.owner, 'create table sync.later ()');
    expect(await refusal(reader, 'select from sync.later')).toBe('42501');
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
  const { database, owner } = await openMirror();
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
      `^${reader.name} now reads \\d+ tables and views of custody, \\d+ tables? (or view|and views) of reporting, 6 tables and views of sync, and whatever is added to custody and reporting later\\.\\n$`,
    ),
  );
  const granted = await privileges();
  for (const again of await Promise.all([1, 2, 3, 4].map(() => grant(owner, reader.name))))
    expect(again).toEqual(first);
  expect(await privileges()).toEqual(granted);
});

test('a role with a hostile name is quoted, not obeyed', async () => {
  const { database, owner } = await openMirror();
  const reader = await testRole(database, { suffix: `" "; drop schema custody; --'$1\\` });
  const granted = await grant(owner, reader.name);
  expect(granted, granted.stderr).toMatchObject({ code: 0, stderr: '' });
  expect(await as(reader, 'select count(*)::int from custody.transactions')).toEqual([{ count: 0 }]);
  expect(await refusal(reader, 'delete from custody.transactions')).toBe('42501');
});

test('status as a reader says whose DATABASE_URL it wants, and where a reader finds the same', async () => {
  const { database, owner } = await openMirror();
  const reader = await testRole(database);
  expect(await grant(owner, reader.name)).toMatchObject({ code: 0 });
  const { code, stderr } = await runHere(['status'], { env: { DATABASE_URL: reader.url } });
  expect(code).toBe(1);
  expect(stderr).toMatch(/DATABASE_URL of the daemon.*reporting\.health_problems/);
  expect(stderr).not.toContain('grant it');
  await as(reader, 'select * from reporting.health_problems');
});

test('a role that may not connect is told so', async () => {
  const { database, owner } = await openMirror();
  const reader = await testRole(database);
  const name = new URL(database.url).pathname.slice(1);
  await database.query(`revoke connect on database "${name}" from public`);
  await database.query(`grant connect on database "${name}" to ${owner.quoted}`);
  const granted = await grant(owner, reader.name);
  expect(granted, granted.stderr).toMatchObject({ code: 0, stderr: '' });
  expect(granted.stdout).toMatch(
    /\.\nIt may not connect to the database yet: the database owner has to grant it\.\n$/,
  );
});
