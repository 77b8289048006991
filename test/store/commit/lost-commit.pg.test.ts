// A commit whose answer is lost goes on at the server. Whatever commits next under the lease must see it.
import pg from 'pg';
import { expect, test } from 'vitest';
import type { commitTransactionPages } from '../../../src/store/commit/commit-transactions.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { openGate } from '../../support/gate.ts';
import { commitPages, open, openStore, page, pageOf, type Store, undecodable } from '../../support/store.ts';
import { commit } from '../../support/transaction-commits.ts';
import { waitFor } from '../../support/wait-for.ts';

type Pages = Parameters<typeof commitTransactionPages>[3]['pages'];

/** Commits of these groups wait at their end until `release`, as for a synchronous standby. */
async function holdCommits(store: Store): Promise<{ release(): Promise<void> }> {
  await store.query(`
    create function public.wait_at_commit() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock(1); return null; end $$`);
  for (const table of ['custody.transaction_status_history', 'sync.quarantine'])
    await store.query(`
      create constraint trigger wait_at_commit after insert on ${table}
      deferrable initially deferred for each row execute function public.wait_at_commit()`);
  const client = new pg.Client({ connectionString: store.url });
  await client.connect();
  onCleanup(() => client.end());
  await client.query('select pg_advisory_lock(1)');
  return { release: async () => void (await client.query('select pg_advisory_unlock(1)')) };
}

/** Two groups commit in turn; the connection of the first is cut while its commit is under way. */
async function commitBehindLost(store: Store, lost: Pages, next: Pages) {
  const gate = await openGate(store.url);
  const database = open(gate.url);
  const held = await holdCommits(store);
  const commitTo = (pages: Pages) => commitPages({ ...store, database }, ...pages);
  const waiting = (event: string) => async () =>
    (
      await store.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
         and wait_event = '${event}'`,
      )
    ).length > 0;
  const first = commitTo(lost).catch((error: unknown) => error);
  await waitFor(waiting('advisory'), { what: 'a commit under way' });
  const second = commitTo(next);
  gate.set('pass');
  expect(await first).toMatchObject({ code: 'DATABASE-UNREACHABLE' });
  await waitFor(waiting('transactionid'), { what: 'a commit that waits for the lease' });
  await held.release();
  return await second;
}

const history = (store: Store) =>
  store.query(
    'select transaction_id, sequence, to_status from custody.transaction_status_history order by 1, 2',
  );

test('a record that it wrote is known to the next', async () => {
  const store = await openStore();
  const next = [pageOf([{ id: 'n' }, { id: 'm' }], 20, 25)];
  expect(await commitBehindLost(store, [pageOf([{ id: 'n' }], 10, 15)], next)).toMatchObject({
    inserted: 1,
    unchanged: 1,
  });
  expect(await history(store)).toEqual([
    { transaction_id: 'm', sequence: 1, to_status: 'pending' },
    { transaction_id: 'n', sequence: 1, to_status: 'pending' },
  ]);
});

test('a status that it wrote is left again by the next, with its history', async () => {
  const store = await openStore();
  await commit(store, pageOf([{ id: 'n' }], 0, 5));
  const lost = [pageOf([{ id: 'n', status: 'completed' }], 10, 15)];
  await commitBehindLost(store, lost, [pageOf([{ id: 'n' }], 20, 25)]);
  expect(await history(store)).toEqual(
    ['pending', 'completed', 'pending'].map((status, index) => ({
      transaction_id: 'n',
      sequence: index + 1,
      to_status: status,
    })),
  );
});

test('a record that it put into quarantine leaves it with the next', async () => {
  const store = await openStore();
  await commit(store, pageOf([{ id: 'z' }], 0, 5));
  await commitBehindLost(store, [page([undecodable('n')], 10, 15)], [pageOf([{ id: 'n' }], 20, 25)]);
  expect(await store.query('select record_key, resolved_at is null as open from sync.quarantine')).toEqual([
    { record_key: 'n', open: false },
  ]);
});
