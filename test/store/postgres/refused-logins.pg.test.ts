// What stands between an address and a login: what the server says, limits in the address, costly passwords.
import { createServer } from 'node:net';
import pg from 'pg';
import { expect, test } from 'vitest';
import { diagnoseDatabase, findMisordered } from '../../../src/store/job-queries/diagnosis.ts';
import { pingDatabase } from '../../../src/store/postgres/database.ts';
import { serversOf } from '../../../src/store/postgres/server-choice.ts';
import { environment, serveSandbox } from '../../support/command.ts';
import { testDatabase } from '../../support/database.ts';
import { runHere } from '../../support/in-process.ts';
import { listening } from '../../support/listening.ts';
import { testRole } from '../../support/roles.ts';
import { open, openStore } from '../../support/store.ts';
import { waitFor } from '../../support/wait-for.ts';

const withParameter = (url: string, text: string) => `${url}${url.includes('?') ? '&' : '?'}${text}`;

test('what the server says at login is shown as its words, whatever its code', async () => {
  const { url } = await testDatabase({ empty: true });
  await expect(pingDatabase(open(withParameter(url, 'options=endpoint%3Dx')))).rejects.toMatchObject({
    code: 'DATABASE-UNREACHABLE',
    message: expect.stringMatching(/let nobody in, and said “invalid command-line argument.*” \(42601\)/),
  });
});

