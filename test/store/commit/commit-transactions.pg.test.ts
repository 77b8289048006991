import { expect, test } from 'vitest';
import type { Page } from '../../../src/domain/page.ts';
import type { Transaction } from '../../../src/domain/transaction.ts';
import { commitTransactionPages } from '../../../src/store/commit/commit-transactions.ts';
import { markMissingTransactions } from '../../../src/store/commit/mark-missing.ts';
import { readPosition } from '../../../src/store/run/learned.ts';
import { capturingLogger } from '../../support/loggers.ts';
import {
  account,
  commitPages,
  epoch,
  item,
  open,
  openStore,
  page,
  pageOf,
  type Store,
  transaction,
} from '../../support/store.ts';
import { commit, none } from '../../support/transaction-commits.ts';

const statuses = (store: Store) =>
  store.query(`select transaction_id, sequence, from_status, to_status from custody.transaction_status_history
    order by transaction_id, sequence`);

test('new transactions are inserted with their first status', async () => {
  const store = await openStore();
  const texts = [
    'plain',
    'quote " and \\ backslash',
    '{braces}, comma',
    'NULL',
    '',
    'naïve ₿ 🚀',
    'tab\tline\nend',
  ];
  const wires = texts.map((note, index) => ({
    id: `t${index}`,
    note,
    amount: '007.10',
    timestamp: '2026-01-01T00:00:00.123Z',
  }));
  expect(await commit(store, pageOf(wires, 0, 5))).toEqual({ ...none, inserted: texts.length });
  const rows = await store.query('select * from custody.transactions order by transaction_id');
  expect(rows.map((row) => row['note'])).toEqual(texts);
  expect(rows[0]).toMatchObject({
    account_id: account,
    transaction_id: 't0',
    status: 'pending',
    transaction_type: 'deposit',
    amount: '7.10',
    fee: null,
    source_timestamp: new Date('2026-01-01T00:00:00.123Z'),
    first_seen_at: new Date('2026-01-01T00:00:00.005Z'),
    status_changed_at: new Date('2026-01-01T00:00:00.005Z'),
    changed_at: new Date('2026-01-01T00:00:00.005Z'),
    missing_since: null,
    raw: { transaction_id: 't0', status: 'pending' },
  });
  expect((await statuses(store))[0]).toEqual({
    transaction_id: 't0',
    sequence: 1,
    from_status: null,
    to_status: 'pending',
  });
});

test('a change of status is history and any other change a revision', async () => {
  const store = await openStore();
  await commit(store, pageOf([{ id: 'a', extra: { keep: 1, drop: 0.1 } }], 0));
  const changed = pageOf(
    [{ id: 'a', status: 'completed', amount: '1.500', note: 'n', extra: { keep: 1, add: [] } }],
    10,
    12,
  );
  expect(await commit(store, changed)).toEqual({ ...none, changed: 1, statusChanges: 1 });
  expect(await statuses(store)).toEqual([
    { transaction_id: 'a', sequence: 1, from_status: null, to_status: 'pending' },
    { transaction_id: 'a', sequence: 2, from_status: 'pending', to_status: 'completed' },
  ]);
  expect(
    await store.query(
      'select revision, changed_fields, before, after, run_id from custody.transaction_revisions',
    ),
  ).toEqual([
    {
      revision: 1,
      changed_fields: ['amount', 'note', 'raw.extra.add', 'raw.extra.drop'],
      before: { amount: '1.50', note: '', 'raw.extra.drop': 0.1 },
      after: { amount: '1.500', note: 'n', 'raw.extra.add': [] },
      run_id: store.run.runId,
    },
  ]);
  const [row] = await store.query(
    'select first_seen_at, status_changed_at, changed_at, amount from custody.transactions',
  );
  expect(row).toEqual({
    first_seen_at: new Date('2026-01-01T00:00:00.001Z'),
    status_changed_at: new Date('2026-01-01T00:00:00.012Z'),
    changed_at: new Date('2026-01-01T00:00:00.012Z'),
    amount: '1.500',
  });
});

test('a record spelled otherwise has a revision of the whole record, because its digest is another one', async () => {
  const store = await openStore();
  await commit(store, pageOf([{ id: 'a' }], 0));
  const spelled = { ...transaction({ id: 'a' }), contentHash: 'other' };
  expect(await commit(store, page([item(spelled)], 10))).toEqual({ ...none, changed: 1 });
  const raw = JSON.parse(spelled.raw);
  expect(
    await store.query(
      'select changed_fields, before, after, content_hash from custody.transaction_revisions',
    ),
  ).toEqual([{ changed_fields: ['raw'], before: { raw }, after: { raw }, content_hash: 'other' }]);
});

