// A row that somebody changed in the database: the change is told as such and undone with the next answer,
// and no value of it becomes the content before a change.
import { expect, test } from 'vitest';
import type { RecordDecoder } from '../../../src/custody/decode/items.ts';
import { transactionDecoder } from '../../../src/custody/decode/records.ts';
import { readStoredTransaction, storedReader } from '../../../src/custody/decode/stored.ts';
import type { Transaction } from '../../../src/domain/transaction.ts';
import { commitTransactionPages } from '../../../src/store/commit/commit-transactions.ts';
import { markMissingTransactions } from '../../../src/store/commit/mark-missing.ts';
import { replayed } from '../../seal/replayed.ts';
import { account, epoch, noRequests, openStore, pageOf, type Store } from '../../support/store.ts';

function commit(store: Store, page: ReturnType<typeof pageOf>, readStored = readStoredTransaction) {
  return commitTransactionPages(store.database, store.lease, store.run, {
    pages: [page],
    tally: noRequests,
    position: null,
    readStored,
  });
}

const told = (store: Store) =>
  store.query<{ before: object; after: object; changed_fields: string[] }>(
    'select changed_fields, before, after from custody.transaction_revisions order by revision',
  );
const altered = (store: Store) =>
  store.query<{ resource_id: string; found: Record<string, unknown> }>(
    `select resource_id, details->'found' as found from sync.anomalies where kind = 'altered'`,
  );
const rowOf = (store: Store) => store.query('select * from custody.transactions');

async function openAltered(set: string) {
  const store = await openStore();
  await commit(store, pageOf([{ id: 'a', amount: '1.50' }], 0));
  const [honest] = await rowOf(store);
  await store.query(`update custody.transactions set ${set}`);
  return { store, honest };
}

test('a forged amount is not the amount before a change', async () => {
  const { store } = await openAltered('amount = 999');
  await commit(store, pageOf([{ id: 'a', amount: '2.00' }], 10));
  expect(await told(store)).toMatchObject([
    { changed_fields: ['raw'], before: {}, after: { raw: { transaction: { amount: '2.00' } } } },
  ]);
  expect(await altered(store)).toMatchObject([{ resource_id: 'a', found: { amount: '999' } }]);
});

test('a row that an earlier version read otherwise is not altered with', async () => {
  const store = await openStore();
  const later: Pick<RecordDecoder<Transaction>, 'decode'> = {
    decode(...given) {
      const item = transactionDecoder.decode(...given);
      return { ...item, record: { ...item.record, note: item.record.note?.toUpperCase() ?? null } };
    },
  };
  await commit(store, pageOf([{ id: 'a', note: 'first' }], 0));
  await commit(store, pageOf([{ id: 'a', note: 'SECOND' }], 10), storedReader(later, transactionDecoder));
  expect(await altered(store)).toEqual([]);
  expect(await told(store)).toMatchObject([{ before: { note: 'first' }, after: { note: 'SECOND' } }]);
  await store.query(`update custody.transactions set note = 'forged'`);
  await commit(store, pageOf([{ id: 'a', note: 'THIRD' }], 20), storedReader(later, transactionDecoder));
  expect(await altered(store)).toMatchObject([{ found: { note: 'forged' } }]);
});

test('a second forgery does not hide the first', async () => {
  const { store } = await openAltered('amount = 999');
  await commit(store, pageOf([{ id: 'a', amount: '2.00' }], 10));
  await store.query('update custody.transactions set amount = 555');
  await commit(store, pageOf([{ id: 'a', amount: '3.00' }], 20));
  const [anomaly] = await store.query(`select details from sync.anomalies where kind = 'altered'`);
  expect(anomaly?.['details']).toMatchObject({
    found: { amount: '555' },
    earlier: [{ found: { amount: '999' } }],
  });
});

test.each([
  ['digest', `content_hash = 'forged'`, { content_hash: 'forged' }],
  [
    'record',
    `raw = jsonb_set(raw, '{transaction,amount}', '"999"'), content_hash = 'forged'`,
    { content_hash: 'forged', raw: expect.stringContaining('"amount": "999"') },
  ],
  [
    'mark, first sighting and status',
    `missing_since = '2027-01-01', first_seen_at = '2020-01-01', status = 'completed'`,
    { first_seen_at: '2020-01-01T00:00:00.000000Z', status: 'completed' },
  ],
])('a forged %s is undone by the same answer, without a row of history', async (_, set, found) => {
  const { store, honest } = await openAltered(set);
  const counts = await commit(store, pageOf([{ id: 'a', amount: '1.50' }], 10));
  expect(counts).toMatchObject({ changed: 0, statusChanges: 0, unchanged: 1 });
  expect(await told(store)).toEqual([]);
  expect(await rowOf(store)).toEqual([honest]);
  expect(await altered(store)).toMatchObject([{ resource_id: 'a', found }]);
  expect(await replayed(store.database, account)).toBeNull();
});

