import { createServer } from 'node:net';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createClock } from '../../../src/base/clock.ts';
import { createMetrics } from '../../../src/base/metrics.ts';
import type { Database } from '../../../src/store/postgres/database.ts';
import { isDatabaseOffline, isServerTimeout, sqlState } from '../../../src/store/postgres/database-errors.ts';
import { bindAccount, saveTimeZone } from '../../../src/store/run/accounts.ts';
import { acquireLease, releaseLease } from '../../../src/store/run/leases.ts';
import { testDatabase } from '../../support/database.ts';
import { longTest } from '../../support/form.ts';
import { openGate } from '../../support/gate.ts';
import { listening } from '../../support/listening.ts';
import { capturingLogger } from '../../support/loggers.ts';
import { open } from '../../support/store.ts';
import { waitFor } from '../../support/wait-for.ts';

const ask = (database: Database) =>
  database.transact('ask', (tx) => tx.run('ask', (db) => db.execute<{ one: number }>(sql`select 1 as one`)));

const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

const elsewhere = { account: 'a', holder: 'elsewhere', ttlMs: 600_000, clock: createClock() };

function bound(account: string, baseUrl: string, timeZone = 'UTC') {
  return { account, baseUrl, timeZone };
}

function changed(url: string, parts: { readonly pathname?: string; readonly username?: string }): string {
  return Object.assign(new URL(url), parts).href;
}

test('a URL that cannot be read is a fault of configuration that does not quote it', () => {
  for (const url of [
    'postgres://u:hush-hush@host:notaport/db',
    'postgres://u:hush-hush@h/db?sslmode=verify-ca',
  ]) {
    expect(() => open(url)).toThrow(expect.objectContaining({ code: 'CONFIGURATION' }));
    expect(() => open(url)).not.toThrow(/hush-hush/);
  }
});

test('a refusal names the fix', async () => {
  const test = await testDatabase();
  const missing = await failure(ask(open(changed(test.url, { pathname: '/not_there' }))));
  expect(missing).toMatchObject({ code: 'DATABASE-REFUSED', message: expect.stringContaining('not_there') });
  expect(isDatabaseOffline(missing)).toBe(false);
  const stranger = await failure(ask(open(changed(test.url, { username: 'stranger' }))));
  expect(stranger).toMatchObject({ code: 'DATABASE-REFUSED' });
  const readOnly = open(test.url).transact('write', async (tx) => {
    await tx.run('set', (db) => db.execute(sql`set transaction read only`));
    await tx.run('write', (db) => db.execute(sql`delete from sync.runs`));
  });
  expect(await failure(readOnly)).toMatchObject({
    code: 'DATABASE-REFUSED',
    message: expect.stringContaining('read-only'),
  });
  const unmigrated = open((await testDatabase({ empty: true })).url);
  expect(await failure(bindAccount(unmigrated, bound('a', 'https://x.example')))).toMatchObject({
    code: 'SCHEMA-MISSING',
  });
});

test('a transaction sees what is committed meanwhile, whatever isolation the database is set to', async () => {
  const test = await testDatabase();
  const name = sql.identifier(new URL(test.url).pathname.slice(1));
  await open(test.url).transact('set', (tx) =>
    tx.run('set', (db) =>
      db.execute(sql`alter database ${name} set default_transaction_isolation = 'repeatable read'`),
    ),
  );
  const isolation = await open(test.url).transact('ask', (tx) =>
    tx.run('ask', (db) =>
      db.execute(
        sql`select current_setting('transaction_isolation') as now, current_setting('default_transaction_isolation') as usual`,
      ),
    ),
  );
  expect(isolation.rows).toEqual([{ now: 'read committed', usual: 'repeatable read' }]);
});

test('a statement that takes too long is ended', async () => {
  const database = open((await testDatabase()).url, { statementTimeoutMs: 50 });
  const slow = database.transact('slow', (tx) =>
    tx.run('slow', (db) => db.execute(sql`select pg_sleep(60)`)),
  );
  expect(await failure(slow)).toMatchObject({
    code: 'DATABASE-REFUSED',
    message: expect.stringContaining('slow'),
  });
  await ask(database);
});

test('connections that the server ends, idle or in use, are replaced', async () => {
  const test = await testDatabase();
  const { logger, text } = capturingLogger('warn');
  const database = open(test.url, { maxConnections: 1, logger });
  const end = `select pg_terminate_backend(pid, 60000) from pg_stat_activity
    where datname = current_database() and application_name = 'custody-mirror test'`;
  await ask(database);
  await test.query(end);
  await waitFor(() => text().includes('idle database connection failed'));
  const error = await failure(
    database.transact('in-use', async (tx) => {
      await tx.run('first', (db) => db.execute(sql`select 1`));
      await test.query(end);
      await tx.run('second', (db) => db.execute(sql`select 1`));
    }),
  );
  expect(isDatabaseOffline(error)).toBe(true);
  const answer = await ask(database);
  expect(answer.rows).toEqual([{ one: 1 }]);
});

