// What is left of the snapshots of balances when they are thinned: every figure of every report, as it was.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Lease } from '../../../src/store/run/leases.ts';
import { thinSnapshots } from '../../../src/store/upkeep/thin-snapshots.ts';
import { sized } from '../../support/form.ts';
import { open, openStore, type Store } from '../../support/store.ts';
import { zones } from '../../system/reporting/story.ts';
import { began, hour, observe, type Tick } from './observed-ticks.ts';

const parts = { signal: new AbortController().signal };

/** A question mark cannot be read; at the third place stands a record of which nothing can be read. */
const held = fc.option(fc.array(fc.constantFrom('1', '2', '2.0', '?'), { maxLength: 3 }), { freq: 6 });
const ticks: fc.Arbitrary<Tick[]> = fc.array(
  fc.record({
    afterMs: fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: 1, max: 3 * hour }) },
      { weight: 1, arbitrary: fc.constantFrom(hour, 24 * hour, 40 * hour) },
    ),
    // Mostly what was held before, so that there is something to thin.
    held: fc.oneof({ weight: 4, arbitrary: fc.constant([[], ['1'], ['1']]) }, fc.tuple(held, held, held)),
  }),
  { minLength: 1, maxLength: 40 },
);

/** Everything that reports say, but for the age of what is compared with now. */
async function reports({ query }: Store, name: string, at: readonly Date[]) {
  const of = (view: string) =>
    query(`select to_jsonb(v) - 'age' as row from ${view} v where account_id = $1 order by 1`, [name]);
  return {
    intervals: await of('custody.balances'),
    daily: await of('reporting.balances_daily'),
    ages: await query(
      `select day, vault_type, asset_id, age from reporting.balances_daily
       where account_id = $1 and day < current_date - 1 order by 1, 2, 3`,
      [name],
    ),
    reconciliation: await of('reporting.reconciliation_daily'),
    changes: await of('reporting.balance_changes'),
    split: await of('reporting.vault_split'),
    current: await of('reporting.balances_current'),
    moments: await query(
      `select m.at, b.vault_type, b.asset_id, b.total_balance, b.is_known, b.last_known_at, b.unchanged_since
       from unnest($2::timestamptz[]) as m (at) cross join reporting.balances_at(m.at) b
       where b.account_id = $1 order by 1, 2, 3`,
      [name, at],
    ),
  };
}

const snapshots = ({ query }: Store, name: string) =>
  query<{ vault_type: string; at: Date }>(
    'select vault_type, snapshot_at as at from custody.balance_snapshots where account_id = $1 order by 2, 1',
    [name],
  );

test('every report says the same before and after, whatever was observed, in any time zone', async () => {
  const store = await openStore();
  let played = 0;
  let thinned = 0;
  const property = fc.asyncProperty(
    ticks,
    fc.constantFrom(...zones),
    fc.integer({ min: 1, max: 6 }),
    fc.array(fc.integer({ min: 0, max: 40 * 24 * hour }), { maxLength: 10 }),
    fc.integer({ min: 1, max: 5 }),
    async (told, zone, daysIn, moments, atOnce) => {
      played += 1;
      const name = `account${played}`;
      const { lease, until } = await observe(store, name, zone, told);
      const at = moments.map((ms) => new Date(began + (ms % (until - began + hour))));
      const before = await reports(store, name, at);
      const all = await snapshots(store, name);
      // Thinned up to some day in the middle, and then to the end.
      const ageOf = (ms: number) => Math.floor((Date.now() - ms) / (24 * hour));
      const first = ageOf(began + daysIn * 24 * hour);
      let removed = await thinSnapshots(store.database, lease, first, { ...parts, atOnce });
      expect(await reports(store, name, at)).toEqual(before);
      const between = await snapshots(store, name);
      expect(between.length).toBe(all.length - removed);
      const young = (rows: readonly { at: Date }[]) =>
        rows.filter((row) => row.at.getTime() > Date.now() - first * 24 * hour);
      expect(young(between)).toEqual(young(all));
      removed += await thinSnapshots(store.database, lease, 7, { ...parts, atOnce });
      expect(await reports(store, name, at)).toEqual(before);
      expect(await snapshots(store, name)).toHaveLength(all.length - removed);
      expect(await thinSnapshots(store.database, lease, 7, parts)).toBe(0);
      thinned += removed;
    },
  );
  // A few random stories may hold nothing to thin; this one always does.
  const quiet: Tick[] = Array.from({ length: 40 }, () => ({ afterMs: hour, held: [[], ['1'], ['1']] }));
  await fc.assert(property, {
    numRuns: sized({ short: 4, long: 40 }),
    examples: [[quiet, 'UTC', 1, [hour, 30 * hour], 2]],
    endOnFailure: true,
  });
  expect(thinned).toBeGreaterThan(0);
});

