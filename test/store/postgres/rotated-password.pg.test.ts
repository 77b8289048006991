// A password that is rotated while a process runs: the address is read again from its file.
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { Secret } from '../../../src/base/secret.ts';
import { testDatabase } from '../../support/database.ts';
import { testRole } from '../../support/roles.ts';
import { open } from '../../support/store.ts';

async function rotating() {
  const empty = await testDatabase({ empty: true });
  const { url, query } = empty;
  const role = await testRole(empty, { password: 'first' });
  const address = (password: string, database = new URL(url).pathname) =>
    Object.assign(new URL(role.url), { password, pathname: database }).href;
  let file: string | null = address('first');
  const database = open(url, { url: new Secret(file, () => file) });
  return {
    ask: () =>
      database.transact('who', (tx) =>
        tx.run('who', (db) => db.execute<{ role: string }>(sql`select current_user as role`)),
      ),
    async rotate(password: string) {
      await query(`alter role ${role.quoted} password '${password}'`);
      await query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [role.name]);
    },
    address,
    write(text: string | null) {
      file = text;
    },
  };
}

const refused = {
  code: 'DATABASE-REFUSED',
  message: expect.stringMatching(/rejected the password \(.*\): .*DATABASE_URL_FILE/),
};

test('an address whose password is refused is read again from its file', async () => {
  const { ask, rotate, address, write } = await rotating();
  await ask();
  await rotate('second');
  await expect(ask()).rejects.toMatchObject(refused);
  // Half written, or gone for the moment.
  write(null);
  await expect(ask()).rejects.toMatchObject(refused);
  write(`${address('second')}?sslmode=verify-full&sslrootcert=/nowhere/ca.pem`);
  await expect(ask()).rejects.toMatchObject(refused);
  write(address('wrong'));
  await expect(ask()).rejects.toMatchObject(refused);
  write(address('second'));
  // All of the pool at once.
  await Promise.all([ask(), ask(), ask(), ask()]);
  await rotate('third');
  write(address('third'));
  await ask();
});

test('an address that leads to another database is not taken over without a restart', async () => {
  const { ask, rotate, address, write } = await rotating();
  await ask();
  await rotate('second');
  write(address('second', 'postgres'));
  await expect(ask()).rejects.toMatchObject(refused);
  write(address('second'));
  await ask();
});
