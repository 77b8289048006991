// A database that has no connection left: work waits for one that its pool has, or for one that another
// process gives back.
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { Database } from '../../../src/store/postgres/database.ts';
import { testDatabase } from '../../support/database.ts';
import { testRole } from '../../support/roles.ts';
import { open } from '../../support/store.ts';
import { waitFor } from '../../support/wait-for.ts';

const ask = (database: Database, signal?: AbortSignal) =>
  database.transact(
    'ask',
    (tx) => tx.run('ask', (db) => db.execute(sql`select pg_sleep(0.1)`)),
    signal === undefined ? {} : { signal },
  );

/** A database and a role of it that may open so many connections. */
async function limited(connections: number) {
  const mirror = await testDatabase();
  const role = await testRole(mirror, { attributes: `connection limit ${connections}` });
  const limit = (to: number) => mirror.query(`alter role ${role.quoted} connection limit ${to}`);
  return { ...mirror, limit, role, opened: () => open(role.url) };
}

test('what finds no connection left waits for one of its own pool', async () => {
  const { opened } = await limited(1);
  const database = opened();
  await ask(database);
  const done = await Promise.all(Array.from({ length: 12 }, () => ask(database)));
  expect(done).toHaveLength(12);
});

test('where its pool has none either, it waits until another process gives one back, or a stop', async () => {
  const { opened, limit, query, role } = await limited(1);
  const database = opened();
  await ask(database);
  const sessions = 'select pg_terminate_backend(pid) from pg_stat_activity where usename = $1';
  await limit(0);
  await query(sessions, [role.name]);
  await waitFor(async () => (await query(sessions, [role.name])).length === 0);
  const stop = new AbortController();
  const stopped = ask(database, stop.signal);
  const waiting = ask(database);
  stop.abort(new Error('asked to stop'));
  await expect(stopped).rejects.toThrow('asked to stop');
  await limit(1);
  await waiting;
});

test('a database that never admitted it is said to be full at once', async () => {
  const { opened } = await limited(0);
  await expect(ask(opened())).rejects.toMatchObject({
    code: 'DATABASE-UNREACHABLE',
    message: expect.stringContaining('has no connection left'),
  });
});
