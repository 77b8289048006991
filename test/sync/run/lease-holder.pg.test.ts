import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { createClock } from '../../../src/base/clock.ts';
import { createMetrics } from '../../../src/base/metrics.ts';
import { untilAborted } from '../../../src/base/waiting.ts';
import { bindAccount } from '../../../src/store/run/accounts.ts';
import { acquireLease, withFence, writeFenced } from '../../../src/store/run/leases.ts';
import { createFactKeeper } from '../../../src/sync/run/fact-keeper.ts';
import { type LeaseHolderOptions, withLease } from '../../../src/sync/run/lease-holder.ts';
import { testDatabase } from '../../support/database.ts';
import { longTest } from '../../support/form.ts';
import { openGate } from '../../support/gate.ts';
import { silentLogger } from '../../support/loggers.ts';
import { withClient } from '../../support/server.ts';
import { open } from '../../support/store.ts';
import { waitFor } from '../../support/wait-for.ts';

const account = 'acme';

async function openHolder(overrides: Partial<LeaseHolderOptions> = {}) {
  const test = await testDatabase();
  const database = open(test.url);
  await bindAccount(database, { account, baseUrl: 'https://custody.example', timeZone: 'UTC' });
  const options = (holder: string): LeaseHolderOptions => ({
    database,
    account,
    holder,
    ttlMs: 60_000,
    clock: createClock(),
    facts: { reload: async () => undefined },
    logger: silentLogger,
    metrics: createMetrics(),
    ...overrides,
  });
  return { ...test, options };
}

const never = new AbortController().signal;

test('the work learns that another process took over the lease', async () => {
  const { options, query } = await openHolder({ ttlMs: 300 });
  const outcome = await withLease(options('first'), never, async (_lease, signal) => {
    await query(`update sync.leases set token = token + 1, holder = 'thief'`);
    await waitFor(() => signal.aborted);
    return signal.reason;
  });
  expect(outcome).toMatchObject({ value: { code: 'LEASE-LOST' } });
  expect(await query('select holder from sync.leases')).toEqual([{ holder: 'thief' }]);
});

const livesTwoSecondsLonger = `select expires_at > $1::timestamptz + interval '2 seconds' as later from sync.leases`;

test('it is renewed for as long as the work takes', async () => {
  const { options, query, url } = await openHolder({ ttlMs: 6_000 });
  const outcome = await withLease(options('first'), never, async (_lease, signal) => {
    const [before] = await query<{ at: Date }>('select expires_at as at from sync.leases');
    const isLater = async () =>
      (await query<{ later: boolean }>(livesTwoSecondsLonger, [before?.at]))[0]?.later;
    await withClient(url, async (locker) => {
      await locker.query('begin; lock table sync.runs');
      await expect.poll(isLater).toBe(true);
    });
    return signal.aborted;
  });
  expect(outcome).toEqual({ value: false });
});

test('a lease that the database refuses to renew is lost for that reason, which is reported at once', async () => {
  const reported: unknown[] = [];
  const onRenewal = (error: unknown) => void reported.push(error);
  const { options, query } = await openHolder({ ttlMs: 6_000, onRenewal });
  const outcome = await withLease(options('first'), never, async (_lease, signal) => {
    await query(`create function public.full_disk() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`);
    await query(`create trigger full_disk before update on sync.leases for each row
      execute function public.full_disk()`);
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    return String(signal.reason);
  });
  expect(reported).toContainEqual(expect.objectContaining({ code: 'DATABASE-REFUSED' }));
  expect(outcome).toEqual({ value: expect.stringMatching(/was lost: database .* has no disk space left/) });
});

test.each([
  [
    'erased',
    `insert into internal.erasures (account_id, started_at, finished_at, erased_by) select account_id, now(), now(), 'me' from custody.accounts;
     delete from custody.accounts`,
  ],
  [
    'half erased',
    `insert into internal.erasures (account_id, started_at, erased_by) select account_id, now(), 'me' from custody.accounts`,
  ],
])(
  'nothing is done, nor written, for an account that was %s meanwhile; the lease is free',
  async (what, happens) => {
    const { options, query } = await openHolder();
    await query(happens);
    let isDone = false;
    const work = async () => {
      isDone = true;
    };
    await expect(withLease(options('first'), never, work)).rejects.toThrow(`account "acme" was ${what}`);
    expect(isDone).toBe(false);
    expect(await query('select from custody.histories')).toEqual([]);
    expect(await query('select expires_at::text from sync.leases')).toEqual([{ expires_at: '-infinity' }]);
  },
);

test('runs that an earlier holder left behind are abandoned', async () => {
  const { options, query } = await openHolder();
  await query(
    `insert into sync.runs (account_id, job, mode, status, started_at) values ($1, 'balances', 'full', 'running', now())`,
    [account],
  );
  await withLease(options('second'), never, async () => undefined);
  expect(await query('select status, finished_at is not null as ended from sync.runs')).toEqual([
    { status: 'abandoned', ended: true },
  ]);
});

