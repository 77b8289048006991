// Writes transactions for the account as one process after another would: each with a connection, a lease and
// a run of its own.
import { commitTransactionPages } from '../../src/store/commit/commit-transactions.ts';
import type { Database } from '../../src/store/postgres/database.ts';
import { bindAccount } from '../../src/store/run/accounts.ts';
import type { Lease } from '../../src/store/run/leases.ts';
import { startRun } from '../../src/store/run/runs.ts';
import { account, lease, noRequests, open, pageOf } from './store.ts';

export interface Writer {
  readonly database: Database;
  readonly lease: Lease;
  /** Commits one new transaction for each identifier. */
  commit(...ids: readonly string[]): Promise<void>;
}

let moment = 0;

export async function writerOf({ url }: { readonly url: string }): Promise<Writer> {
  const database = open(url);
  await bindAccount(database, { account, baseUrl: 'https://custody.example', timeZone: 'UTC' });
  const own = await lease(database);
  const run = await startRun(database, own, { job: 'transactions', mode: 'full' });
  return {
    database,
    lease: own,
    async commit(...ids) {
      moment += 10;
      const records = ids.map((id) => ({ id }));
      const pages = [pageOf(records, moment)];
      await commitTransactionPages(database, own, run, { pages, tally: noRequests, position: null });
    },
  };
}
