// A signal cancels the statement under way, and its connection goes on to serve others.
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { Database } from '../../../src/store/postgres/database.ts';
import { cancelTransaction } from '../../../src/store/postgres/response-watchdog.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { testDatabase } from '../../support/database.ts';
import { open } from '../../support/store.ts';
import { waitFor } from '../../support/wait-for.ts';

const sleeping = (database: Database, seconds: number, signal: AbortSignal) =>
  database.transact('sleep', (tx) => tx.run('sleep', (db) => db.execute(sql`select pg_sleep(${seconds})`)), {
    signal,
  });

const backend = (database: Database) =>
  database.transact('pid', (tx) =>
    tx.run(
      'pid',
      async (db) => (await db.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)).rows[0]?.pid,
    ),
  );

test('an abort ends the statement on the server with the reason of the signal, and its connection is used again', async () => {
  const { url, query } = await testDatabase();
  const database = open(url, { maxConnections: 1 });
  const pid = await backend(database);
  const stop = new AbortController();
  const asleep = sleeping(database, 600, stop.signal);
  const isAsleep = async () =>
    (
      await query<{ active: boolean }>(
        `select exists (select from pg_stat_activity where pid = ${pid} and state = 'active' and query like '%pg_sleep%') as active`,
      )
    )[0]?.active;
  await waitFor(isAsleep, { what: 'the statement under way' });
  const reason = new Error('nobody wants it any more');
  stop.abort(reason);
  await expect(asleep).rejects.toBe(reason);
  expect(await isAsleep()).toBe(false);
  expect(await backend(database)).toBe(pid);
});

test('a cancellation that comes late does not meet what the server process does by then for others', async () => {
  const { url, query } = await testDatabase();
  const other = open(url, { maxConnections: 1 });
  const pid = await backend(other);
  if (pid === undefined) throw new Error('no process');
  const asleep = sleeping(other, 1.5, new AbortController().signal);
  const since = () =>
    query<{ since: string | null }>(
      `select xact_start::text as since from pg_stat_activity where pid = ${pid} and query like '%pg_sleep%' and state = 'active'`,
    );
  await waitFor(async () => (await since()).length === 1, { what: 'the statement under way' });
  const [now] = await since();
  await cancelTransaction(url, { pid, since: '2026-01-01 00:00:00+00' });
  await expect(asleep).resolves.toBeDefined();
  const again = sleeping(other, 600, new AbortController().signal);
  await waitFor(async () => (await since()).length === 1, { what: 'the next one' });
  const [later] = await since();
  expect(later).not.toEqual(now);
  // Listened to before it ends: it may be cancelled before the cancellation is answered.
  const refused = expect(again).rejects.toMatchObject({ code: 'DATABASE-REFUSED' });
  await cancelTransaction(url, { pid, since: later?.since ?? '' });
  await refused;
});

test('nothing begins under a signal that is aborted', async () => {
  const { url } = await testDatabase();
  const database = open(url);
  let begun = 0;
  const reason = new Error('too late');
  const begin = async () => {
    begun += 1;
  };
  const work = database.transact('never', begin, { signal: AbortSignal.abort(reason) });
  await expect(work).rejects.toBe(reason);
  expect(begun).toBe(0);
});

test('a cancellation meets its own statement only, at whatever moment it comes', async () => {
  const { url } = await testDatabase();
  const database = open(url, { maxConnections: 1 });
  for (let round = 0; round < 150; round += 1) {
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(new Error('stop')), (round % 15) * 0.7);
    onCleanup(async () => clearTimeout(timer));
    await sleeping(database, 0.003, stop.signal).catch(() => undefined);
    expect(await backend(database), `round ${round}`).toBeGreaterThan(0);
  }
});