test('of a day on which nothing changed three ticks are left, and of a change those it lies between', async () => {
  const store = await openStore();
  const quiet: Tick = { afterMs: hour, held: [['1'], ['1'], []] };
  const told = Array.from({ length: 60 }, (_, hours) =>
    hours === 30
      ? { ...quiet, held: [['2'], ['2'], []] }
      : hours > 30
        ? { ...quiet, held: [['2'], ['2'], []] }
        : quiet,
  );
  const { lease } = await observe(store, 'hourly', 'UTC', told);
  const stop = new AbortController();
  stop.abort(new Error('stopped'));
  await expect(thinSnapshots(store.database, lease, 7, { signal: stop.signal })).rejects.toThrow('stopped');
  expect(await snapshots(store, 'hourly')).toHaveLength(180);
  await thinSnapshots(store.database, lease, 7, parts);
  const hours = (await snapshots(store, 'hourly')).map((row) => (row.at.getTime() - began) / hour);
  // The beginnings and the last two of the days; the change and the one before it.
  expect([...new Set(hours)]).toEqual([1, 22, 23, 24, 30, 31, 46, 47, 48, 59, 60]);
  expect(hours).toHaveLength(33);
  expect(await store.query("select position from sync.positions where job = 'thin-snapshots'")).toEqual([
    { position: { before: '2025-10-27T00:00:00.000000Z' } },
  ]);
});

test('a day stays explained by an observation at which nothing was uncertain, between two changes', async () => {
  const store = await openStore();
  const told = Array.from({ length: 60 }, (): Tick => ({ afterMs: hour, held: [['1'], ['1'], []] }));
  const { lease } = await observe(store, 'timing', 'UTC', told);
  await store.query(
    `with seen as (
      select * from (values ('a', 1, 'processing', 0.5, null), ('a', 2, 'failed', 25.5, 0.5),
        ('b', 1, 'processing', 30.5, null), ('b', 2, 'failed', 50.5, 30.5)) as v (id, sequence, status, hour, after)
    ), deposit as (
      insert into custody.transactions (account_id, transaction_id, status, transaction_type, asset_id, network_id, amount,
        first_seen_at, status_changed_at, changed_at, content_hash, raw)
      select 'timing', id, 'failed', 'deposit', 'asset0', 'net', 5, at, at, at, sha256(id::bytea), '{}'
      from (select id, $1::timestamptz + min(hour) * interval '1 hour' as at from seen group by id) as d
    )
    insert into custody.transaction_status_history
      (account_id, transaction_id, sequence, from_status, to_status, observed_at, observed_after, run_id)
    select 'timing', id, sequence, case sequence when 2 then 'processing' end, status,
      $1::timestamptz + hour * interval '1 hour', $1::timestamptz + after * interval '1 hour', 1 from seen`,
    [new Date(began)],
  );
  const before = await reports(store, 'timing', []);
  expect(before.reconciliation).toContainEqual({
    row: expect.objectContaining({ day: '2025-10-26', timing_difference: 5, is_explained: true }),
  });
  expect(await thinSnapshots(store.database, lease, 7, parts)).toBeGreaterThan(0);
  expect(await reports(store, 'timing', [])).toEqual(before);
});

test('the last tick at which all three were observed stays, though each has a later one', async () => {
  const store = await openStore();
  const all = ['1'];
  const told: Tick[] = [
    [all, all, all],
    [all, all, all],
    [all, all, null],
    [all, null, all],
  ].map((types) => ({ afterMs: hour, held: types }));
  const { lease } = await observe(store, 'partly', 'UTC', told);
  const split = () =>
    store.query("select observed_at, difference from reporting.vault_split where account_id = 'partly'");
  const before = await split();
  expect(before).toEqual([{ observed_at: new Date(began + 2 * hour), difference: '-1' }]);
  expect(await thinSnapshots(store.database, lease, 7, parts)).toBe(0);
  expect(await split()).toEqual(before);
});

test('up to where was thinned is kept as every session reads it, however one is set to write dates', async () => {
  const store = await openStore();
  const told = Array.from({ length: 60 }, (): Tick => ({ afterMs: hour, held: [['1'], ['1'], ['1']] }));
  const { lease } = await observe(store, 'dates', 'Asia/Kolkata', told);
  const name = new URL(store.url).pathname.slice(1);
  await store.query(`alter database "${name}" set datestyle = 'SQL, DMY'`);
  await store.query(`alter database "${name}" set timezone = 'Asia/Kolkata'`);
  await thinSnapshots(open(store.url), lease, 7, parts);
  expect(await store.query("select position from sync.positions where job = 'thin-snapshots'")).toEqual([
    { position: { before: '2025-10-26T18:30:00.000000Z' } },
  ]);
});

test('whoever lost the lease thins nothing', async () => {
  const store = await openStore();
  const told = Array.from({ length: 5 }, (): Tick => ({ afterMs: hour, held: [['1'], null, null] }));
  const { lease } = await observe(store, 'lost', 'UTC', told);
  const stale: Lease = { ...lease, token: '0' };
  await expect(thinSnapshots(store.database, stale, 7, parts)).rejects.toMatchObject({ code: 'LEASE-LOST' });
  expect(await snapshots(store, 'lost')).toHaveLength(5);
});
