// Notifications as a listener receives them, on a connection of its own.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { expect, test } from 'vitest';
import { startEmbeddedPostgres } from '../../packages/demo/src/embedded-postgres/server.ts';
import type { WhitelistEntry } from '../../src/domain/document.ts';
import { commitWhitelist } from '../../src/store/commit/documents/commit-documents.ts';
import { bindAccount } from '../../src/store/run/accounts.ts';
import { withFence } from '../../src/store/run/leases.ts';
import { startRun } from '../../src/store/run/runs.ts';
import { migrate } from '../../src/store/schema/migrate.ts';
import { onCleanup } from '../support/cleanup.ts';
import { newDataDirectory } from '../support/data-directory.ts';
import {
  account,
  commitPages,
  digest,
  epoch,
  lease,
  noRequests,
  open,
  openStore,
  pageOf,
  type Store,
  type WireTransaction,
} from '../support/store.ts';
import { waitFor } from '../support/wait-for.ts';
import { snapshot } from '../system/reporting/told.ts';

async function listen(url: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onCleanup(() => client.end());
  const received: Record<string, unknown>[] = [];
  const marks = new Set<string>();
  client.on('notification', ({ channel, payload = '' }) => {
    if (channel === 'custody_events') {
      expect(Buffer.byteLength(payload)).toBeLessThan(8000);
      received.push(JSON.parse(payload));
    } else marks.add(payload);
  });
  await client.query('listen custody_events; listen mark');
  let marked = 0;
  return {
    client,
    /**
     * What has come since the last call: everything that was committed by now, for notifications keep their
     * order. Each names the history of its rows, which is left out here.
     */
    async take() {
      marked += 1;
      const mark = String(marked);
      await client.query('select pg_notify($1, $2)', ['mark', mark]);
      await waitFor(async () => marks.has(mark));
      const { rows } = await client.query<{ history: string }>('select history from custody.histories');
      const names = rows.map(({ history }) => history);
      return received.splice(0).map(({ history, ...event }) => {
        expect(names).toContain(history);
        return event;
      });
    },
  };
}

let began = 0;

function commit(store: Pick<Store, 'database' | 'lease' | 'run'>, ...wires: readonly WireTransaction[]) {
  began += 10;
  return commitPages(store, pageOf(wires, began));
}

const many = (count: number, status = 'pending') =>
  Array.from({ length: count }, (_, index) => ({ id: `t${index}`, status }));

test('transactions are announced once for each commit and kind, with ids while they are few', async () => {
  const store = await openStore();
  const listener = await listen(store.url);
  const run_id = Number(store.run.runId);
  await commit(store, { id: 'a' }, { id: 'b' });
  expect(await listener.take()).toEqual([
    { event: 'transaction_new', account_id: account, count: 2, run_id, ids: ['a', 'b'] },
  ]);
  await commit(store, { id: 'b', status: 'completed' }, { id: 'c' });
  const both = await listener.take();
  expect(both).toHaveLength(2);
  expect(both).toEqual(
    expect.arrayContaining([
      { event: 'transaction_new', account_id: account, count: 1, run_id, ids: ['c'] },
      { event: 'status_change', account_id: account, count: 1, run_id, ids: ['b'] },
    ]),
  );
  await commit(store, { id: 'b', status: 'completed' }, { id: 'c', note: 'another text' });
  expect(await listener.take()).toEqual([
    { event: 'transaction_revision', account_id: account, count: 1, run_id, ids: ['c'] },
  ]);
  await commit(store, ...many(21));
  expect(await listener.take()).toEqual([
    { event: 'transaction_new', account_id: account, count: 21, run_id },
  ]);
  await commit(store, ...many(20, 'processing'));
  expect((await listener.take())[0]?.['ids']).toHaveLength(20);
});

test('ids are foreign text: they come as they are, and not where they are long', async () => {
  const store = await openStore();
  const listener = await listen(store.url);
  const odd = [`"]}'; notify`, '\\u0022', '日本 🏦', '\n\t', ' '];
  await commit(store, ...odd.map((id) => ({ id })));
  expect((await listener.take())[0]?.['ids']).toEqual(odd);
  // As text within bounds, as JSON with every character escaped beyond them.
  const long = Array.from({ length: 10 }, (_, index) => `${index}${'\u0001"\\'.repeat(200)}`);
  await commit(store, ...long.map((id) => ({ id })));
  expect(await listener.take()).toEqual([
    { event: 'transaction_new', account_id: account, count: 10, run_id: Number(store.run.runId) },
  ]);
});