test('an answer asked for before the row last changed may not change it', async () => {
  const store = await openStore();
  await commit(store, pageOf([{ id: 'a', status: 'completed' }], 10, 20));
  expect(await commit(store, pageOf([{ id: 'a', status: 'pending' }], 19, 30))).toEqual({
    ...none,
    stale: 1,
  });
  expect(await commit(store, pageOf([{ id: 'a', status: 'failed' }], 20, 30))).toMatchObject({ changed: 1 });
});

test('pages committed together show what was seen in sequence', async () => {
  const store = await openStore();
  const result = await commit(
    store,
    pageOf([{ id: 'a', status: 'confirming' }], 10, 15),
    pageOf([{ id: 'a', status: 'pending' }], 0, 5),
    pageOf([{ id: 'a', status: 'confirming' }], 20, 25),
    pageOf([{ id: 'b', status: 'pending' }], 30, 35),
    pageOf([{ id: 'b', status: 'confirming' }], 31, 33),
  );
  expect(result).toEqual({ ...none, inserted: 2, changed: 1, statusChanges: 1, unchanged: 1, stale: 1 });
  expect(await statuses(store)).toEqual([
    { transaction_id: 'a', sequence: 1, from_status: null, to_status: 'pending' },
    { transaction_id: 'a', sequence: 2, from_status: 'pending', to_status: 'confirming' },
    { transaction_id: 'b', sequence: 1, from_status: null, to_status: 'confirming' },
  ]);
});

test('a transaction marked missing is unmarked when it is seen again, by no answer older than the mark', async () => {
  const store = await openStore();
  await commit(store, pageOf([{ id: 'a' }], 0));
  await markMissingTransactions(store.database, store.lease, store.run, {
    ids: ['a'],
    asked: epoch + 100,
    missingSince: epoch + 100,
  });
  expect(await commit(store, pageOf([{ id: 'a' }], 99))).toEqual({ ...none, stale: 1 });
  expect(await commit(store, pageOf([{ id: 'a' }], 100))).toEqual({ ...none, changed: 1 });
  expect(await store.query('select missing_since from custody.transactions')).toEqual([
    { missing_since: null },
  ]);
});

test('counters and position are committed with the rows', async () => {
  const store = await openStore();
  const tally = { requests: 3, retries: 1, rateLimited: 1 };
  const position = { job: 'transactions', position: { offset: 200, last: ['a', 'b'] } };
  await commitTransactionPages(store.database, store.lease, store.run, {
    pages: [pageOf([{ id: 'a' }, { id: 'b' }], 0)],
    tally,
    position,
  });
  expect(
    await store.query(
      'select requests, retries, rate_limited, records_read, records_inserted from sync.runs',
    ),
  ).toEqual([{ requests: 3, retries: 1, rate_limited: 1, records_read: '2', records_inserted: '2' }]);
  expect((await readPosition(store.database, account, 'transactions'))?.position).toEqual(position.position);
});

test('the number of statements does not grow with the pages, and is least when nothing changed', async () => {
  const store = await openStore();
  const { logger, entries } = capturingLogger('debug');
  const database = open(store.url, { logger });
  const statements = async (pages: Page<Transaction>[]) => {
    const before = entries().length;
    await commitPages({ ...store, database }, ...pages);
    return entries()
      .slice(before)
      .map((entry) => entry['statement']);
  };
  const wires = (count: number, note: string) =>
    Array.from({ length: count }, (_, index) => ({
      id: `${count}-${index}`,
      note,
      status: note || 'pending',
    }));
  const few = await statements([pageOf(wires(2, ''), 0)]);
  const many = await statements([pageOf(wires(300, ''), 0), pageOf(wires(301, ''), 10)]);
  expect(many).toEqual(few);
  expect(await statements([pageOf(wires(2, 'x'), 20)])).toEqual(
    await statements([pageOf(wires(300, 'x'), 20)]),
  );
  expect(await statements([pageOf(wires(300, 'x'), 30)])).toEqual([
    'begin',
    'transactions.compare',
    'runs.count',
    'commit',
  ]);
});
