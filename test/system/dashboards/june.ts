// A mirror with twelve days behind it, always the same: real jobs against a sandbox that moves on between
// them, and then the moments of each tick put where they belong in June 2026. In this database it is June 19,
// 16:00:30 for ever: the views and whoever queries it have a now() of its own, so that ages, days and
// freshness come out the same every time.

import type { Sandbox } from '../../../packages/sandbox/src/sandbox.ts';
import type { TransactionRecord } from '../../../packages/sandbox/src/world/records.ts';
import type { World } from '../../../packages/sandbox/src/world/world.ts';
import { instantToIso } from '../../../src/domain/instant.ts';
import { snapshotBalances } from '../../../src/sync/jobs/balances.ts';
import { mirrorVaults, mirrorWhitelist } from '../../../src/sync/jobs/documents.ts';
import { syncTransactions } from '../../../src/sync/jobs/transactions.ts';
import { sweepTransactions } from '../../../src/sync/jobs/transactions-sweep.ts';
import { copyOfShared, type TestDatabase } from '../../support/database.ts';
import { type Mirror, openMirror } from '../../support/mirror.ts';

/** The present of this mirror. */
export const now = '2026-06-19T16:00:30.000Z';
const [firstDay, lastDay] = [8, 19];
/** The mirror stood still on this day: nothing was observed. */
const pause = 13;

type Tick = (at: string, work: () => Promise<unknown>) => Promise<void>;

interface Begun {
  readonly at: string;
  /** When it really began, on the account's clock, by which rows are dated. */
  readonly began: string;
}

export async function mirrorOfJune(): Promise<TestDatabase> {
  const mirror = await copyOfShared('june', makeJune);
  const [database] = await mirror.query<{ name: string }>('select quote_ident(current_database()) as name');
  const url = new URL(mirror.url);
  url.searchParams.set('options', '-c search_path=june,pg_catalog,public');
  // For connections made from now on; the one that asks this is among them.
  await mirror.query(`
    alter database ${database?.name} set search_path = june, pg_catalog, public;
    alter database ${database?.name} set timezone = 'UTC';
    set search_path = june, pg_catalog, public;
    set timezone = 'UTC'`);
  return { ...mirror, url: url.href };
}

async function makeJune(): Promise<Mirror> {
  const mirror = await openMirror(
    {
      seed: 12,
      frozen: false,
      transactions: 250,
      newPerMinute: 60,
      stepMs: 4000,
      whitelistEntries: 40,
      retryAfter: 'none',
    },
    { CUSTODY_PAGE_SIZE: '200' },
  );
  const begun: Begun[] = [];
  const tick: Tick = async (at, work) => {
    begun.push({ at, began: instantToIso(mirror.context.lease.clock.now()) });
    await work();
  };
  for (let day = firstDay; day <= lastDay; day += 1) await live(mirror, day, tick);
  await moveTimes(mirror, begun);
  await stopClock(mirror);
  await addPrices(mirror);
  return mirror;
}

/**
 * One day: documents in the morning, with a sweep on every other day, and every four hours transactions and
 * balances.
 */
async function live(mirror: Mirror, day: number, tick: Tick): Promise<void> {
  const { context, sandbox } = mirror;
  const at = (time: string) => `2026-06-${String(day).padStart(2, '0')}T${time}Z`;
  for (const hour of day === lastDay ? [8, 12, 14, 16] : [8, 12, 16]) {
    if (day > firstDay || hour > 8) sandbox.advance(3);
    if (day === pause) continue;
    for (const happen of happenings[`${day} ${hour}`] ?? []) happen(sandbox);
    if (hour === 8) {
      await tick(at('07:30'), () => Promise.all([mirrorVaults(context), mirrorWhitelist(context)]));
      if (day % 2 === firstDay % 2 || day === lastDay)
        await tick(at('07:45'), () => sweepTransactions(context, { job: 'reconcile' }));
    }
    await tick(at(`${String(hour).padStart(2, '0')}:00`), () =>
      Promise.all([syncTransactions(context, { full: false }), snapshotBalances(context)]),
    );
    sandbox.faults.clear();
  }
}

const unreadable = '0f000000-0000-4000-8000-000000000009';

/** What is out of the ordinary in June, by day and hour, before the readings then. */
const happenings: Readonly<Record<string, readonly ((sandbox: Sandbox) => unknown)[]>> = {
  // A record that cannot be decoded, until it is corrected.
  '9 8': [({ world }) => world.insertTransaction('head', { transactionId: unreadable, amount: 'NaN' })],
  '10 8': [({ world }) => world.alterTransaction(unreadable, { amount: '12.5' })],
  // An entry leaves the whitelist, and is paid again later.
  '11 8': [({ world }) => world.removeWhitelistEntry(newest(world, isPaid).destinationId)],
  '12 12': [({ world }) => payAgain(world, '0f000001-0000-4000-8000-000000000012')],
  // A settled amount is corrected, which is posted on this day.
  '14 8': [
    ({ world }) =>
      world.alterTransaction(oldest(world, isCompleted('deposit')).transactionId, { amount: '1000.5' }),
  ],
  // The service asks to wait.
  '15 12': [({ faults }) => faults.set([{ kind: 'err03-bare', endpoint: 'transactions', times: 2 }])],
  '16 12': [({ world }) => payAgain(world, '0f000002-0000-4000-8000-000000000016')],
  // A settled transaction is gone, and what it had brought with it, which nothing explains.
  '17 8': [({ world }) => world.removeTransaction(oldest(world, isCompleted('deposit')).transactionId)],
  // The whitelist cannot be read.
  '18 8': [({ faults }) => faults.set([{ kind: 'http503', endpoint: 'whitelist' }])],
  // A settled transaction opens again, one has a status that nobody documented, one cannot be decoded.
  '19 8': [
    ({ world }) =>
      world.alterTransaction(oldest(world, isCompleted('rebalance')).transactionId, { status: 'confirming' }),
  ],
  '19 12': [
    ({ world }) =>
      world.alterTransaction(newest(world, isWaiting).transactionId, { status: 'awaiting approval' }),
    ({ faults }) => faults.set([{ kind: 'err03-bare', endpoint: 'transactions', times: 1 }]),
  ],
  '19 16': [({ world }) => world.insertTransaction('head', { amount: 'NaN' })],
};

