// Roles, users and databases for which `custody-mirror grant` does nothing, and says why.
import { beforeAll, describe, expect, test } from 'vitest';
import { testDatabase } from '../../../support/database.ts';
import { runHere } from '../../../support/in-process.ts';
import { testRole } from '../../../support/roles.ts';
import { grant, type OwnedMirror, ownedMirrors, refusal } from './owned-mirror.ts';

const openMirror = await ownedMirrors();

describe('grant refuses', () => {
  let mirror: OwnedMirror;
  beforeAll(async () => {
    mirror = await openMirror();
  });
  const refused = async (by: { readonly url: string }, role: string, message: RegExp) => {
    const run = await grant(by, role);
    expect(run, run.stdout).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toMatch(message);
    expect(run.stderr).not.toContain('    at ');
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
    for (const name of ['public', 'PUBLIC']) await refused(mirror.owner, name, /everybody, not a role/);
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
    const unset = await runHere(['grant', 'reader']);
    expect(unset).toMatchObject({ code: 2, stdout: '' });
    expect(unset.stderr).toMatch(/DATABASE_URL: is required/);
    const away = await grant({ url: 'postgres://nobody@127.0.0.1:1/custody' }, 'reader');
    expect(away).toMatchObject({ code: 1, stdout: '' });
    expect(away.stderr).toMatch(/DATABASE-UNREACHABLE/);
  });
});