test('what was before a change of a forged record is left out, because nobody knows it', async () => {
  const { store } = await openAltered(
    `raw = jsonb_set(raw, '{transaction,amount}', '"999"'), amount = 999, content_hash = 'forged'`,
  );
  await commit(store, pageOf([{ id: 'a', amount: '2.00', status: 'completed' }], 10));
  const [revision] = await told(store);
  expect(revision).toMatchObject({
    changed_fields: ['raw'],
    before: {},
    after: { raw: { transaction: { amount: '2.00' } } },
  });
  expect(
    await store.query(
      'select from_status, to_status from custody.transaction_status_history order by sequence',
    ),
  ).toEqual([
    { from_status: null, to_status: 'pending' },
    { from_status: 'pending', to_status: 'completed' },
  ]);
  expect(await altered(store)).toHaveLength(1);
  expect(await replayed(store.database, account)).toBeNull();
});

const statuses = (store: Store) =>
  store.query<{ sequence: number; to_status: string }>(
    'select sequence, to_status from custody.transaction_status_history order by sequence',
  );
/** As a superuser whose session fires no triggers. */
const withoutTriggers = (store: Store, statement: string) =>
  store.query(
    `do $$ begin perform set_config('session_replication_role', 'replica', true); ${statement}; end $$`,
  );

test('a row that was deleted is written again, and its history goes on', async () => {
  const store = await openStore();
  await commit(store, pageOf([{ id: 'a', amount: '1.50' }], 0));
  const [honest] = await rowOf(store);
  await withoutTriggers(store, 'delete from custody.transactions');
  await commit(store, pageOf([{ id: 'a', amount: '1.50' }, { id: 'b' }], 10));
  expect(await store.query(`select * from custody.transactions where transaction_id = 'a'`)).toEqual([
    honest,
  ]);
  expect(await told(store)).toEqual([]);
  await withoutTriggers(store, 'delete from custody.transactions');
  await commit(store, pageOf([{ id: 'a', amount: '2.00', status: 'completed' }], 20));
  expect(await rowOf(store)).toMatchObject([
    { amount: '2.00', status: 'completed', first_seen_at: honest?.['first_seen_at'] },
  ]);
  expect((await statuses(store)).map(({ sequence }) => sequence).sort()).toEqual([1, 1, 2]);
  expect(await told(store)).toMatchObject([{ changed_fields: ['raw'], before: {} }]);
  expect(await altered(store)).toEqual([{ resource_id: 'a', found: { row: null } }]);
  await commit(store, pageOf([{ id: 'b' }], 30));
  expect(await replayed(store.database, account)).toBeNull();
});

test('a row that nobody observed is overwritten, and does not enter history', async () => {
  const store = await openStore();
  await commit(store, pageOf([{ id: 'a', amount: '1.50' }], 0));
  const columns = await store.query<{ name: string }>(
    `select quote_ident(attname) as name from pg_attribute
     where attrelid = 'custody.transactions'::regclass and attnum > 0 and not attisdropped and attname <> 'transaction_id'`,
  );
  const names = columns.map(({ name }) => name).join();
  await store.query(
    `insert into custody.transactions (transaction_id, ${names}) select 'b', ${names} from custody.transactions`,
  );
  await store.query(
    `update custody.transactions set amount = 999, first_seen_after = '2001-01-01' where transaction_id = 'b'`,
  );
  await commit(store, pageOf([{ id: 'b', amount: '2.00' }], 10));
  expect(await told(store)).toEqual([]);
  const rows = await store.query(
    `select t.amount, t.first_seen_at = h.observed_at as alike, t.first_seen_after is not distinct from h.observed_after as bounded
     from custody.transactions t join custody.transaction_status_history h using (account_id, transaction_id)
     where transaction_id = 'b'`,
  );
  expect(rows).toEqual([{ amount: '2.00', alike: true, bounded: true }]);
  expect(await altered(store)).toMatchObject([{ resource_id: 'b', found: { amount: '999' } }]);
});

test('a row that nobody observed, and that was marked as missing, is overwritten when it is shown', async () => {
  const store = await openStore();
  await commit(store, pageOf([{ id: 'a' }], 0));
  await store.query(
    `insert into custody.transactions select (jsonb_populate_record(t, '{"transaction_id": "f"}')).* from custody.transactions t`,
  );
  const missing = { ids: ['f'], asked: epoch + 20, missingSince: epoch + 21 };
  expect(await markMissingTransactions(store.database, store.lease, store.run, missing)).toBe(1);
  const page = (at: number) => pageOf([{ id: 'f', amount: '2.50' }, { id: 'a' }], at);
  expect(await commit(store, page(30))).toMatchObject({ insertedIds: ['f'] });
  await commit(store, page(40));
  expect(
    await store.query(`select amount, missing_since from custody.transactions where transaction_id = 'f'`),
  ).toEqual([{ amount: '2.50', missing_since: null }]);
});

test('an honest row is not reported as altered, whatever happens to it', async () => {
  const store = await openStore();
  const wires = [
    { id: 'a', amount: '1.50' },
    { id: 'a', amount: '2.00', status: 'completed', timestamp: '2026-01-01T00:00:00Z' },
    { id: 'a', amount: '2.000', status: 'completed', extra: { n: 1e21 } },
    { id: 'a', amount: '2.000', status: 'rejected', extra: { n: 'ü\\' } },
  ];
  for (const [n, wire] of wires.entries()) await commit(store, pageOf([wire], n * 10));
  expect(await altered(store)).toEqual([]);
});
