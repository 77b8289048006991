// Statements that are sent before those before them are answered: their order, and what is told and written
// when one fails.
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { PlanHint, Tx } from '../../../src/store/postgres/transaction.ts';
import { withFence } from '../../../src/store/run/leases.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { testDatabase } from '../../support/database.ts';
import { openGate } from '../../support/gate.ts';
import { capturingLogger } from '../../support/loggers.ts';
import { open, openStore } from '../../support/store.ts';

async function openList() {
  const test = await testDatabase({ empty: true });
  await test.query('create table list (number int primary key)');
  const numbers = async () =>
    (await test.query<{ number: number }>('select number from list order by 1')).map((row) => row.number);
  return { database: open(test.url), numbers };
}

const add = (tx: Tx, number: number) =>
  tx.send(`add-${number}`, () => sql`insert into public.list values (${number})`);

test('what is sent is written in its order, and committed before the transaction has ended', async () => {
  const { database, numbers } = await openList();
  const seen = await database.transact('unit', async (tx) => {
    for (let number = 0; number < 50; number += 1) add(tx, number);
    tx.send('double', () => sql`update public.list set number = number + 100`);
    add(tx, 7);
    const rows = await tx.ask<{ count: string }>(
      'count',
      sql`select count(*)::text as count from public.list`,
    );
    add(tx, 8);
    return rows[0]?.count;
  });
  expect(seen).toBe('51');
  expect(await numbers()).toEqual([7, 8, ...Array.from({ length: 50 }, (_, index) => index + 100)]);
});

test('when what was sent fails, nothing is written, and the first failure is reported, not that of what came after', async () => {
  const { database, numbers } = await openList();
  const failing = (rest: (tx: Tx) => Promise<unknown>) =>
    database.transact('unit', async (tx) => {
      add(tx, 1);
      tx.send('bad', () => sql`insert into public.list values (1)`);
      tx.send('worse', () => sql`select 1 / 0`);
      return await rest(tx);
    });
  const told = { message: expect.stringMatching(/^statement bad failed .*duplicate key/) };
  await expect(failing(async () => 'done')).rejects.toMatchObject(told);
  await expect(failing((tx) => tx.ask('after', sql`select 1`))).rejects.toMatchObject(told);
  await expect(failing((tx) => tx.run('after', (db) => db.execute(sql`select 1`)))).rejects.toMatchObject(
    told,
  );
  await expect(
    failing(async () => {
      throw new Error('of our own');
    }),
  ).rejects.toMatchObject(told);
  expect(await numbers()).toEqual([]);
  // The connection is left clean.
  await database.transact('unit', async (tx) => add(tx, 3));
  expect(await numbers()).toEqual([3]);
});

test('a failure of our own after what was sent writes nothing', async () => {
  const { database, numbers } = await openList();
  const failing = database.transact('unit', async (tx) => {
    add(tx, 1);
    throw new Error('of our own');
  });
  await expect(failing).rejects.toThrow('of our own');
  expect(await numbers()).toEqual([]);
});

test('what was sent is sent again when the transaction is repeated after a conflict', async () => {
  const { database, numbers } = await openList();
  let tries = 0;
  await database.transact('unit', async (tx) => {
    tries += 1;
    add(tx, tries);
    if (tries < 3)
      tx.send('fail', () => sql.raw(`do $$ begin raise exception 'made up' using errcode = '40001'; end $$`));
  });
  expect(tries).toBe(3);
  expect(await numbers()).toEqual([3]);
});

test('nothing is written after the end', async () => {
  const { database, numbers } = await openList();
  let kept: Tx | undefined;
  await database.transact('late', async (tx) => {
    kept = tx;
  });
  expect(() => kept !== undefined && add(kept, 2)).toThrow('transaction late is over');
  expect(await numbers()).toEqual([]);
});

test('work that throws while the beginning fails leaves no rejection that nobody hears', async () => {
  const { database } = await openList();
  const unheard: unknown[] = [];
  const hear = (reason: unknown) => void unheard.push(reason);
  process.on('unhandledRejection', hear);
  onCleanup(async () => void process.off('unhandledRejection', hear));
  let asked = 0;
  const work = () => {
    asked += 1;
    throw new Error('refused');
  };
  // The server refuses to begin: it has no such limit.
  const late = database.transact('late', work, { readOnly: true, statementTimeoutMs: -1 });
  await expect(late).rejects.toThrow();
  await new Promise((resolve) => setImmediate(resolve));
  expect(asked).toBe(1);
  expect(unheard).toEqual([]);
});

