import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createClock } from '../../../src/base/clock.ts';
import { acquireLease, releaseLease, renewLease, withFence } from '../../../src/store/run/leases.ts';
import { lockOutWriters, migrate } from '../../../src/store/schema/migrate.ts';
import { checkSchema, knownMigrations, pendingMigrations } from '../../../src/store/schema/migrations.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { environment } from '../../support/command.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { longTest } from '../../support/form.ts';
import { runHere } from '../../support/in-process.ts';
import { laterMigrations } from '../../support/later-version.ts';
import { testRole } from '../../support/roles.ts';
import { dumpSchema } from '../../support/schema-dump.ts';
import { account, open, openStore } from '../../support/store.ts';
import { waitFor } from '../../support/wait-for.ts';

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

test('a database whose encoding cannot hold every text is refused, and left as it was', async () => {
  const test = await testDatabase({ empty: true });
  const name = `${new URL(test.url).pathname.slice(1)}_ascii`;
  await test.query(`create database ${name} encoding 'SQL_ASCII' locale 'C' template template0`);
  onCleanup(async () => void (await test.query(`drop database ${name} with (force)`)));
  const url = new URL(test.url);
  url.pathname = name;
  const database = open(url.href);
  await expect(migrate(database)).rejects.toMatchObject({
    code: 'DATABASE-REFUSED',
    message: expect.stringContaining('has the encoding SQL_ASCII, which cannot hold every text'),
  });
  expect(await pendingMigrations(database)).toEqual(names);
});

longTest('a lock that is not to be had in time is a clear refusal that names who holds it', async () => {
  const test = await testDatabase({ empty: true });
  const holder = open(test.url, { applicationName: 'a report' });
  await holder.transact('hold', async (tx) => {
    await tx.run('hold', (db) => db.execute('create schema drizzle'));
    await expect(migrate(open(test.url), { lockTimeoutMs: 500, maxWaitMs: 4_000 })).rejects.toMatchObject({
      code: 'DATABASE-REFUSED',
      message: expect.stringMatching(
        /held by pid \d+ \(user \w+, application a report, idle in transaction, transaction since \S+Z, last query at \S+Z\).*another process/,
      ),
    });
  });
});

test('a database from before the first release is refused by name, and left as it was', async () => {
  const test = await testDatabase({ empty: true });
  // As the first build with migrations left it, its tables aside.
  await test.query(`create schema custody; create table custody.accounts (account_id text);
    create schema drizzle; create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint);
    insert into drizzle.__drizzle_migrations (hash, created_at) values ('of its first migration', 1795153093747)`);
  const before = await dumpSchema(test);
  const database = open(test.url);
  for (const ask of [migrate, pendingMigrations, checkSchema])
    await expect(ask(database), ask.name).rejects.toMatchObject({
      code: 'DATABASE-REFUSED',
      message: expect.stringMatching(
        /from before its first release.*nothing was changed.*new, empty database/,
      ),
    });
  expect(await dumpSchema(test)).toEqual(before);
});

test.each([['migrate'], ['run'], ['sync'], ['doctor'], ['status']])(
  '%s refuses the tables of an earlier, unreleased baseline, and says what to do',
  async (command) => {
    const test = await testDatabase();
    await test.query('update drizzle.__drizzle_migrations set created_at = created_at - 1');
    const env = environment({ url: 'http://127.0.0.1:1024' }, test);
    const { code, stdout, stderr } = await runHere([command], { env });
    expect(code).not.toBe(0);
    expect(`${stdout}${stderr}`.replace(/\s+/g, ' ')).toMatch(
      /from before its first release.*name a new, empty database/,
    );
  },
);

test('a process whose database was replaced by one from before the first release writes nothing', async () => {
  const test = await openStore();
  await test.query('update drizzle.__drizzle_migrations set created_at = 1795153093747 + id');
  const write = withFence(test.database, test.lease, 'write', async () => 'written');
  await expect(write).rejects.toMatchObject({
    code: 'DATABASE-REFUSED',
    message: expect.stringContaining('from before its first release'),
  });
});

test('a reader of a table for which a migration waits is let through again and again', async () => {
  const test = await testDatabase();
  const folder = laterMigrations({
    '9999_later': 'alter table custody.transaction_status_history add column later text',
  });
  const reader = open(test.url, { idleTransactionTimeoutMs: 600_000 });
  const read = 'select count(*) from custody.transaction_status_history';
  let migrating: Promise<readonly string[]> | undefined;
  await reader.transact('read', async (tx) => {
    await tx.run('read', (db) => db.execute(read));
    migrating = migrate(open(test.url), { folder, lockTimeoutMs: 200, maxWaitMs: 600_000 });
    for (let times = 0; times < 3; times += 1) {
      await waitFor(async () => (await migrationsWaiting(test)) > 0);
      await test.query(read);
    }
    expect(await pendingMigrations(open(test.url), folder)).toEqual(['9999_later']);
  });
  expect(await migrating).toEqual(['9999_later']);
});

test('a migration is recorded behind the others, also where the sequence was not carried over', async () => {
  const test = await testDatabase();
  const later = { '9997_one': 'select 1', '9998_two': 'select 1' };
  await migrate(open(test.url), { folder: laterMigrations(later) });
  await test.query("select setval('drizzle.__drizzle_migrations_id_seq', 1, false)");
  const folder = laterMigrations({ ...later, '9999_three': 'select 1' });
  expect(await migrate(open(test.url), { folder })).toEqual(['9999_three']);
});

test('a migration that fails leaves the database as it was, with none of those before it', async () => {
  const failing = laterMigrations({
    '9998_later': 'create table custody.later (account_id text)',
    '9999_fails': 'create table custody.half (account_id text); create table custody.transactions (mine int)',
  });
  for (const empty of [true, false]) {
    const test = await testDatabase({ empty });
    const before = await dumpSchema(test);
    const applied = empty ? 0 : names.length;
    await expect(migrate(open(test.url), { folder: failing })).rejects.toThrow(/already exists/);
    expect(await dumpSchema(test)).toEqual(before);
    expect(await migrate(open(test.url))).toEqual(names.slice(applied));
  }
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
      const second = writeWith('second', async () => undefined);
      // It may be refused before the migration is known to have ended.
      second.catch(() => undefined);
      writes.push(second);
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
  await expect(renewLease(test.database, test.lease)).rejects.toMatchObject({ code: 'SCHEMA-NEWER' });
  const ask = (holder: string) =>
    acquireLease(test.database, { account, holder, ttlMs: 60_000, clock: createClock() });
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
  const role = await testRole(test);
  await test.query(`grant usage on schema drizzle to ${role.quoted}`);
  await test.query(`grant select on drizzle.__drizzle_migrations to ${role.quoted}`);
  expect(await migrate(open(role.url))).toEqual([]);
});
