import { expect, test } from 'vitest';
import { markMissingTransactions } from '../../../src/store/commit/mark-missing.ts';
import { finishRun, type Run, startRun } from '../../../src/store/run/runs.ts';
import { microsToIso } from '../../../src/store/values/micros.ts';
import {
  commitPages,
  noRequests,
  openStore,
  page,
  pageOf,
  type Store,
  undecodable,
  type WireTransaction,
} from '../../support/store.ts';

const now = () => Date.now();

function begin(
  store: Store,
  job = 'transactions',
  mode: 'full' | 'incremental' = 'incremental',
): Promise<Run> {
  return startRun(store.database, store.lease, { job, mode });
}

function end(
  store: Store,
  run: Run,
  openTransactionsRead: boolean | null = true,
  status: 'succeeded' | 'failed' = 'succeeded',
  listReadWhole = true,
) {
  return finishRun(store.database, store.lease, run, {
    status,
    verified: null,
    verdict: null,
    openTransactionsRead,
    listReadWhole,
    tally: noRequests,
  });
}

let asked = 0;

/** Commits what an answer of this moment shows. */
async function show(store: Store, run: Run, ...wires: readonly WireTransaction[]): Promise<void> {
  // Whole, growing milliseconds since the epoch of the tests, and never the same twice.
  asked = Math.max(asked + 2, now() - Date.UTC(2026, 0, 1));
  await commitPages({ ...store, run }, pageOf(wires, asked, asked + 1));
}

/**
 * Which run's beginning bounds the last status change of the transaction; the number of the run, or what else
 * it is.
 */
async function bound(store: Store, id = 'a') {
  const [row] = await store.query<{ run: string | null; after: string | null; honest: boolean }>(
    `select (select run_id from sync.runs r where r.started_at = h.observed_after) as run, observed_after::text as after,
       observed_after is null or observed_after <= observed_at as honest
     from custody.transaction_status_history h where transaction_id = $1 order by sequence desc limit 1`,
    [id],
  );
  expect(row?.honest).toBe(true);
  return row?.run ?? row?.after ?? null;
}

/** Ends a run as a sweep of transactions that read the whole list, verified or not. */
const endSweep = (store: Store, run: Run, verified: boolean, quarantined = 0) =>
  store.query(
    `update sync.runs set status = 'succeeded', finished_at = clock_timestamp(), verified = $2, open_transactions_read = true,
       quarantined = $3 where run_id = $1`,
    [run.runId, verified, quarantined],
  );

test('a first sighting is bound by the last sweep that would have shown it', async () => {
  const store = await openStore();
  await endSweep(store, store.run, true);
  await endSweep(store, await begin(store, 'reconcile', 'full'), false);
  await end(store, await begin(store));
  // An increment knows its end of the list alone: it says nothing of what a sweep meets elsewhere.
  const sweep = await begin(store, 'transactions', 'full');
  const beside = await begin(store, 'reconcile', 'full');
  await show(store, sweep, { id: 'a' });
  expect(await bound(store)).toBe(store.run.runId);
  await endSweep(store, beside, true);
  await show(store, sweep, { id: 'b' });
  expect(await bound(store, 'b')).toBe(store.run.runId);
  expect(
    await store.query(
      `select count(*)::int from custody.transactions t join custody.transaction_status_history h using (account_id, transaction_id)
       where t.first_seen_after = h.observed_after`,
    ),
  ).toEqual([{ count: 2 }]);
});

test('what an increment meets first is bound by the increment before, where that left nothing unread', async () => {
  const store = await openStore();
  await endSweep(store, store.run, true);
  const whole = await begin(store);
  await end(store, whole);
  await end(store, await begin(store), false);
  await end(store, await begin(store), true, 'failed');
  await endSweep(store, await begin(store), false, 1);
  await show(store, await begin(store), { id: 'a' });
  expect(await bound(store)).toBe(whole.runId);
});

test('without either nothing is known: a sweep that is not verified may have passed it by', async () => {
  const store = await openStore();
  await end(store, await begin(store, 'transactions', 'full'), true, 'succeeded', true);
  await show(store, await begin(store), { id: 'a' });
  expect(await bound(store)).toBeNull();
  expect(
    await store.query(
      `select t.first_seen_after, t.first_seen_at <= a.transactions_since as is_older
       from custody.transactions t join custody.accounts a using (account_id)`,
    ),
  ).toEqual([{ first_seen_after: null, is_older: false }]);
});

