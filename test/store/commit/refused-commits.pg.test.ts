// A commit writes only if its transaction has begun and the lease is held. A refused statement fails it with
// its own error.

import { expect, test } from 'vitest';
import { createClock } from '../../../src/base/clock.ts';
import { commitTransactionPages } from '../../../src/store/commit/commit-transactions.ts';
import type { Database } from '../../../src/store/postgres/database.ts';
import { countTransactions } from '../../../src/store/run/accounts.ts';
import { acquireLease } from '../../../src/store/run/leases.ts';
import { openGate } from '../../support/gate.ts';
import {
  account,
  commitPages,
  noRequests,
  open,
  openStore,
  page,
  pageOf,
  type Store,
  undecodable,
  type WireTransaction,
} from '../../support/store.ts';

let asked = 0;

async function commitTo(
  { lease, run, database: own }: Store,
  wires: readonly WireTransaction[],
  database: Database = own,
) {
  asked += 1_000;
  return await commitTransactionPages(database, lease, run, {
    pages: [pageOf(wires, asked)],
    tally: noRequests,
    position: { job: 'transactions', position: { asked } },
  });
}

const rows = async (store: Store) => ({
  transactions: await store.query('select transaction_id, status, note from custody.transactions order by 1'),
  statuses: await store.query(
    'select transaction_id, sequence, to_status from custody.transaction_status_history order by 1, 2',
  ),
  positions: await store.query('select job from sync.positions'),
});
/** How many rows of history were ever made, even by transactions that were rolled back. */
const everMade = async (store: Store) => {
  const [row] = await store.query<{ made: number }>(
    'select case when is_called then last_value::int else 0 end as made from custody.change_ids',
  );
  return row?.made;
};
const nothing = { transactions: [], statuses: [], positions: [] };

/** Commits through a connection on which the beginning of the transaction is refused. */
async function commitUnbegun(store: Store) {
  const gate = await openGate(store.url);
  const database = open(gate.url);
  await commitTo(store, [], database);
  await store.query('delete from sync.positions');
  gate.spoilNext('begin isolation');
  await expect(commitTo(store, [{ id: 'a' }], database)).rejects.toThrow(/^statement begin failed/);
  return database;
}

test('a transaction that never began writes nothing', async () => {
  const store = await openStore();
  const database = await commitUnbegun(store);
  expect(await rows(store)).toEqual(nothing);
  expect(await everMade(store)).toBe(0);
  expect(await commitTo(store, [{ id: 'a' }], database)).toMatchObject({ inserted: 1 });
});

test('a holder that lost its lease writes nothing', async () => {
  const store = await openStore();
  await store.query("update sync.leases set expires_at = '-infinity'");
  await expect(commitTo(store, [{ id: 'a' }])).rejects.toMatchObject({ code: 'LEASE-LOST' });
  await acquireLease(store.database, { account, holder: 'other', ttlMs: 60_000, clock: createClock() });
  await expect(commitTo(store, [{ id: 'a' }])).rejects.toMatchObject({ code: 'LEASE-LOST' });
  expect(await rows(store)).toEqual(nothing);
  expect(await everMade(store)).toBe(0);
});

test('in tables of a newer version the version is reported, not that the rows do not fit', async () => {
  const store = await openStore();
  await store.query('alter table custody.transactions rename column note to remark');
  await store.query('update drizzle.__drizzle_migrations set created_at = created_at + 1e12::bigint');
  await expect(commitTo(store, [{ id: 'a' }])).rejects.toMatchObject({ code: 'SCHEMA-NEWER' });
  expect(await store.query('select from custody.transactions')).toEqual([]);
});

test('together with a changed, a known and a formerly quarantined transaction, all is written as by single commits', async () => {
  const store = await openStore();
  const first = await commitTo(store, [{ id: 'a' }, { id: 'b' }]);
  expect(first).toMatchObject({ inserted: 2, unchanged: 0 });
  const changed = await commitTo(store, [{ id: 'b' }, { id: 'a', status: 'failed' }, { id: 'c' }]);
  expect(changed).toMatchObject({
    inserted: 1,
    changed: 1,
    unchanged: 1,
    insertedIds: ['c'],
    changedIds: ['a'],
  });
  const known = await commitTo(store, [{ id: 'c' }, { id: 'd' }, { id: 'b' }]);
  expect(known).toMatchObject({ inserted: 1, changed: 0, unchanged: 2, insertedIds: ['d'] });
  await commitPages(store, page([undecodable('q')], asked));
  const read = await commitTo(store, [{ id: 'q' }, { id: 'e' }]);
  expect(read).toMatchObject({ inserted: 2, insertedIds: ['q', 'e'] });
  const { transactions, statuses } = await rows(store);
  expect(transactions.map((row) => [row['transaction_id'], row['status']])).toEqual([
    ['a', 'failed'],
    ...['b', 'c', 'd', 'e', 'q'].map((id) => [id, 'pending']),
  ]);
  expect(statuses.map((row) => [row['transaction_id'], row['sequence']])).toEqual([
    ['a', 1],
    ['a', 2],
    ...['b', 'c', 'd', 'e', 'q'].map((id) => [id, 1]),
  ]);
  const counted = await countTransactions(store.database, account);
  expect(counted).toBe(6);
});

test('names that look like the text of an array are looked up as they are', async () => {
  const store = await openStore();
  const names = ['{}', '{a,b}', '"', '\\', 'null', 'NULL', ',', ' ', "'", '€'];
  const wires = names.map((id) => ({ id }));
  expect(await commitTo(store, wires)).toMatchObject({ inserted: names.length });
  expect(await commitTo(store, [{ id: 'z' }, ...wires])).toMatchObject({
    inserted: 1,
    unchanged: names.length,
  });
});

test('a refused row is reported, and nothing of its commit stays', async () => {
  const store = await openStore();
  await store.query(`alter table custody.transaction_status_history add check (transaction_id <> 'bad')`);
  await expect(commitTo(store, [{ id: 'a' }, { id: 'bad' }])).rejects.toThrow(
    /^statement transaction-status-history.write failed .*violates check constraint/,
  );
  expect(await rows(store)).toEqual(nothing);
});

test('of a refused row that ends the session nothing stays', async () => {
  const store = await openStore();
  const name = new URL(store.url).pathname.slice(1);
  await store.query(`alter table custody.transaction_status_history add check (transaction_id <> 'bad')`);
  await store.query(`alter database ${name} set exit_on_error = on`);
  const database = open(store.url);
  // The statements behind the refused row end the session, and with it the reason may be lost.
  await expect(commitTo(store, [{ id: 'bad', type: 'odd' }], database)).rejects.toThrow();
  expect(await rows(store)).toEqual(nothing);
});

test('a refused comparison is reported, not that its transaction could not continue', async () => {
  const store = await openStore();
  await store.query('alter table sync.quarantine rename to elsewhere');
  await expect(commitTo(store, [{ id: 'a' }])).rejects.toThrow(/transactions\.compare/);
  expect(await store.query('select from custody.transactions')).toEqual([]);
});