type Choice = (record: TransactionRecord) => boolean;
const isCompleted =
  (type: string): Choice =>
  ({ transactionType, status }) =>
    transactionType === type && status === 'completed';
const isWaiting: Choice = ({ transactionType, status }) =>
  transactionType === 'withdraw' && status === 'pending';
const isPaid: Choice = (record) =>
  isCompleted('withdraw')(record) && record.destinationType === 'whitelist' && record.assetId === 'USDC';

function newest(world: World, wanted: Choice): TransactionRecord {
  return found([...world.transactions()].findLast(wanted));
}

function oldest(world: World, wanted: Choice): TransactionRecord {
  return found([...world.transactions()].find(wanted));
}

function found(record: TransactionRecord | undefined): TransactionRecord {
  if (record === undefined) throw new Error('the world holds no such transaction');
  return record;
}

/** A withdrawal to an address that was on the whitelist once. */
function payAgain(world: World, transactionId: string): void {
  const listed = new Set(world.whitelist().map(({ whitelistId }) => whitelistId));
  const before = newest(world, (record) => isPaid(record) && !listed.has(record.destinationId));
  const open = { status: 'pending', amount: '2500.000000', fee: '', txnHash: '', blockexplorerLink: '' };
  world.insertTransaction('head', { ...before, ...open, transactionId });
}

/** Gives every moment that was recorded during a tick the time of that tick; runs end four seconds later. */
async function moveTimes({ query }: Mirror, begun: readonly Begun[]): Promise<void> {
  const columns = await query<{ relation: string; name: string }>(
    `select format('%I.%I', table_schema, table_name) as relation, column_name::text as name
     from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_schema in ('custody', 'sync') and table_type = 'BASE TABLE'
       and data_type = 'timestamp with time zone'`,
  );
  const moves = new Map<string, string[]>();
  for (const { relation, name } of columns) {
    const later = ['finished_at', 'transactions_since'].includes(name) ? " + interval '4 seconds'" : '';
    const move = `${name} = june.moved(${name})${later}`;
    moves.set(relation, [...(moves.get(relation) ?? []), move]);
  }
  const ticks = begun.map(({ began, at }) => `('${began}'::timestamptz, '${at}'::timestamptz)`);
  await query(`
    begin;
    create schema june;
    grant usage on schema june to public;
    create table june.ticks (began, at) as values ${ticks.join(', ')};
    create function june.moved(moment timestamptz) returns timestamptz language sql stable strict as $$
      select coalesce((select at from june.ticks where began <= moment order by began desc limit 1),
        (select min(at) from june.ticks)) $$;
    set local session_replication_role = replica;
    ${[...moves].map(([relation, set]) => `update ${relation} set ${set.join(', ')};`).join('\n')}
    update sync.leases set expires_at = '${now}'::timestamptz + interval '20 seconds';
    commit`);
}

/**
 * Views and functions ask june.now() from here on. Whoever connects to a copy of this database does, too, by
 * its search path.
 */
async function stopClock({ query }: Mirror): Promise<void> {
  const views = await query<{ name: string; definition: string }>(
    `select format('%I.%I', schemaname, viewname) as name, definition from pg_catalog.pg_views
     where schemaname in ('reporting', 'internal') and definition ~ '\\mnow\\('`,
  );
  const functions = await query<{ definition: string }>(
    `select pg_get_functiondef(p.oid) as definition from pg_proc p
     where p.pronamespace = 'reporting'::regnamespace and p.prokind = 'f' and p.prosqlbody is not null
       and pg_get_function_sqlbody(p.oid) ~ '\\mnow\\('`,
  );
  await query(`
    create function june.now() returns timestamptz language sql stable as $$ select '${now}'::timestamptz $$;
    ${views.map(({ name, definition }) => `create or replace view ${name} as ${definition.replaceAll(/\bnow\(\)/g, 'june.now()')};`).join('\n')}
    ${functions.map(({ definition }) => `${definition.replaceAll(/\bnow\(\)/g, 'june.now()')};`).join('\n')}`);
}

/** Prices of some of the assets, each morning, so that what has none can be seen. */
async function addPrices({ query }: Mirror): Promise<void> {
  await query(`
    insert into custody.asset_prices (asset_id, currency, as_of, price, source, known_from)
    select p.asset_id, 'USD', day, round(p.price * (1 + p.drift * extract(day from day)), 4), 'made up', day
    from (values ('BTC', 64000, 0.002), ('ETH', 3400, 0.003), ('SOL', 150, -0.004), ('ADA', 0.45, 0.001), ('DOT', 6.1, 0.001),
        ('LINK', 14, -0.002), ('USDC', 1, 0), ('USDT', 1, 0)) as p (asset_id, price, drift),
      generate_series(timestamptz '2026-06-08 06:00+00', '2026-06-19 06:00+00', interval '1 day') as day`);
}
