import { readMigrationFiles } from 'drizzle-orm/migrator';
import { expect, test } from 'vitest';
import { migrate } from '../../src/store/migrate.ts';
import {
  checkSchema,
  knownMigrations,
  migrationsFolder,
  pendingMigrations,
} from '../../src/store/migrations.ts';
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

test('a database with histories from before their numbers is numbered and learns since when transactions are new', async () => {
  const test = await testDatabase({ empty: true });
  const files = readMigrationFiles({ migrationsFolder: migrationsFolder() });
  await test.query(`create schema drizzle;
    create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`);
  for (const { sql, hash, folderMillis } of files.slice(0, 3)) {
    for (const statement of sql) await test.query(statement);
    await test.query('insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)', [
      hash,
      folderMillis,
    ]);
  }
  await test.query(`
    insert into custody.accounts select a, 'https://custody.example', now() from unnest(array['a', 'b']) a;
    insert into custody.transactions
      (account_id, transaction_id, status, first_seen_at, status_changed_at, changed_at, content_hash, raw)
      select 'a', 't' || n, 'pending', now(), now(), now(), '', '{}' from generate_series(1, 3) n;
    insert into custody.transaction_status_history
      select 'a', 't' || n, 1, null, 'pending', now(), null, 1 from generate_series(1, 3) n;
    insert into custody.document_revisions values ('a', 'vault', 'v', 1, now(), 'added', '{}', 1);
    insert into sync.runs (account_id, job, mode, status, started_at, finished_at) values
      ('a', 'transactions', 'full', 'failed', now(), '2026-01-01T00:00Z'),
      ('a', 'balances', 'full', 'succeeded', now(), '2026-01-02T00:00Z'),
      ('a', 'transactions', 'incremental', 'succeeded', now(), '2026-01-03T00:00Z'),
      ('a', 'reconcile', 'full', 'succeeded', now(), '2026-01-04T00:00Z'),
      ('a', 'transactions', 'full', 'succeeded', now(), '2026-01-05T00:00Z')`);
  expect(await migrate(open(test.url))).toEqual(names.slice(3));
  expect(
    await test.query(
      'select account_id, time_zone, transactions_since from custody.accounts order by account_id',
    ),
  ).toEqual([
    { account_id: 'a', time_zone: 'UTC', transactions_since: new Date('2026-01-04T00:00Z') },
    { account_id: 'b', time_zone: 'UTC', transactions_since: null },
  ]);
  expect(
    await test.query(
      'select transaction_id, change_id, observed_after from custody.transaction_status_history order by change_id',
    ),
  ).toEqual(['1', '2', '3'].map((n) => ({ transaction_id: `t${n}`, change_id: n, observed_after: null })));
  expect(await test.query('select change_id, name from custody.document_revisions')).toEqual([
    { change_id: '1', name: null },
  ]);
});
