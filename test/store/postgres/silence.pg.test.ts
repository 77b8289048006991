// A server that says nothing, and one that is slow, as somebody sees them who waits for the answer.
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { Database } from '../../../src/store/postgres/database.ts';
import { testDatabase } from '../../support/database.ts';
import { openGate } from '../../support/gate.ts';
import { urlOf, withClient } from '../../support/server.ts';
import { open } from '../../support/store.ts';
import { waitFor } from '../../support/wait-for.ts';

/** The limit of statements is far beyond the time of a test. */
const awaited = { readOnly: true, statementTimeoutMs: 600_000 };
const unreachable = { code: 'DATABASE-UNREACHABLE' };

const sleep = (database: Database, seconds: number) =>
  database.transact('sleep', (tx) =>
    tx.run('sleep', (db) => db.execute(sql`select pg_sleep(${seconds}) is not null as slept`)),
  );

async function behindGate(options: Partial<Parameters<typeof open>[1]> = {}) {
  const { url, query } = await testDatabase();
  const gate = await openGate(url);
  return { gate, query, database: open(gate.url, { ...awaited, maxConnections: 1, ...options }) };
}

test('a server that says nothing fails what is under way, what begins, and what waits for a connection', async () => {
  const { gate, database } = await behindGate({ statementTimeoutMs: 500 });
  const underWay = database.transact('under-way', async (tx) => {
    await tx.run('first', (db) => db.execute(sql`select 1`));
    gate.set('hang');
    await tx.run('second', (db) => db.execute(sql`select 2`));
  });
  const waiting = sleep(database, 0);
  const outcomes = await Promise.allSettled([underWay, waiting]);
  expect(outcomes).toMatchObject([
    {
      reason: { ...unreachable, message: expect.stringContaining('did not answer (second) within 5.5 s') },
    },
    { reason: unreachable },
  ]);
  await expect(sleep(database, 0)).rejects.toMatchObject({
    ...unreachable,
    message: expect.stringContaining('accepted a connection and then did not answer'),
  });
  gate.set('pass');
  await waitFor(async () => await sleep(database, 0).catch(() => false), { what: 'an answer' });
});

test('a connection that stood idle when the server fell silent is found out', async () => {
  const { gate, database } = await behindGate();
  await sleep(database, 0);
  gate.set('hang');
  await expect(sleep(database, 0)).rejects.toMatchObject(unreachable);
});

test('where new connections work, a statement under way over a lost one is given up and cancelled', async () => {
  const { gate, query, database } = await behindGate({ maxConnections: 2 });
  await Promise.all([sleep(database, 0.1), sleep(database, 0.1)]);
  const asleep = `select from pg_stat_activity where state = 'active' and query like 'select pg_sleep%'
    and datname = current_database()`;
  const isAsleep = async () => (await query(asleep)).length > 0;
  const underWay = sleep(database, 500).then(
    () => null,
    (error: unknown) => error,
  );
  await waitFor(isAsleep, { what: 'the statement under way' });
  gate.forget();
  expect((await sleep(database, 0)).rows).toEqual([{ slept: true }]);
  expect(await underWay).toMatchObject(unreachable);
  await waitFor(async () => !(await isAsleep()), { what: 'the end of the statement' });
});

test('a slow answer is waited for, and so is a connection that others use', async () => {
  const { database } = await behindGate();
  const answers = await Promise.all([sleep(database, 3), sleep(database, 3)]);
  expect(answers.map(({ rows }) => rows)).toEqual([[{ slept: true }], [{ slept: true }]]);
});

test('a server that lets no further connection in is slow, not silent', async () => {
  const test = await testDatabase();
  const database = open(test.url, { ...awaited, maxConnections: 1 });
  await sleep(database, 0);
  const name = new URL(test.url).pathname.slice(1);
  await withClient(urlOf(test.url, 'postgres'), (client) =>
    client.query(`alter database ${name} allow_connections false`),
  );
  expect((await sleep(database, 3)).rows).toEqual([{ slept: true }]);
});
