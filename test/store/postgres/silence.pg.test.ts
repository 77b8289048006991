// A server that says nothing, and one that is slow, as somebody sees them who waits for the answer. The
// limits of statements here are far beyond the time of a test.
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { Database } from '../../../src/store/postgres/database.ts';
import { testDatabase } from '../../support/database.ts';
import { openGate } from '../../support/gate.ts';
import { urlOf, withClient } from '../../support/server.ts';
import { open } from '../../support/store.ts';
import { waitFor } from '../../support/wait-for.ts';

const awaited = { failsWhenSilent: true, readOnly: true, statementTimeoutMs: 600_000 };
const unreachable = { code: 'DATABASE-UNREACHABLE' };

const sleep = (database: Database, seconds: number) =>
  database.transact('sleep', (tx) =>
    tx.run('sleep', (db) => db.execute(sql`select pg_sleep(${seconds}) is not null as slept`)),
  );

async function behindGate(maxConnections = 1) {
  const gate = await openGate((await testDatabase()).url);
  return { gate, database: open(gate.url, { ...awaited, maxConnections }) };
}

test('a server that says nothing fails what is under way, what begins, and what waits for a connection', async () => {
  const { gate, database } = await behindGate();
  const underWay = database.transact('under-way', async (tx) => {
    await tx.run('first', (db) => db.execute(sql`select 1`));
    gate.set('hang');
    await tx.run('second', (db) => db.execute(sql`select 2`));
  });
  const waiting = sleep(database, 0);
  await expect(underWay).rejects.toMatchObject({
    ...unreachable,
    message: expect.stringContaining('did not answer (second)'),
  });
  await expect(waiting).rejects.toMatchObject(unreachable);
  await expect(sleep(database, 0)).rejects.toMatchObject({
    ...unreachable,
    message: expect.stringMatching(/does not answer, and lets no new connection in/),
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

test('what one pool finds out, the others of the same database know', async () => {
  const { gate, database } = await behindGate();
  const other = open(gate.url, { ...awaited, maxConnections: 1 });
  await Promise.all([sleep(database, 0), sleep(other, 0)]);
  // New connections work: only those that are there are lost.
  gate.forget();
  await expect(sleep(database, 0)).rejects.toMatchObject({
    ...unreachable,
    message: expect.stringContaining('did not answer (begin)'),
  });
  expect((await sleep(other, 0)).rows).toEqual([{ slept: true }]);
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

test('who does not ask for it waits for the limit of the statement', async () => {
  const gate = await openGate((await testDatabase()).url);
  const database = open(gate.url, { statementTimeoutMs: 100 });
  await sleep(database, 0);
  gate.set('hang');
  await expect(sleep(database, 0)).rejects.toMatchObject({
    ...unreachable,
    message: expect.stringContaining('did not answer (begin) within 5.1 s'),
  });
});
