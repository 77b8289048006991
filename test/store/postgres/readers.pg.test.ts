// The database as readers have it: read only and limited in each transaction, sent at once, with some
// statements that the server keeps.
import { connect, createServer, type Socket } from 'node:net';
import { sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { expect, test } from 'vitest';
import { type Database, readOne } from '../../../src/store/postgres/database.ts';
import { isDatabaseOffline } from '../../../src/store/postgres/database-errors.ts';
import type { PlanHint } from '../../../src/store/postgres/transaction.ts';
import { testDatabase } from '../../support/database.ts';
import { listening } from '../../support/listening.ts';
import { open } from '../../support/store.ts';

const reading = (url: string, options = {}) => open(url, { readOnly: true, maxConnections: 1, ...options });
const one = sql`select 'one' as one`;
const ask = (database: Database, statement = one, hint?: PlanHint) =>
  database.transact('ask', (tx) => tx.ask('ask', statement, hint));

test('each transaction has its limits', async () => {
  const database = reading((await testDatabase()).url, { statementTimeoutMs: 12_345 });
  const [limits] = await ask(
    database,
    sql`select current_setting('transaction_read_only') as read_only, current_setting('statement_timeout') as longest,
      now() = statement_timestamp() as is_implicit`,
  );
  expect(limits).toEqual({
    read_only: 'on',
    longest: '12345ms',
    is_implicit: false,
  });
});

test('it cannot write, ends when it takes too long, and leaves its connection without a transaction', async () => {
  const database = reading((await testDatabase()).url, { statementTimeoutMs: 100 });
  await expect(ask(database, sql`delete from sync.runs`)).rejects.toMatchObject({ code: 'DATABASE-REFUSED' });
  await expect(ask(database, sql`select pg_sleep(60)`)).rejects.toMatchObject({ code: 'DATABASE-REFUSED' });
  await expect(ask(database, sql`select 1 / 0`)).rejects.toThrow('division by zero');
  expect(await ask(database)).toEqual([{ one: 'one' }]);
});

test('a signal ends a statement, and the connection is good for the next', async () => {
  const database = reading((await testDatabase()).url);
  const stop = new AbortController();
  const sleeping = database.transact('sleep', (tx) => tx.ask('sleep', sql`select pg_sleep(60)`), {
    signal: stop.signal,
  });
  stop.abort(new Error('left'));
  await expect(sleeping).rejects.toThrow('left');
  expect(await ask(database)).toEqual([{ one: 'one' }]);
});

test('the beginning and the first statement are sent before any of them is answered', async () => {
  const database = reading(await withholdingProxy((await testDatabase()).url));
  expect(await ask(database)).toEqual([{ one: 'one' }]);
});

test.each<[string, (db: NodePgDatabase) => PromiseLike<unknown>]>([
  ['of a builder', (db) => db.select({ one: sql`'one'` }).from(sql`(values (1)) as v`)],
  ['as text', async (db) => (await db.execute(one)).rows],
])('what a writer reads with one statement is sent in the same way, %s', async (_, statement) => {
  const writing = open(await withholdingProxy((await testDatabase()).url), { maxConnections: 1 });
  expect(await readOne(writing, 'one', statement)).toEqual([{ one: 'one' }]);
});

test('one statement that is to read cannot write, though the database is a writer of the mirror', async () => {
  const writing = open((await testDatabase()).url, { maxConnections: 1 });
  const remove = readOne(writing, 'remove', (db) => db.execute(sql`delete from sync.runs`));
  await expect(remove).rejects.toThrow('read-only transaction');
  expect(await readOne(writing, 'one', (db) => db.execute(one))).toMatchObject({ rows: [{ one: 'one' }] });
});

test('a connection that ends takes its transaction with it', async () => {
  const database = reading((await testDatabase()).url);
  const error = await ask(database, sql`select pg_terminate_backend(pg_backend_pid())`).catch(
    (reason: unknown) => reason,
  );
  expect(isDatabaseOffline(error)).toBe(true);
  expect(await ask(database)).toEqual([{ one: 'one' }]);
});

const kept = async (database: Database) =>
  (
    await database.transact('kept', (tx) =>
      tx.run('kept', (db) =>
        db.execute(
          sql`select generic_plans::int as generic, custom_plans::int as custom from pg_prepared_statements`,
        ),
      ),
    )
  ).rows;

test('a statement that takes long to plan is kept, with one plan for all values; no other is', async () => {
  const database = reading((await testDatabase()).url);
  for (let time = 0; time < 3; time += 1) {
    await ask(database);
    await database.transact('long', async (tx) => {
      await tx.ask('long', sql`select ${`value ${time}`}::text as long`, 'once');
      const [mode] = await tx.ask('mode', sql`select current_setting('plan_cache_mode') as mode`);
      expect(mode).toEqual({ mode: 'auto' });
    });
  }
  expect(await kept(database)).toEqual([{ generic: 3, custom: 0 }]);
  const broken = ask(database, sql`select 1 / ${'0'}::int as broken`, 'once');
  await expect(broken).rejects.toThrow('division by zero');
  expect(await ask(database)).toEqual([{ one: 'one' }]);
});

test('where another server connection turns up behind a pooler, no statement is kept from then on', async () => {
  const database = reading((await testDatabase()).url);
  await ask(database, one, 'once');
  expect(await kept(database)).toHaveLength(1);
  await database.transact('lose', (tx) => tx.run('lose', (db) => db.execute(sql`deallocate all`)));
  for (let time = 0; time < 3; time += 1) expect(await ask(database, one, 'once')).toEqual([{ one: 'one' }]);
  expect(await kept(database)).toEqual([]);
});

test('a migration that changes what a kept statement answers is not noticed by readers', async () => {
  const { url } = await testDatabase();
  const writer = open(url);
  const change = (text: string) =>
    writer.transact('change', (tx) => tx.run('change', (db) => db.execute(text)));
  await change('create view public.shown as select 1 as one');
  const database = reading(url);
  expect(await ask(database, sql`select * from public.shown`, 'once')).toEqual([{ one: 1 }]);
  expect(await kept(database)).toHaveLength(1);
  await change('create or replace view public.shown as select 1 as one, 2 as two');
  expect(await ask(database, sql`select * from public.shown`, 'once')).toEqual([{ one: 1, two: 2 }]);
});

/** Lets no answer pass from the beginning of a transaction until a statement that selects has come. */
async function withholdingProxy(url: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const server = createServer((client: Socket) => {
    const upstream = connect(Number(port), hostname);
    let withheld: Buffer[] | null = null;
    client.on('data', (data) => {
      const text = data.toString('latin1');
      if (text.includes('begin isolation')) withheld = [];
      upstream.write(data);
      if (!text.includes("select 'one'")) return;
      for (const part of withheld ?? []) client.write(part);
      withheld = null;
    });
    upstream.on('data', (data) => (withheld === null ? client.write(data) : withheld.push(data)));
    for (const socket of [client, upstream]) socket.on('error', () => undefined);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  const own = await listening(server);
  return Object.assign(new URL(url), { port: String(own.port) }).href;
}
