// Sessions that a role or a database would bend: each transaction has the settings that the mirror counts on,
// or is refused by the name of what is wrong.
import { expect, test } from 'vitest';
import { readOne } from '../../../src/store/postgres/database.ts';
import { testDatabase } from '../../support/database.ts';
import { testRole } from '../../support/roles.ts';
import { open } from '../../support/store.ts';

const bent = {
  search_path: 'public',
  extra_float_digits: '-15',
  quote_all_identifiers: 'on',
  standard_conforming_strings: 'off',
  array_nulls: 'off',
  transform_null_equals: 'on',
  bytea_output: 'escape',
  DateStyle: 'SQL, DMY',
  IntervalStyle: 'sql_standard',
  gin_fuzzy_search_limit: '1',
  exit_on_error: 'on',
  lock_timeout: '1',
  row_security: 'on',
};

const meant = {
  search_path: 'pg_catalog, pg_temp',
  extra_float_digits: '1',
  quote_all_identifiers: 'off',
  standard_conforming_strings: 'on',
  array_nulls: 'on',
  transform_null_equals: 'off',
  bytea_output: 'hex',
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  gin_fuzzy_search_limit: '0',
  exit_on_error: 'off',
  lock_timeout: '0',
  row_security: 'off',
};

async function bentRole(settings: Readonly<Record<string, string>>, attributes = '') {
  const database = await testDatabase();
  const role = await testRole(database, { attributes });
  for (const [name, value] of Object.entries(settings))
    await database.query(`alter role ${role.quoted} set ${name} = '${value}'`);
  return { database, role };
}

const settingsOf = async (url: string, names: readonly string[]) => {
  const { rows } = await readOne(open(url), 'settings', (db) =>
    db.execute<Record<string, string>>(
      `select ${names.map((name) => `current_setting('${name}') as "${name}"`).join(', ')}`,
    ),
  );
  return rows[0];
};

test('a transaction has its own settings, whatever those of the role are', async () => {
  const { role } = await bentRole(bent);
  expect(await settingsOf(role.url, Object.keys(meant))).toEqual(meant);
});

test('triggers work for a superuser whose role switches them off, and another role is refused by name', async () => {
  const replica = { session_replication_role: 'replica' };
  const { role } = await bentRole(replica, 'superuser');
  expect(await settingsOf(role.url, ['session_replication_role'])).toEqual({
    session_replication_role: 'origin',
  });
  const { role: other } = await bentRole(replica);
  await expect(settingsOf(other.url, ['lock_timeout'])).rejects.toMatchObject({
    code: 'DATABASE-REFUSED',
    message: expect.stringMatching(/session_replication_role.*ALTER ROLE … RESET/),
  });
});