test('balances are announced when they changed', async () => {
  const store = await openStore();
  const listener = await listen(store.url);
  for (const at of [0, 1000]) await snapshot(store, at, { BTC: { total: '1' } }, 'warm');
  expect(await listener.take()).toEqual([
    {
      event: 'balance_change',
      account_id: account,
      run_id: Number(store.run.runId),
      count: 1,
      vault_type: 'warm',
      snapshot_at: '2026-01-01T00:00:00.000000Z',
      changed: 1,
    },
  ]);
});

test('vaults and whitelist entries are announced, with what was recognised in each revision', async () => {
  const store = await openStore();
  const listener = await listen(store.url);
  const entry = (name: string): WhitelistEntry => ({
    entryId: 'e1',
    name,
    address: 'bc1q',
    assetId: 'BTC',
    networkId: 'BTC-NET',
    document: JSON.stringify({ id: 'e1', name }),
    contentHash: digest(name),
  });
  const list = (at: number, ...entries: readonly WhitelistEntry[]) =>
    commitWhitelist(store.database, store.lease, store.run, {
      items: entries.map((record) => ({
        kind: 'record',
        key: record.entryId,
        hash: record.contentHash,
        record,
      })),
      observation: { beganAt: epoch + at, arrivedAt: epoch + at + 1 },
      listIsComplete: true,
      tally: noRequests,
    });
  await list(0, entry('Cold desk'));
  await list(10, entry('Colder desk'));
  await list(20);
  const told = {
    event: 'whitelist_change',
    account_id: account,
    count: 1,
    run_id: Number(store.run.runId),
    ids: ['e1'],
  };
  expect(await listener.take()).toEqual([told, told, told]);
  expect(
    await store.query(
      'select change, name, vault_type, address, asset_id, network_id from custody.document_revisions order by change_id',
    ),
  ).toEqual(
    [
      ['added', 'Cold desk'],
      ['changed', 'Colder desk'],
      ['removed', 'Colder desk'],
    ].map(([change, name]) => ({
      change,
      name,
      vault_type: null,
      address: 'bc1q',
      asset_id: 'BTC',
      network_id: 'BTC-NET',
    })),
  );
});

test('what is rolled back is not announced', async () => {
  const store = await openStore();
  const listener = await listen(store.url);
  await store.query(
    `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'made up'; end $$;
     create trigger refuse before update on sync.runs for each row execute function refuse()`,
  );
  await expect(commit(store, { id: 'a' })).rejects.toThrow();
  expect(await listener.take()).toEqual([]);
});

test('a queue of notifications that is full costs the notification and not the commit', async () => {
  const server = await startEmbeddedPostgres({
    dataDirectory: newDataDirectory('custody-mirror-events'),
    persistent: false,
    settings: { max_notify_queue_pages: '64', fsync: 'off' },
  });
  onCleanup(() => server.stop());
  const url = server.url('postgres');
  const database = open(url);
  await migrate(database);
  await bindAccount(database, { account, baseUrl: 'https://custody.example', timeZone: 'UTC' });
  const own = await lease(database);
  const run = await startRun(database, own, { job: 'transactions', mode: 'full' });
  const store = { database, lease: own, run };
  const listener = await listen(url);
  await listener.client.query('begin');
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  onCleanup(() => other.end());
  await expect(
    (async () => {
      for (;;)
        await other.query('select pg_notify($1, $2)', ['custody_noise', randomBytes(3_900).toString('hex')]);
    })(),
  ).rejects.toMatchObject({ code: '54000' });
  await commit(store, { id: 'a' });
  const rows = await other.query('select transaction_id from custody.transaction_status_history');
  expect(rows.rows).toEqual([{ transaction_id: 'a' }]);
  await listener.client.query('commit');
  await commit(store, { id: 'b' });
  expect(await listener.take()).toMatchObject([{ event: 'transaction_new', ids: ['b'] }]);
  await withFence(database, own, 'still-held', async () => undefined);
});