test('a failure of the work comes out, and the lease is released all the same', async () => {
  const { options } = await openHolder();
  await expect(
    withLease(options('first'), never, async () => {
      throw new Error('broken');
    }),
  ).rejects.toThrow('broken');
  expect(await withLease(options('second'), never, async () => 'worked')).toEqual({ value: 'worked' });
});

test('work is stopped, and the lease left to others, when a newer version has migrated the database', async () => {
  const { options, query } = await openHolder({ ttlMs: 3_000 });
  const outcome = withLease(options('older'), never, async (lease, signal) => {
    await query(
      `insert into sync.runs (account_id, job, mode, status, started_at) values ($1, 'balances', 'full', 'running', now())`,
      [lease.account],
    );
    await query(
      "insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', 4102444800000)",
    );
    await untilAborted(signal);
  });
  await expect(outcome).rejects.toMatchObject({ code: 'SCHEMA-NEWER' });
  expect(await query('select holder, expires_at::text from sync.leases')).toEqual([
    { holder: 'older', expires_at: '-infinity' },
  ]);
  // Its runs are left to the newer version, which abandons them first.
  expect(await query('select status from sync.runs')).toEqual([{ status: 'running' }]);
});

test('who takes the lease over knows what its last holder learned, and drops what it had learned itself before', async () => {
  const { options, url } = await openHolder();
  const own = options('first');
  const standby = open(url);
  const writer = { ...own, facts: await createFactKeeper(own.database, account) };
  const next = {
    ...options('second'),
    database: standby,
    facts: await createFactKeeper(standby, account),
  };
  const grow = (value: string) => ({ fact: 'transactions_grow_at', value, evidence: 'told by the test' });
  await withLease(writer, never, async (lease) => {
    writer.facts.learn(grow('head'));
    await writer.facts.save(lease);
  });
  const seen: (string | undefined)[] = [];
  await withLease(next, never, async (lease) => {
    seen.push(next.facts.known.get('transactions_grow_at'));
    next.facts.learn(grow('among'));
    next.facts.learn({ fact: 'empty:balances', value: 'again', evidence: 'told by the test' });
    await next.facts.save(lease);
    next.facts.forget('empty:balances');
    await next.facts.save(lease);
    // Never saved: the lease was lost first.
    next.facts.learn(grow('tail'));
  });
  await withLease(writer, never, async () => {
    seen.push(writer.facts.known.get('transactions_grow_at'), writer.facts.known.get('empty:balances'));
  });
  await withLease(next, never, async () => void seen.push(next.facts.known.get('transactions_grow_at')));
  expect(seen).toEqual(['head', 'among', undefined, 'among']);
});

longTest('a write over a dead connection costs neither the lease nor the work', async () => {
  const { options, url } = await openHolder({ ttlMs: 24_000 });
  const gate = await openGate(url);
  const own = { ...options('first'), database: open(gate.url) };
  const outcome = await withLease(own, never, async (lease, signal) => {
    const write = () => writeFenced(own.database, lease, 'write', () => sql`select 'the write'`);
    gate.breakAt('the write');
    await expect(write()).rejects.toMatchObject({ code: 'DATABASE-UNREACHABLE' });
    await write();
    signal.throwIfAborted();
    return lease.token;
  });
  expect(outcome).toEqual({ value: '1' });
});

longTest(
  'a session that is dead in the middle of a statement ends: by PostgreSQL from 17 on, before by TCP keepalives',
  async () => {
    const { options, url, query } = await openHolder();
    const gate = await openGate(url);
    const lease = { account, holder: 'first', ttlMs: 4_000, clock: createClock() };
    const database = open(gate.url);
    const taken = await acquireLease(database, lease);
    if (!('lease' in taken)) throw new Error(`held by ${taken.heldBy}`);
    const shown = await withFence(database, taken.lease, 'show', (tx) =>
      tx.run('show', (db) => db.execute(sql`show tcp_keepalives_idle`)),
    );
    expect(shown.rows).toEqual([{ tcp_keepalives_idle: '10' }]);
    const [server] = await query<{ version: number }>(
      "select current_setting('server_version_num')::int as version",
    );
    if ((server?.version ?? 0) < 170_000) return;
    gate.breakAt('the write');
    await expect(
      withFence(database, taken.lease, 'write', async (tx) => {
        await tx.run('write', (db) => db.execute(sql`select ${`the write${'x'.repeat(50_000)}`}::text`));
      }),
    ).rejects.toMatchObject({ code: 'DATABASE-UNREACHABLE' });
    await waitFor(async () => {
      const next = await acquireLease(options('second').database, { ...lease, holder: 'second' });
      return 'lease' in next;
    });
  },
);
