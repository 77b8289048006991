import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { withFence } from '../../../src/store/run/fence.ts';
import { acquireLease, releaseLease, renewLease } from '../../../src/store/run/leases.ts';
import { lockOutWriters, migrate } from '../../../src/store/schema/migrate.ts';
import { checkSchema, knownMigrations, pendingMigrations } from '../../../src/store/schema/migrations.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { dumpSchema } from '../../support/schema-dump.ts';
import { account, open, openStore } from '../../support/store.ts';
import { waitFor } from '../../support/wait-for.ts';
import { applyFirst } from './earlier.ts';

const names = knownMigrations().map((migration) => migration.name);

const waitingForLeases = `select from pg_locks where not granted and relation = 'sync.leases'::regclass
  and database = (select oid from pg_database where datname = current_database())`;

async function migrationsWaiting({ query }: TestDatabase): Promise<number> {
  const waiting = await query(
    `select from pg_locks where not granted and mode = 'AccessExclusiveLock' and locktype = 'relation'
     and database = (select oid from pg_database where datname = current_database())`,
  );
  return waiting.length;
}

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

test('a lock that is not to be had in time is a clear refusal that names who holds it', async () => {
  const test = await testDatabase({ empty: true });
  const holder = open(test.url, { applicationName: 'a report' });
  await holder.transact('hold', async (tx) => {
    await tx.run('hold', (db) => db.execute('select pg_advisory_xact_lock(7238514906001)'));
    await expect(migrate(open(test.url), { lockTimeoutMs: 500, maxWaitMs: 4_000 })).rejects.toMatchObject({
      code: 'DATABASE-REFUSED',
      message: expect.stringMatching(
        /held by pid \d+ \(user \w+, application a report, idle in transaction, transaction since \S+Z, last query at \S+Z\).*another process/,
      ),
    });
  });
  expect(await migrate(open(test.url))).toEqual(names);
});

test('whoever reads a table while a migration waits for it is let through again and again', async () => {
  const test = await testDatabase({ empty: true });
  await applyFirst(test, 3);
  const reader = open(test.url, { idleTransactionTimeoutMs: 600_000 });
  const read = 'select count(*) from custody.transaction_status_history';
  let migrating: Promise<readonly string[]> | undefined;
  await reader.transact('read', async (tx) => {
    await tx.run('read', (db) => db.execute(read));
    migrating = migrate(open(test.url), { lockTimeoutMs: 200, maxWaitMs: 600_000 });
    for (let times = 0; times < 3; times += 1) {
      await waitFor(async () => (await migrationsWaiting(test)) > 0);
      await test.query(read);
    }
    expect(await pendingMigrations(open(test.url))).toEqual(names.slice(3));
  });
  expect(await migrating).toEqual(names.slice(3));
});

test('a migration that fails leaves the database as it was', async () => {
  const test = await testDatabase({ empty: true });
  await applyFirst(test, 3);
  // What a later migration makes is there already.
  await test.query('create schema reporting; create table reporting.transactions (mine int)');
  const state = async () => ({
    schema: await dumpSchema(test),
    applied: await test.query('select * from drizzle.__drizzle_migrations order by id'),
  });
  const before = await state();
  await expect(migrate(open(test.url))).rejects.toThrow(/already exists/);
  expect(await state()).toEqual(before);
  await test.query('drop schema reporting cascade');
  expect(await migrate(open(test.url))).toEqual(names.slice(3));
});

test('views that others built on views which change are named, and nothing is changed', async () => {
  const test = await testDatabase({ empty: true });
  await applyFirst(test, names.indexOf('0020_unknown_is_a_value'));
  await test.query(`create schema marts; create view marts.recon as select day from reporting.reconciliation_daily;
    create view marts."Open" as select transaction_id from reporting.open_transactions`);
  const before = await dumpSchema(test);
  await expect(migrate(open(test.url))).rejects.toMatchObject({
    code: 'DATABASE-REFUSED',
    message: expect.stringMatching(/views \(marts\."Open", marts\.recon\) that others made.*drop them/),
  });
  expect(await dumpSchema(test)).toEqual(before);
  await test.query('drop view marts.recon; drop view marts."Open"');
  expect(await migrate(open(test.url))).toContain('0020_unknown_is_a_value');
});

test('a migration waits for the commit under way, and the next one of an older process writes nothing', async () => {
  const test = await openStore();
  const newer = open(test.url);
  const writes: Promise<unknown>[] = [];
  const writeWith = (label: string, meanwhile: () => Promise<void>) =>
    withFence(test.database, test.lease, label, async (tx) => {
      await meanwhile();
      await tx.run(label, (db) =>
        db.execute(sql`update sync.runs set error_code = ${label} where run_id = ${test.run.runId}::bigint`),
      );
    });
  const migrated = new AbortController();
  const migrating = { done: Promise.resolve() };
  await writeWith('first', async () => {
    // What migrate() does, with migrations that this version does not have.
    migrating.done = newer.transact('migrate', async (tx) => {
      await lockOutWriters(tx);
      writes.push(writeWith('second', async () => undefined));
      await waitFor(async () => (await test.query(waitingForLeases)).length > 0);
      migrated.abort();
      await tx.run('record', (db) =>
        db.execute(
          "insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', 4102444800000)",
        ),
      );
    });
    await waitFor(async () => (await test.query(waitingForLeases)).length > 0);
    expect(migrated.signal.aborted).toBe(false);
  });
  await migrating.done;
  await expect(Promise.all(writes)).rejects.toMatchObject({ code: 'SCHEMA-NEWER' });
  expect(await test.query('select error_code from sync.runs')).toEqual([{ error_code: 'first' }]);
  await expect(renewLease(test.database, test.lease, 60_000)).rejects.toMatchObject({ code: 'SCHEMA-NEWER' });
  const ask = (holder: string) => acquireLease(test.database, { account, holder, ttlMs: 60_000 });
  await expect(ask('standby')).rejects.toMatchObject({ code: 'SCHEMA-NEWER' });
  await releaseLease(test.database, test.lease);
  await expect(ask('next')).rejects.toMatchObject({ code: 'SCHEMA-NEWER' });
});

test('a process whose database was taken back to an older version writes nothing until it is migrated', async () => {
  const test = await openStore();
  const [last] = await test.query<{ hash: string; created_at: string }>(
    'delete from drizzle.__drizzle_migrations where id = (select max(id) from drizzle.__drizzle_migrations) returning *',
  );
  const write = () => withFence(test.database, test.lease, 'write', async () => 'written');
  await expect(write()).rejects.toMatchObject({
    code: 'SCHEMA-MISSING',
    message: expect.stringContaining(`lacks migrations (${names.at(-1)})`),
  });
  await test.query('insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)', [
    last?.hash,
    last?.created_at,
  ]);
  expect(await write()).toBe('written');
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
  await applyFirst(test, 3);
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
