// Committing a series of readings at once writes what committing one after the other does.
import { expect, test } from 'vitest';
import { commitTransactionPages } from '../../../../src/store/commit/commit-transactions.ts';
import {
  epoch,
  noRequests,
  openStore,
  pageOf,
  type Store,
  type WireTransaction,
} from '../../../../test/support/store.ts';
import { type PreparedRun, writePreparedRuns } from '../../src/backfill/prepared-runs.ts';
import {
  commitPreparedTransactions,
  type PreparedReading,
} from '../../src/backfill/prepared-transactions.ts';

/** What each run was shown, the first in a sweep. */
const shown: readonly (readonly WireTransaction[])[] = [
  [{ id: 'old' }, { id: 'settled', status: 'completed' }],
  [{ id: 'new' }, { id: 'old', status: 'processing' }],
  [],
  [
    { id: 'new', status: 'processing', note: 'sent' },
    { id: 'late', status: 'completed' },
  ],
  [{ id: 'settled', status: 'completed', amount: '2.50' }],
  [
    { id: 'new', status: 'completed', note: 'sent again' },
    { id: 'old', status: 'processing' },
  ],
  [{ id: 'old', status: 'completed' }, { id: 'newest' }],
];

/** Each run a minute after the one before it. */
const startOf = (index: number) => index * 60_000;

function planned(index: number): PreparedRun {
  const isSweep = index === 0;
  return {
    job: 'transactions',
    mode: isSweep ? 'full' : 'incremental',
    startedAt: epoch + startOf(index),
    finishedAt: epoch + startOf(index) + 10,
    requests: 1,
    recordsRead: 0,
    verified: isSweep ? true : null,
    verdict: null,
    openTransactionsRead: true,
    failure: null,
  };
}

async function readings({ database, lease }: Store): Promise<readonly PreparedReading[]> {
  const runs = await writePreparedRuns(
    database,
    lease,
    shown.map((_, index) => planned(index)),
  );
  return runs.map((run, index) => {
    const wires = shown[index] ?? [];
    return { run, pages: wires.length === 0 ? [] : [pageOf(wires, startOf(index) + 2)] };
  });
}

async function commitAlone({ database, lease }: Store, { run, pages }: PreparedReading): Promise<void> {
  const tally = { ...noRequests, requests: 1 };
  if (pages.length > 0) await commitTransactionPages(database, lease, run, { pages, tally, position: null });
}

async function written(store: Store) {
  const tables = {
    transactions: 'select * from custody.transactions order by transaction_id',
    statuses: `select h.*, r.started_at from custody.transaction_status_history h join sync.runs r using (account_id, run_id)
      order by transaction_id, sequence`,
    revisions: `select v.*, r.started_at from custody.transaction_revisions v join sync.runs r using (account_id, run_id)
      order by transaction_id, revision`,
    runs: 'select * from sync.runs where finished_at is not null order by started_at',
    accounts: 'select transactions_total, transactions_missing from custody.accounts',
  };
  const found = Object.entries(tables).map(async ([name, query]) => {
    const rows = await store.query(query);
    // Numbers that are drawn differ.
    return [name, rows.map(({ run_id: _, change_id: __, ...row }) => row)] as const;
  });
  return Object.fromEntries(await Promise.all(found));
}

test('readings that are committed at once leave what they leave one after the other', async () => {
  const [alone, atOnce] = [await openStore(), await openStore()];
  for (const reading of await readings(alone)) await commitAlone(alone, reading);
  const [sweep, ...later] = await readings(atOnce);
  if (sweep === undefined) throw new Error('nothing was read');
  await commitAlone(atOnce, sweep);
  await commitPreparedTransactions(atOnce.database, atOnce.lease, later.slice(0, 4));
  await commitPreparedTransactions(atOnce.database, atOnce.lease, later.slice(4));
  const expected = await written(alone);
  expect(expected['statuses']).toHaveLength(9);
  expect(expected['revisions']).toHaveLength(3);
  expect(await written(atOnce)).toEqual(expected);
});