test('a connection that is ended the moment it is made does not end the process', async () => {
  const authenticated = [0x52, 0, 0, 0, 8, 0, 0, 0, 0];
  const ready = [0x5a, 0, 0, 0, 5, 0x49];
  const fields = 'SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0';
  const length = Buffer.alloc(4);
  length.writeUInt32BE(fields.length + 4);
  // All at once, as it comes when the server is told to end its connections just then.
  const answer = Buffer.concat([
    Buffer.from([...authenticated, ...ready, 0x45]),
    length,
    Buffer.from(fields),
  ]);
  const server = createServer((socket) => socket.once('data', () => socket.end(answer)));
  const { port } = await listening(server);
  const error = await failure(ask(open(`postgres://u:p@127.0.0.1:${port}/db`)));
  expect(error).toMatchObject({ code: 'DATABASE-UNREACHABLE' });
});

test('an account stays with the address it was first mirrored from', async () => {
  const test = await testDatabase();
  const database = open(test.url);
  // Mistyped: as long as nothing came from there, and nobody may write, another address takes its place.
  await bindAccount(database, bound('a', 'https://mistyped.example'));
  const lease = await acquireLease(database, elsewhere);
  await expect(bindAccount(database, bound('a', 'https://custody.example/api'))).rejects.toMatchObject({
    code: 'ACCOUNT-BOUND-ELSEWHERE',
  });
  if ('lease' in lease) await releaseLease(database, lease.lease);
  await bindAccount(database, bound('a', 'https://Custody.example:443/api/'));
  await test.query(
    `insert into custody.document_revisions (account_id, kind, document_id, revision, observed_at, change, document, run_id)
     values ('a', 'vault', 'v', 1, now(), 'added', '{}', 1)`,
  );
  await bindAccount(database, bound('a', 'https://custody.example/api'));
  await expect(bindAccount(database, bound('a', 'https://other.example/api'))).rejects.toMatchObject({
    code: 'ACCOUNT-BOUND-ELSEWHERE',
    message: expect.stringMatching(/custody\.example\/api.*other\.example\/api/),
  });
  await bindAccount(database, bound('b', 'https://other.example/api'));
});

test.each([
  ['a list of transactions', 'update custody.accounts set transactions_since = now()'],
  [
    'a list of documents',
    `insert into custody.document_readings (account_id, kind, first_read_at, last_read_after, last_read_at)
     values ('a', 'vault', now(), now(), now())`,
  ],
])('an account stays with the address from which %s was read whole, though it was empty', async (_, read) => {
  const test = await testDatabase();
  const database = open(test.url);
  await bindAccount(database, bound('a', 'https://empty.example'));
  await test.query(read);
  // What the right address shows would count as younger than that reading.
  await expect(bindAccount(database, bound('a', 'https://custody.example'))).rejects.toMatchObject({
    code: 'ACCOUNT-BOUND-ELSEWHERE',
  });
});

test('an account takes over the time zone it is first bound with, and none that the database does not know', async () => {
  const test = await testDatabase();
  const database = open(test.url);
  const address = 'https://custody.example';
  const state = async () =>
    (await test.query('select time_zone, xmin::text as version from custody.accounts'))[0];
  await bindAccount(database, bound('a', address, 'Europe/Zurich'));
  const first = await state();
  expect(first).toMatchObject({ time_zone: 'Europe/Zurich' });
  await bindAccount(database, bound('a', address, 'Asia/Tokyo'));
  expect(await state()).toEqual(first);
  await expect(bindAccount(database, bound('a', address, 'Mars/Olympus'))).rejects.toMatchObject({
    code: 'CONFIGURATION',
    message: expect.stringContaining('Mars/Olympus'),
  });
  const attempt = await acquireLease(database, elsewhere);
  if (!('lease' in attempt)) throw new Error('held');
  const { logger, entries } = capturingLogger();
  for (const zone of ['Europe/Zurich', 'Asia/Tokyo'])
    await saveTimeZone({ database, lease: attempt.lease, logger }, zone);
  expect(await state()).toMatchObject({ time_zone: 'Asia/Tokyo' });
  expect(entries()).toMatchObject([{ msg: 'time zone of the days changed', time_zone: 'Asia/Tokyo' }]);
});

test('connections are counted by what they do, and who waits for one', async () => {
  const test = await testDatabase();
  const metrics = createMetrics();
  const database = open(test.url, { metrics, maxConnections: 1 });
  const figures = async () => {
    const states = (await metrics.databaseConnections.get()).values.map(({ labels, value }) => [
      labels.state,
      value,
    ]);
    return { ...Object.fromEntries(states), waiting: (await metrics.databaseWaiting.get()).values[0]?.value };
  };
  expect(await figures()).toEqual({ idle: 0, in_use: 0, waiting: 0 });
  let inside: unknown;
  let second: Promise<unknown> | undefined;
  await database.transact('hold', async () => {
    second = ask(database);
    await waitFor(async () => (await figures()).waiting === 1);
    inside = await figures();
  });
  await second;
  expect(inside).toEqual({ idle: 0, in_use: 1, waiting: 1 });
  expect(await figures()).toEqual({ idle: 1, in_use: 0, waiting: 0 });
});

