import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createClock } from '../../../src/base/clock.ts';
import { leastLeaseMs } from '../../../src/base/config/variables.ts';
import {
  acquireLease,
  releaseLease,
  renewLease,
  underLease,
  withFence,
} from '../../../src/store/run/leases.ts';
import { abandonRuns, finishRun, startRun } from '../../../src/store/run/runs.ts';
import { transactNamingHolders } from '../../../src/store/schema/migrate.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { newDataDirectory } from '../../support/data-directory.ts';
import { testDatabase } from '../../support/database.ts';
import { longTest } from '../../support/form.ts';
import { startPostgres } from '../../support/postgres.ts';
import { withClient } from '../../support/server.ts';
import { account, lease, noRequests, open, openStore } from '../../support/store.ts';

/** Lets the lease run out on the database's clock, as if its time had passed. */
const expire = (test: { query(sql: string): Promise<unknown> }) =>
  test.query("update sync.leases set expires_at = clock_timestamp() - interval '1 ms'");

const attempt = (database: ReturnType<typeof open>, holder: string) =>
  acquireLease(database, { account, holder, ttlMs: 60_000, clock: createClock() });

test('a renewal that is due when a write begins comes in time behind it, with every lease that may be configured', () => {
  const isInTime = (ttlMs: number) =>
    ttlMs / 3 + underLease({ account, ttlMs }).transactionTimeoutMs <= ttlMs;
  for (let ttlMs = leastLeaseMs; ttlMs <= 3_600_000; ttlMs *= 1.5) expect(isInTime(ttlMs)).toBe(true);
  expect(isInTime(leastLeaseMs - 2_000)).toBe(false);
});

test('of many that ask at once one gets the lease, and the others learn who', async () => {
  const test = await testDatabase();
  const databases = Array.from({ length: 4 }, () => open(test.url));
  const attempts = await Promise.all(
    Array.from({ length: 20 }, (_, index) => attempt(databases[index % 4] ?? open(test.url), `h${index}`)),
  );
  const leases = attempts.flatMap((found) => ('lease' in found ? [found.lease] : []));
  expect(leases).toMatchObject([{ account, holder: expect.any(String), token: '1', ttlMs: 60_000 }]);
  const others = attempts.flatMap((found) => ('heldBy' in found ? [found] : []));
  expect(new Set(others.map((other) => other.heldBy))).toEqual(new Set([leases[0]?.holder]));
  for (const other of others) {
    expect(other.expiresInMs).toBeGreaterThan(50_000);
    expect(other.expiresInMs).toBeLessThanOrEqual(60_000);
  }
});

test('an expired or released lease is taken with a higher token', async () => {
  const test = await testDatabase();
  const database = open(test.url);
  const first = await lease(database, 'first');
  expect(await attempt(database, 'second')).toMatchObject({ heldBy: 'first' });
  await expire(test);
  expect(await renewLease(database, first)).toBe(false);
  const second = await lease(database, 'second');
  expect(second.token).toBe('2');
  expect(await renewLease(database, first)).toBe(false);
  await releaseLease(database, first);
  expect(await attempt(database, 'third')).toMatchObject({ heldBy: 'second' });
  await releaseLease(database, second);
  expect((await lease(database, 'third')).token).toBe('3');
});

test('a renewal that waited for its turn until the lease was given up is not begun', async () => {
  const store = await openStore();
  const late = new AbortController();
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const write = withFence(store.database, store.lease, 'long', () => ended);
  const renewing = renewLease(store.database, store.lease, late.signal);
  const [before] = await store.query('select expires_at from sync.leases');
  late.abort(new Error('given up'));
  // It leaves the queue, and does not wait for the write in progress.
  await expect(renewing).rejects.toThrow('given up');
  end();
  await write;
  expect(await store.query('select expires_at from sync.leases')).toEqual([before]);
});

test('who took the lease and never heard of it takes it again at once; others wait', async () => {
  const test = await testDatabase();
  const database = open(test.url);
  const unheard = await lease(database, 'first');
  expect(await attempt(database, 'second')).toMatchObject({ heldBy: 'first' });
  const own = await lease(database, 'first');
  expect(own.token).toBe('2');
  await expect(withFence(database, unheard, 'late', async () => undefined)).rejects.toMatchObject({
    code: 'LEASE-LOST',
  });
});