test('no code of a refusal lets its words reach a terminal raw, or promises that it passes', async () => {
  for (const code of ['28P01', '08P01', '53300', 'XX000', '4200\u001b']) {
    const fields = ['SFATAL', 'VFATAL', `C${code}`, 'Mno \u001b[31mentry\u0007\nhere'].map(
      (field) => `${field}\0`,
    );
    const body = Buffer.from(`${fields.join('')}\0`);
    const head = Buffer.from([69, 0, 0, 0, body.length + 4]);
    const { port } = await listening(
      createServer((socket) => socket.once('data', () => socket.end(Buffer.concat([head, body])))),
    );
    const said = await pingDatabase(open(`postgres://u:p@127.0.0.1:${port}/d`)).catch(String);
    expect(said, code).toMatch(/^[^\p{C}]*no \[31mentry here[^\p{C}]*$/u);
    expect(said, code).not.toContain('tried again');
  }
});

test('limits of sessions in the address end no transaction of the mirror', async () => {
  const { url } = await testDatabase({ empty: true });
  const database = open(withParameter(url, 'statement_timeout=1&lock_timeout=1&query_timeout=1'));
  await database.transact('slow', (tx) => tx.run('slow', (db) => db.execute('select pg_sleep(0.1)')));
});

test('the authorities of the system are named as psql names them', () => {
  const [{ connectionString }] = serversOf('postgres://u@db.example/d?sslrootcert=system');
  expect(new pg.Client({ connectionString })).toMatchObject({ ssl: {}, connectionParameters: { ssl: {} } });
  expect(connectionString).toContain('sslmode=verify-full');
  for (const mode of ['', 'disable', 'allow', 'prefer', 'require', 'verify-ca', 'no-verify'])
    for (const both of [`sslrootcert=system&sslmode=${mode}`, `sslmode=${mode}&sslrootcert=system`])
      expect(() => serversOf(`postgres://u@db.example/d?${both}`), both).toThrow(`sslmode=${mode} with`);
});

test('a missing file of certificates is named', () => {
  const fault = 'DATABASE_URL: the certificate file /nowhere/ca.crt cannot be read (ENOENT)';
  for (const name of ['sslrootcert', 'sslcert', 'sslkey'])
    expect(() => serversOf(`postgres://u:secret@db.example/d?${name}=/nowhere/ca.crt`)).toThrow(fault);
});

test('a password that the server stores with the iterations that are advised today lets in, and lets statements be cancelled', async () => {
  const database = await testDatabase({ empty: true });
  const [{ version = 0 } = {}] = await database.query<{ version: number }>(
    "select current_setting('server_version_num')::int / 10000 as version",
  );
  const role = await testRole(database);
  // Older servers cannot store more, and have no other way to ask for them.
  if (version >= 16)
    await database.query(
      `set scram_iterations = 600000; alter role ${role.quoted} password '${new URL(role.url).password}'`,
    );
  const mirror = open(role.url);
  await pingDatabase(mirror);
  const stop = new AbortController();
  const reason = new Error('nobody wants it any more');
  const work = mirror.transact('sleep', (tx) => tx.run('sleep', (db) => db.execute('select pg_sleep(600)')), {
    signal: stop.signal,
    statementTimeoutMs: 3_600_000,
  });
  const asleep = `select from pg_stat_activity where usename = '${role.name}' and wait_event = 'PgSleep'`;
  await waitFor(async () => (await database.query(asleep)).length > 0, { what: 'the statement under way' });
  stop.abort(reason);
  await expect(work).rejects.toBe(reason);
});

test('a database that this process closed is not called unreachable', async () => {
  const database = open((await testDatabase({ empty: true })).url);
  await database.close();
  await expect(pingDatabase(database)).rejects.toThrow(/this process stops/);
});

test('rights that were taken from the owner itself are found', async () => {
  const database = await testDatabase();
  const role = await testRole(database);
  await database.query(`
    do $$ declare one record; begin
      for one in select n.nspname, c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname in ('custody', 'reporting', 'sync', 'internal', 'drizzle') and c.relkind in ('r', 'v')
      loop execute format('alter table %I.%I owner to ${role.quoted}', one.nspname, one.relname); end loop;
      for one in select nspname from pg_namespace where nspname in ('custody', 'reporting', 'sync', 'internal', 'drizzle')
      loop execute format('alter schema %I owner to ${role.quoted}', one.nspname); end loop;
      for one in select p.oid::regprocedure as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
        where n.nspname in ('custody', 'reporting', 'sync', 'internal', 'drizzle')
      loop execute format('alter function %s owner to ${role.quoted}', one.name); end loop;
      alter sequence custody.change_ids owner to ${role.quoted};
    end $$`);
  const lacks = async () => (await diagnoseDatabase(open(role.url), 'UTC')).lacks;
  expect(await lacks()).toEqual([]);
  await database.query(
    `revoke update on sync.leases from ${role.quoted}; revoke usage on schema internal from ${role.quoted};
     revoke create on schema custody from ${role.quoted}; revoke select on reporting.half_erased_accounts from ${role.quoted};
     revoke usage on sequence custody.change_ids from ${role.quoted};
     revoke execute on function custody.destination_key from public, ${role.quoted}`,
  );
  expect(await lacks()).toEqual([
    'CREATE on schema custody',
    expect.stringContaining('EXECUTE on function custody.destination_key('),
    'SELECT on reporting.half_erased_accounts',
    'UPDATE on sync.leases',
    'USAGE on schema internal',
    'USAGE on sequence custody.change_ids',
  ]);
});

test('a library that sorts texts otherwise than when the indexes were built is found', async () => {
  const database = await testDatabase();
  const { collation } = await diagnoseDatabase(open(database.url), 'UTC');
  expect(collation).toBeNull();
  const changed = await database.query(
    "update pg_database set datcollversion = '0' where datname = current_database() and pg_database_collation_actual_version(oid) is not null returning 1",
  );
  const after = await diagnoseDatabase(open(database.url), 'UTC');
  // A database in the order of bytes (C) has no version.
  expect(after.collation).toEqual(
    changed.length === 0 ? null : { recorded: '0', actual: expect.any(String) },
  );
});

test('an index in another order than the server sorts by is found, whatever version is recorded', async () => {
  const { query, url } = await openStore();
  expect(await findMisordered(open(url))).toEqual([]);
  const [{ other } = { other: '' }] = await query<{ other: string }>(
    `select case when 'a' < 'B' then 'C' else 'en-x-icu' end as other`,
  );
  // Built in one order, said to be in that of the database.
  await query(`
    alter table sync.positions alter job type text collate "${other}";
    insert into sync.positions select account_id, job, '{}', now() from custody.accounts, (values ('a'), ('B')) as j (job);
    update pg_index set indcollation = '100 100' where indexrelid = 'sync.positions_pkey'::regclass;
    update pg_attribute set attcollation = 100 where attrelid in ('sync.positions'::regclass, 'sync.positions_pkey'::regclass) and attname = 'job'`);
  expect(await findMisordered(open(url))).toEqual(['sync.positions_pkey']);
  const { stdout } = await runHere(['doctor'], {
    env: environment(await serveSandbox(), { url }, { HTTP_DATABASE_URL: url }),
  });
  expect(stdout.match(/FAULT +(order of texts|HTTP_DATABASE_URL)/g)).toHaveLength(2);
});