longTest(
  'work that fails over a connection that fell silent says its own error, and is over soon',
  async () => {
    const gate = await openGate((await testDatabase()).url);
    const database = open(gate.url, { maxConnections: 1, statementTimeoutMs: 100 });
    const leaving = database.transact('leaving', async (tx) => {
      await tx.run('first', (db) => db.execute(sql`select 1`));
      gate.set('hang');
      throw new RangeError('left');
    });
    await expect(leaving).rejects.toThrow('left');
    gate.set('pass');
    expect((await ask(database)).rows).toEqual([{ one: 1 }]);
  },
);

test('with a silent connection go those that stood idle when it was given up', async () => {
  const gate = await openGate((await testDatabase()).url);
  const database = open(gate.url, { maxConnections: 3, statementTimeoutMs: 100 });
  await Promise.all(
    [1, 2, 3].map(() =>
      database.transact('all', async (tx) => {
        await tx.run('wait', (db) => db.execute(sql`select pg_sleep(0.05)`));
      }),
    ),
  );
  const before = gate.arrivals;
  gate.forget();
  expect((await ask(database)).rows).toEqual([{ one: 1 }]);
  const answers = await Promise.all([1, 2, 3].map(() => ask(database)));
  expect(answers.map(({ rows }) => rows)).toEqual(Array(3).fill([{ one: 1 }]));
  expect(gate.arrivals).toBeGreaterThan(before);
});

longTest('a connection over which a long answer trickles is not silent', async () => {
  const gate = await openGate((await testDatabase()).url);
  // For the server the transaction stands idle while the rest of its answer is on its way.
  const database = open(gate.url, { statementTimeoutMs: 20_000, idleTransactionTimeoutMs: 120_000 });
  gate.trickle(65_536, 300);
  const rows = await database.transact(
    'long',
    (tx) => tx.run('long', (db) => db.execute(sql`select repeat('x', 1000000) as text`)),
    { statementTimeoutMs: 3_000, wayMs: 1_000 },
  );
  expect(String(rows.rows[0]?.['text']).length).toBe(1_000_000);
});

test('what the server still does for a connection that is given up is cancelled', async () => {
  const test = await testDatabase();
  const gate = await openGate(test.url);
  const database = open(gate.url, { statementTimeoutMs: 1_500 });
  // Each statement of one message has the server's limit for itself, and they have one answer.
  const sleeping = Array(60).fill('select pg_sleep(1)').join('; ');
  const migrating = database.transact('long', (tx) => tx.run('long', (db) => db.execute(sql.raw(sleeping))), {
    wayMs: 500,
  });
  await expect(migrating).rejects.toMatchObject({
    code: 'DATABASE-UNREACHABLE',
    message: expect.stringMatching(/\(long\) within 2 s: .* check the network$/),
  });
  await waitFor(async () => {
    const left = await test.query(
      "select 1 from pg_stat_activity where query ~ 'pg_sleep' and pid <> pg_backend_pid()",
    );
    return left.length === 0;
  });
});

longTest('statements that each take less than their limit may take longer together', async () => {
  const database = open((await testDatabase()).url, { statementTimeoutMs: 4_000 });
  await database.transact('slow', async (tx) => {
    for (let sent = 0; sent < 5; sent += 1) tx.send('sleep', () => sql`select pg_sleep(2)`);
  });
});

test('a limit on temporary files is taken for too much at once, as one on time is', async () => {
  const { url } = await testDatabase({ empty: true });
  const failure = await open(url)
    .transact('big', async (tx) => {
      await tx.run('limit', (db) => db.execute("set local temp_file_limit = '64kB'"));
      await tx.run('spill', (db) => db.execute('select count(*) from generate_series(1, 500000)'));
    })
    .catch((error: unknown) => error);
  expect(sqlState(failure)).toBe('53400');
  expect(isServerTimeout(failure)).toBe(true);
});

test('work that waits for a connection when the database is closed ends at once, and says why', async () => {
  const database = open((await testDatabase()).url, { maxConnections: 1 });
  const stops = { code: 'DATABASE-UNREACHABLE', message: 'this process stops: it asks no more' };
  const loggingIn = failure(ask(database));
  const queued = failure(ask(database));
  const closed = database.close();
  expect([await loggingIn, await queued]).toMatchObject([stops, stops]);
  await closed;

  const busy = open((await testDatabase()).url, { maxConnections: 1 });
  const work = busy.transact('work', async (tx) => {
    const waiting = failure(ask(busy));
    const closing = busy.close();
    expect(await waiting).toMatchObject(stops);
    expect(await failure(ask(busy))).toMatchObject(stops);
    const answer = await tx.ask('goes on', sql`select 'done' as done`);
    return { answer, closing };
  });
  const { answer, closing } = await work;
  expect(answer).toEqual([{ done: 'done' }]);
  await closing;
});