test('a process that lost the lease writes nothing', async () => {
  const store = await openStore();
  await expire(store);
  const write = () =>
    withFence(store.database, store.lease, 'late', (tx) =>
      tx.run('late', (db) => db.execute(sql`update sync.runs set error_code = 'LATE'`)),
    );
  await expect(write()).rejects.toMatchObject({ code: 'LEASE-LOST' });
  await lease(store.database, 'other');
  await expect(write()).rejects.toMatchObject({ code: 'LEASE-LOST' });
  await expect(startRun(store.database, store.lease, { job: 'x', mode: 'full' })).rejects.toMatchObject({
    code: 'LEASE-LOST',
  });
  expect(await store.query('select error_code from sync.runs')).toEqual([{ error_code: null }]);
});

test('nobody takes the lease while a commit of its holder is under way', async () => {
  const store = await openStore();
  const other = open(store.url);
  const order: string[] = [];
  let attempted: Promise<unknown> = Promise.resolve();
  await withFence(store.database, store.lease, 'slow', async () => {
    // Whether it ran out meanwhile or not: the row is locked, and the attempt waits for the commit.
    attempted = attempt(other, 'other').then(() => order.push('answered'));
    await waitUntilBlocked(store);
    order.push('committed');
  });
  await attempted;
  expect(order).toEqual(['committed', 'answered']);
});

