// Commits of pages of transactions, as a test compares them.
import type { Page } from '../../src/domain/page.ts';
import type { Transaction } from '../../src/domain/transaction.ts';
import { commitTransactionPages } from '../../src/store/commit/commit-transactions.ts';
import { noRequests, type Store } from './store.ts';

/** What a commit counts that did nothing. */
export const none = {
  inserted: 0,
  changed: 0,
  statusChanges: 0,
  unchanged: 0,
  stale: 0,
  quarantined: 0,
};

/** With what a commit is made; another database, lease or run than the store's where a test says so. */
type Writing = Pick<Store, 'database' | 'lease' | 'run'>;

/** Commits the pages as one group. */
export function commitWithIds(store: Writing, ...pages: readonly Page<Transaction>[]) {
  return commitTransactionPages(store.database, store.lease, store.run, {
    pages,
    tally: noRequests,
    position: null,
  });
}

/** What a commit counts. */
export async function commit(store: Writing, ...pages: readonly Page<Transaction>[]) {
  const { insertedIds: _inserted, changedIds: _changed, ...counts } = await commitWithIds(store, ...pages);
  return counts;
}