test('a verified sweep that went on from an earlier run is no bound: it began when that run did', async () => {
  const store = await openStore();
  await endSweep(store, store.run, true);
  const resumed = await begin(store, 'transactions', 'full');
  await endSweep(store, resumed, true);
  await store.query(`update sync.runs set verdict = '{"resumed": 1}' where run_id = $1`, [resumed.runId]);
  await show(store, await begin(store, 'transactions', 'full'), { id: 'a' });
  expect(await bound(store)).toBe(store.run.runId);
});

/** Commits an answer of this moment that holds records that cannot be decoded. */
async function showUnreadable(store: Store, run: Run, ...ids: readonly string[]): Promise<void> {
  asked = Math.max(asked + 2, now() - Date.UTC(2026, 0, 1));
  const items = ids.map((id) => undecodable(id));
  await commitPages({ ...store, run }, page(items, asked));
}

const told = (store: Store) =>
  store.query(
    `select t.transaction_id as id, t.first_seen_after, u.first_seen_after as used_after, is_older_than_mirror as is_older, settled_at,
       u.whitelist_reason as reason, t.status,
       (select count(*)::int from reporting.postings p where p.transaction_id = t.transaction_id) as postings
     from reporting.transactions t join reporting.destination_uses u using (account_id, transaction_id, is_older_than_mirror) order by 1`,
  );

test('what the first sweep could not decode is older than the mirror when it can be read', async () => {
  const store = await openStore();
  await showUnreadable(store, store.run, 'a', 'b');
  await store.query(
    `insert into custody.document_readings values ('acme', 'whitelist_entry', now(), now(), now())`,
  );
  await end(store, store.run);
  // Nothing of it is on the pages of the increments, which claim no more than their end of the list.
  await endSweep(store, await begin(store), false);
  const reading = await begin(store);
  const wire = { id: 'a', status: 'completed', type: 'withdraw' };
  await show(store, reading, wire, { id: 'b', type: 'withdraw' });
  await store.query(
    `update custody.document_readings set last_read_after = now() + interval '1 day', last_read_at = now() + interval '1 day'`,
  );
  const unknown = {
    first_seen_after: null,
    used_after: null,
    is_older: true,
    settled_at: null,
    reason: 'unknown: before the whitelist was first read',
    postings: 0,
  };
  expect(await told(store)).toEqual([
    { id: 'a', status: 'completed', ...unknown },
    { id: 'b', status: 'pending', ...unknown },
  ]);
  // What was first seen is the time of the answer that held it unread; what was written is that of the
  // reading.
  expect(
    await store.query(
      `select bool_and(t.first_seen_at = q.first_observed_at and h.observed_at = q.first_observed_at
         and t.status_changed_at = q.first_observed_at and t.changed_at > q.first_observed_at
         and h.run_id = $1 and q.resolved_at is not null) as same
       from custody.transactions t join custody.transaction_status_history h using (account_id, transaction_id)
       join sync.quarantine q on q.record_key = t.transaction_id`,
      [reading.runId],
    ),
  ).toEqual([{ same: true }]);
  // What changes from then on is new, and bound by the run that read it.
  await end(store, reading, false);
  await show(store, await begin(store), { id: 'b', type: 'withdraw', status: 'completed' });
  expect(await bound(store, 'b')).toBe(reading.runId);
  expect((await told(store))[1]).toMatchObject({ is_older: true, settled_at: expect.any(Date) });
});

test('what stood in quarantine later has no bound, and the time of its reading', async () => {
  const store = await openStore();
  await end(store, store.run);
  await endSweep(store, store.run, true);
  await showUnreadable(store, await begin(store, 'transactions', 'full'), 'a');
  await endSweep(store, await begin(store), false);
  await show(store, await begin(store), { id: 'a', type: 'withdraw' }, { id: 'b', type: 'withdraw' });
  expect(await told(store)).toMatchObject([
    { id: 'a', first_seen_after: null, is_older: false },
    { id: 'b', first_seen_after: expect.any(Date), is_older: false },
  ]);
});

test('the last run before this one that read every open transaction is the bound', async () => {
  const store = await openStore();
  await show(store, store.run, { id: 'a' });
  await end(store, store.run);
  const second = await begin(store);
  await end(store, second);
  await end(store, await begin(store), false);
  await end(store, await begin(store), true, 'failed');
  await end(store, await begin(store, 'balances', 'full'), null);
  await show(store, await begin(store), { id: 'a', status: 'processing' });
  expect(await bound(store)).toBe(second.runId);
});