async function waitUntilBlocked(store: { query(sql: string): Promise<unknown[]> }): Promise<void> {
  for (;;) {
    const blocked = await store.query(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    if (blocked.length > 0) return;
  }
}

test('a holder that stands still in a transaction is ended by the server and loses nothing but its turn', async () => {
  const test = await testDatabase();
  // What is not to stand still has its own, since a busy machine may stand still by itself.
  const [steady, frozen] = [open(test.url), open(test.url, { idleTransactionTimeoutMs: 100 })];
  const own = await lease(steady);
  await startRun(steady, own, { job: 'x', mode: 'full' });
  await expect(
    withFence(frozen, own, 'frozen', async (tx) => {
      await tx.run('write', (db) => db.execute(sql`update sync.runs set error_code = 'FROZEN'`));
      for (let ended = false; !ended; ) {
        const left = await test.query(
          "select 1 from pg_stat_activity where datname = current_database() and state = 'idle in transaction'",
        );
        ended = left.length === 0;
      }
      await tx.run('write', (db) => db.execute(sql`select 1`));
    }),
  ).rejects.toMatchObject({ code: 'DATABASE-UNREACHABLE' });
  expect(await test.query('select error_code from sync.runs')).toEqual([{ error_code: null }]);
  expect((await startRun(steady, own, { job: 'x', mode: 'full' })).job).toBe('x');
});

test('a unit is repeated whole after a conflict and not after any other error', async () => {
  const store = await openStore();
  let tries = 0;
  const fail = (sqlState: string) =>
    withFence(store.database, store.lease, 'unit', async (tx) => {
      tries += 1;
      await tx.run('count', (db) => db.execute(sql`update sync.runs set requests = requests + 1`));
      if (tries < 3) await tx.run('fail', (db) => db.execute(raise(sqlState)));
    });
  const raise = (state: string) =>
    sql.raw(`do $$ begin raise exception 'made up' using errcode = '${state}'; end $$`);
  await fail('40001');
  expect(tries).toBe(3);
  tries = 0;
  await expect(fail('22000')).rejects.toThrow('made up');
  expect(tries).toBe(1);
  expect(await store.query('select requests from sync.runs')).toEqual([{ requests: 1 }]);
});

test('runs are finished once and those left behind are abandoned', async () => {
  const store = await openStore();
  const tally = { requests: 7, retries: 2, rateLimited: 1 };
  await finishRun(store.database, store.lease, store.run, {
    status: 'succeeded',
    verified: true,
    verdict: { rests_on: 'a confirmed end' },
    tally,
  });
  const second = await startRun(store.database, store.lease, { job: 'balances', mode: 'full' });
  expect(await abandonRuns(store.database, store.lease)).toBe(1);
  await finishRun(store.database, store.lease, second, {
    status: 'failed',
    verified: null,
    verdict: null,
    tally: noRequests,
    errorCode: 'X',
    errorMessage: 'too late',
  });
  const rows = await store.query(`select job, status, verified, verdict, requests, error_code,
    finished_at is not null as finished from sync.runs order by run_id`);
  expect(rows).toEqual([
    {
      job: 'transactions',
      status: 'succeeded',
      verified: true,
      verdict: { rests_on: 'a confirmed end' },
      requests: 7,
      error_code: null,
      finished: true,
    },
    {
      job: 'balances',
      status: 'abandoned',
      verified: null,
      verdict: null,
      requests: 0,
      error_code: null,
      finished: true,
    },
  ]);
});

test('the writes of one process queue in the process, so that none of them stands in line when it is frozen', async () => {
  const store = await openStore();
  const order: string[] = [];
  let goOn: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let begun: () => void = () => undefined;
  const inside = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const first = withFence(store.database, store.lease, 'first', async () => {
    begun();
    await held;
    order.push('first');
  });
  const later = ['second', 'third'].map((name) =>
    withFence(store.database, store.lease, name, async () => {
      order.push(name);
      if (name === 'second') throw new Error('of no consequence to the others');
    }),
  );
  const renewed = renewLease(store.database, store.lease).then((result) => {
    order.push('renewed');
    return result;
  });
  await inside;
  // Another process's attempt comes right behind the one that holds the lock. The server says that a
  // transaction is idle a moment before it says for whom it waits.
  const transactions = () =>
    store.query(
      `select state, wait_event_type from pg_stat_activity
       where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()`,
    );
  await expect.poll(transactions).toEqual([{ state: 'idle in transaction', wait_event_type: 'Client' }]);
  goOn();
  await first;
  const [second, third] = await Promise.allSettled(later);
  expect([second?.status, third?.status]).toEqual(['rejected', 'fulfilled']);
  expect(await renewed).toBe(true);
  // A renewal does not wait behind those that wait: it would come too late where writes are slow.
  expect(order).toEqual(['first', 'renewed', 'second', 'third']);
});

test('the next holder of the lease continues the account’s time, also from a killed holder and a clock that was set back', async () => {
  const store = await openStore();
  const before = store.lease.clock.now();
  // As the row looks after the database's clock was a year ahead, and was set right.
  for (const column of ['expires_at', 'account_time', 'database_time'])
    await store.query(`update sync.leases set ${column} = ${column} + interval '365 days'`);
  const next = await lease(store.database, 'next');
  const year = 365 * 86_400_000;
  expect(next.clock.now()).toBeGreaterThan(before + year - 60_000);
  const run = await startRun(store.database, next, { job: 'balances', mode: 'full' });
  expect(run.startedAt).toBeGreaterThan(before + year - 60_000);
  const [row] = await store.query<{ ahead: boolean; kept: boolean }>(
    `select ahead_since is not null as ahead,
       account_time >= (select max(started_at) from sync.runs) as kept from sync.leases`,
  );
  expect(row).toEqual({ ahead: true, kept: true });
  await expect(withFence(store.database, store.lease, 'late', async () => undefined)).rejects.toMatchObject({
    code: 'LEASE-LOST',
  });
});

test('a small step of the database’s clock takes the lease from nobody', async () => {
  const test = await testDatabase();
  const database = open(test.url);
  await lease(database, 'first');
  await test.query("update sync.leases set database_time = database_time + interval '30 seconds'");
  expect(await attempt(database, 'second')).toMatchObject({ heldBy: 'first' });
});

test('whoever else locks the row of the lease is named, not supposed', async () => {
  const store = await openStore();
  await expire(store);
  await withClient(store.url, async (client) => {
    await client.query("set application_name = 'a curious one'; begin; select from sync.leases for update");
    expect(await attempt(open(store.url), 'other')).toMatchObject({
      heldBy: 'test',
      lockedBy: [
        expect.stringMatching(/^pid \d+ \(user \w+, application a curious one, idle in transaction/),
      ],
    });
  });
});

longTest('of prepared transactions only the one that holds the lock is named', async () => {
  const server = await startPostgres({
    dataDirectory: newDataDirectory('custody-mirror-prepared'),
    persistent: false,
    settings: { max_prepared_transactions: '3' },
  });
  onCleanup(server.stop);
  const url = server.url('postgres');
  await withClient(url, async (client) => {
    await client.query(
      'create table public.held (id int); insert into held values (1); create table public.other (id int)',
    );
    await client.query("begin; update held set id = 2; prepare transaction 'guilty'");
    await client.query("begin; insert into other values (1); prepare transaction 'unrelated'");
  });
  for (const statement of [
    'select from public.held for update',
    'lock table public.held in exclusive mode',
  ]) {
    const found: string[] = [];
    await transactNamingHolders(
      open(url),
      'wait',
      (tx) => tx.run('wait', (db) => db.execute(statement)),
      { lockTimeoutMs: 4_000 },
      (holders) => found.push(...holders),
    ).catch(() => undefined);
    expect(new Set(found.map((holder) => holder.replace(/ \(.*/, ''))), statement).toEqual(
      new Set(['a prepared transaction guilty']),
    );
  }
});
