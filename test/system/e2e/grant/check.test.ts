// `custody-mirror grant --check`: what a role lacks, and what it has beyond reading.
import { expect, test } from 'vitest';
import { testRole } from '../../../support/roles.ts';
import { as, grant, ownedMirrors, refusal } from './owned-mirror.ts';

const openMirror = await ownedMirrors();

test('--check changes nothing, and reports what is lacking and what is too much', async () => {
  const { database, owner } = await openMirror();
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
  ].map((text) => `warning: ${text}; revoke it there, by hand`);
  expect(granted.stdout.trimEnd().split('\n').slice(1).toSorted()).toEqual(warnings);
  const checked = await grant(owner, reader.name, '--check');
  expect(checked).toMatchObject({ code: 1, stderr: '' });
  expect(checked.stdout.split('\n')[0]).toBe(`${reader.name} reads everything and can do more.`);
  expect(checked.stdout.trimEnd().split('\n').slice(1).toSorted()).toEqual(warnings);
  // What was granted before is still there.
  expect(await refusal(reader, 'truncate custody.vaults')).not.toBe('42501');
});

test('a predefined role that writes, a schema to create in, and a database that lets nobody in are reported', async () => {
  const { database, owner } = await openMirror();
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
    `warning: lacks CONNECT on database ${name}; the database owner has to grant it\n`,
  );
  expect(granted.stdout).toMatch(
    /also has DELETE, INSERT, UPDATE on .* and \d+ more, through pg_write_all_data;/,
  );
  expect(granted.stdout).toMatch(
    /also has the rights of pg_write_server_files on the server; revoke it by hand/,
  );
  expect(granted.stdout).toMatch(/^note: has CREATE on schema scratch; a foreign key/m);
});