test('without such a run it is the run that wrote the status before, or the last other change', async () => {
  const store = await openStore();
  await show(store, store.run, { id: 'a' }, { id: 'b' });
  await end(store, store.run, false);
  const second = await begin(store);
  await show(store, second, { id: 'b', note: 'changed' });
  await end(store, second, false);
  await show(store, await begin(store), { id: 'a', status: 'processing' }, { id: 'b', status: 'processing' });
  expect(await bound(store, 'a')).toBe(store.run.runId);
  expect(await bound(store, 'b')).toBe(second.runId);
});

test('a run still under way when this one began is none', async () => {
  const store = await openStore();
  await show(store, store.run, { id: 'a' });
  await end(store, store.run, false);
  const reading = await begin(store);
  const reconcile = await begin(store, 'reconcile', 'full');
  await end(store, reading);
  await show(store, reconcile, { id: 'a', status: 'processing' });
  expect(await bound(store)).toBe(store.run.runId);
});

test.each([
  ['status', { id: 'a', status: 'processing' }],
  ['note', { id: 'a', note: 'changed' }],
])('a reading does not count if a concurrent run changed the %s', async (_, changed) => {
  const store = await openStore();
  await show(store, store.run, { id: 'a' });
  await end(store, store.run, false);
  const reconcile = await begin(store, 'reconcile', 'full');
  const reading = await begin(store);
  await end(store, reading);
  // Asked for before the reading began, for all that the mirror knows.
  await show(store, reconcile, changed);
  await end(store, reconcile, false);
  const third = await begin(store);
  await show(store, third, { id: 'a', status: 'completed' });
  expect(await bound(store)).toBe(reconcile.runId);
});

test('a settled status was not looked for, nor was a transaction held to be gone', async () => {
  const store = await openStore();
  await show(store, store.run, { id: 'a', status: 'failed' }, { id: 'b' });
  await end(store, store.run, false);
  const second = await begin(store, 'transactions', 'full');
  await markMissingTransactions(store.database, store.lease, second, {
    ids: ['b'],
    asked: now() + 60_000,
    missingSince: now(),
  });
  await end(store, second, true);
  const reading = await begin(store);
  await end(store, reading);
  await show(store, await begin(store), { id: 'a', status: 'completed' }, { id: 'b', status: 'completed' });
  expect(await bound(store, 'a')).toBe(store.run.runId);
  expect(await bound(store, 'b')).toBe(store.run.runId);
});

test('of two changes in one commit the second is bound by the run itself', async () => {
  const store = await openStore();
  const next = pageOf([{ id: 'a', status: 'completed' }], now() + 10);
  await commitPages(store, pageOf([{ id: 'a' }], now()), next);
  expect(await bound(store)).toBe(store.run.runId);
});

test('a bound is never after the observation, and runs that are removed leave none', async () => {
  const store = await openStore();
  await show(store, store.run, { id: 'a' });
  await end(store, store.run, false);
  await store.query('delete from sync.runs');
  const second = await begin(store);
  await show(store, second, { id: 'a', status: 'processing' });
  expect(await bound(store)).toBeNull();
  // A clock that stands wrong by years, which alignment does not leave.
  const next = pageOf([{ id: 'b', status: 'completed' }], 10);
  await commitPages({ ...store, run: second }, pageOf([{ id: 'b' }], 0), next);
  expect(Date.parse(String(await bound(store, 'b')))).toBe(
    Date.parse(microsToIso((Date.UTC(2026, 0, 1) + 11) * 1000)),
  );
});

test('the first sweep that read the whole list says since when transactions are new, once', async () => {
  const store = await openStore();
  const since = async () =>
    (
      await store.query(
        `select (select min(run_id) from sync.runs r where r.finished_at = a.transactions_since) as run
         from custody.accounts a`,
      )
    )[0]?.['run'];
  await end(store, store.run, null, 'failed');
  await end(store, await begin(store));
  await end(store, await begin(store, 'vaults', 'full'));
  await end(store, await begin(store, 'transactions', 'full'), true, 'succeeded', false);
  expect(await since()).toBeNull();
  const first = await begin(store, 'reconcile', 'full');
  await end(store, first);
  await end(store, await begin(store, 'transactions', 'full'));
  expect(await since()).toBe(first.runId);
});
