// What `bench:scale` measures of the mirror's own work: the statements of a cycle, as its jobs make them, and
// what operators ask for.
import { createClock } from '../src/base/clock.ts';
import type { Page } from '../src/domain/page.ts';
import type { Transaction } from '../src/domain/transaction.ts';
import { commitTransactionPages } from '../src/store/commit/commit-transactions.ts';
import { readRows } from '../src/store/commit/transaction-rows.ts';
import { readOpenTransactionIds } from '../src/store/job-queries/mirrored.ts';
import { readStatus } from '../src/store/job-queries/status.ts';
import type { Database } from '../src/store/postgres/database.ts';
import { acquireLease, type Lease, releaseLease, withFence } from '../src/store/run/leases.ts';
import { startRun } from '../src/store/run/runs.ts';
import { migrate } from '../src/store/schema/migrate.ts';
import { removeOld } from '../src/store/upkeep/prune.ts';
import { benchAccount } from './reporting-size.ts';

export interface Work {
  readonly name: string;
  readonly run: () => Promise<unknown>;
}

const signal = new AbortController().signal;
const request = { account: benchAccount, holder: 'bench:scale', ttlMs: 3_600_000, clock: createClock() };

/** @param newestIds identifiers of transactions that were seen last */
export async function mirrorWork(database: Database, newestIds: readonly string[]): Promise<readonly Work[]> {
  let lease = await take(database);
  const run = await startRun(database, lease, { job: 'transactions', mode: 'incremental' });
  const known = await withFence(database, lease, 'bench', (tx) => readRows(tx, newestIds));
  const records = known.map(({ record }) => record);
  let number = 0;
  const commit = (shown: readonly Transaction[]) =>
    commitTransactionPages(database, lease, run, {
      pages: [pageOf(shown)],
      tally: { requests: 1, retries: 0, rateLimited: 0 },
      position: null,
    });
  return [
    { name: 'start: the schema is checked', run: () => migrate(database) },
    { name: 'start: the open transactions', run: () => readOpenTransactionIds(database, benchAccount) },
    { name: 'commit of 200 known transactions', run: () => commit(records) },
    {
      name: 'commit of 100 new transactions and 50 changed ones',
      run: () => {
        number += 1;
        const isNew = records
          .slice(0, 100)
          .map((record) => ({ ...record, transactionId: `new-${number}-${record.transactionId}` }));
        const changed = records
          .slice(100, 150)
          .map((record) => ({ ...record, note: `note ${number}`, contentHash: `hash ${number}` }));
        return commit([...isNew, ...changed]);
      },
    },
    { name: 'status', run: () => readStatus(database, benchAccount) },
    {
      name: 'takeover: the lease is given up and taken',
      run: async () => {
        await releaseLease(database, lease);
        lease = await take(database);
      },
    },
    { name: 'maintenance: old runs', run: () => removeOld(database, lease, 'runs', 3_650, { signal }) },
  ];
}

async function take(database: Database): Promise<Lease> {
  const attempt = await acquireLease(database, request);
  if (!('lease' in attempt)) throw new Error(`the lease is held by ${attempt.heldBy}`);
  return attempt.lease;
}

function pageOf(records: readonly Transaction[]): Page<Transaction> {
  const now = Date.now();
  const items = records.map((record) => ({
    kind: 'record' as const,
    key: record.transactionId,
    hash: record.contentHash,
    record,
  }));
  return { items, sourceTimestamp: null, beganAt: now, arrivedAt: now };
}
