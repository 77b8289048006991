// Commits of pages of transactions, as a test compares them.
import { commitPages } from './store.ts';

/** What a commit counts that did nothing. */
export const none = {
  inserted: 0,
  changed: 0,
  statusChanges: 0,
  unchanged: 0,
  stale: 0,
  quarantined: 0,
};

/** What a commit counts. */
export async function commit(...given: Parameters<typeof commitPages>) {
  const { insertedIds: _inserted, changedIds: _changed, ...counts } = await commitPages(...given);
  return counts;
}