test('what fails before it reaches the server fails the transaction all the same', async () => {
  const { database, numbers } = await openList();
  const unwritable = {
    toPostgres() {
      throw new RangeError('no room for the value');
    },
  };
  const half = database.transact('unit', async (tx) => {
    add(tx, 1);
    tx.send('unwritable', () => sql`insert into public.list values (${unwritable})`);
    add(tx, 3);
  });
  await expect(half).rejects.toThrow('no room for the value');
  expect(await numbers()).toEqual([]);
});

test('without its beginning a fenced transaction does nothing', async () => {
  const store = await openStore();
  await store.query('create table public.list (number int primary key)');
  const gate = await openGate(store.url);
  const database = open(gate.url);
  let works = 0;
  const write = () =>
    withFence(database, store.lease, 'unit', async (tx) => {
      works += 1;
      await tx.run('write', (db) => db.execute(sql`insert into public.list values (1)`));
    });
  await database.transact('warm', (tx) => tx.ask('warm', sql`select 1`));
  gate.spoilNext('begin isolation');
  await expect(write()).rejects.toThrow(/^statement begin failed/);
  expect(works).toBe(0);
  expect(await store.query('select number from public.list')).toEqual([]);
  await write();
  expect(await store.query('select number from public.list')).toEqual([{ number: 1 }]);
});

test('a deferred refusal at the commit is reported', async () => {
  const test = await testDatabase({ empty: true });
  await test.query('create table list (number int unique deferrable initially deferred)');
  const twice = open(test.url).transact('unit', async (tx) => {
    add(tx, 1);
    add(tx, 1);
  });
  await expect(twice).rejects.toThrow(/^statement commit failed .*duplicate key/);
  expect(await test.query('select from list')).toEqual([]);
});

test('statements that are sent together are measured one after the other', async () => {
  const { logger, entries } = capturingLogger('debug');
  const test = await testDatabase({ empty: true });
  const database = open(test.url, { logger });
  const startedAt = performance.now();
  await database.transact('unit', async (tx) => {
    tx.send('slow', () => sql`select pg_sleep(0.2)`);
    for (let count = 0; count < 20; count += 1) tx.send('quick', () => sql`select 1`);
  });
  const ms = performance.now() - startedAt;
  const measured = entries().filter(({ msg }) => msg === 'statement finished');
  expect(measured).toHaveLength(23);
  // Were each measured from when it was sent, each would hold the slow one.
  expect(measured.reduce((sum, entry) => sum + Number(entry['ms']), 0)).toBeLessThanOrEqual(ms);
});

test('of statements that travel together the first failure is reported, however soon a later one is heard', async () => {
  const { database } = await openList();
  const asking = (readOnly: boolean) =>
    database.transact(
      'unit',
      async (tx) =>
        await Promise.all([
          tx.ask('cause', sql`select 1 / (select count(*) - count(*) from public.list)`, 'joins-as-written'),
          tx.ask('later', sql`select 1`),
          tx.run('last', (db) => db.execute(sql`select 1`)),
        ]),
      { readOnly },
    );
  for (const readOnly of [true, false])
    await expect(asking(readOnly)).rejects.toMatchObject({
      message: expect.stringMatching(/^statement cause failed .*division by zero/),
    });
});

test('of the settings around a statement, too, the first failure is reported', async () => {
  const { url } = await testDatabase({ empty: true });
  const gate = await openGate(url);
  const database = open(gate.url, { maxConnections: 1 });
  const asking = (hint: PlanHint) =>
    database.transact('unit', (tx) => tx.ask('hinted', sql`select ${'1'}::text as one`, hint));
  for (const [hint, setting] of [
    ['joins-as-written', 'set local join_collapse_limit = 1'],
    ['joins-as-written', 'set local join_collapse_limit = 8'],
    ['once', 'set local plan_cache_mode = force'],
  ] as const) {
    gate.spoilNext(setting);
    await expect(asking(hint), setting).rejects.toThrow(/^statement hinted failed .*syntax error/);
    expect(await asking(hint)).toEqual([{ one: '1' }]);
  }
});
