import { expect, test } from 'vitest';
import { migrate } from '../../src/store/migrate.ts';
import { checkSchema, knownMigrations, pendingMigrations } from '../../src/store/migrations.ts';
import { testDatabase } from '../support/database.ts';
import { open } from './store.ts';

const names = knownMigrations().map((migration) => migration.name);

test('ten that start at once migrate once', async () => {
  const test = await testDatabase({ empty: true });
  const applied = await Promise.all(Array.from({ length: 10 }, () => migrate(open(test.url))));
  expect(applied.filter((list) => list.length > 0)).toEqual([names]);
  expect(await test.query('select count(*)::int as n from drizzle.__drizzle_migrations')).toEqual([
    { n: names.length },
  ]);
});

test('an unmigrated database is told apart from a migrated one', async () => {
  const test = await testDatabase({ empty: true });
  const database = open(test.url);
  expect(await pendingMigrations(database)).toEqual(names);
  await expect(checkSchema(database)).rejects.toMatchObject({ code: 'SCHEMA-MISSING' });
  await migrate(database);
  expect(await pendingMigrations(database)).toEqual([]);
  await checkSchema(database);
  expect(await migrate(database)).toEqual([]);
});

test('a database of a newer version is left alone', async () => {
  const test = await testDatabase();
  await test.query(
    "insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', 99999999999999)",
  );
  const database = open(test.url);
  await expect(checkSchema(database)).rejects.toMatchObject({ code: 'SCHEMA-NEWER' });
  await expect(migrate(database)).rejects.toMatchObject({ code: 'SCHEMA-NEWER' });
});

test('a lock that is not to be had in time is a clear refusal', async () => {
  const test = await testDatabase({ empty: true });
  const holder = open(test.url);
  await holder.transact('hold', async (tx) => {
    await tx.run('hold', (db) => db.execute('select pg_advisory_xact_lock(7238514906001)'));
    await expect(migrate(open(test.url), { lockTimeoutMs: 50 })).rejects.toMatchObject({
      code: 'DATABASE-REFUSED',
      message: expect.stringContaining('another process'),
    });
  });
  expect(await migrate(open(test.url))).toEqual(names);
});

test('a role without the privilege to create may use an up-to-date database', async () => {
  const test = await testDatabase();
  const role = `reader_${test.url.split('/').at(-1)}`.toLowerCase();
  await test.query(`create role "${role}" login password 'secret'`);
  try {
    await test.query(`grant usage on schema drizzle to "${role}"`);
    await test.query(`grant select on drizzle.__drizzle_migrations to "${role}"`);
    const url = new URL(test.url);
    url.username = role;
    url.password = 'secret';
    expect(await migrate(open(url.href))).toEqual([]);
  } finally {
    await test.query(`drop owned by "${role}"`);
    await test.query(`drop role "${role}"`);
  }
});
