// Readers that would hurt others: those that take nothing, take all the connections, or lose their key while
// they wait.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { createKeyStore, type KeyStore, revokeKey } from '../../src/store/keys/api-keys.ts';
import { openReading } from '../support/api-source.ts';
import { onCleanup } from '../support/cleanup.ts';
import { startServer } from '../support/running-server.ts';
import { withClient } from '../support/server.ts';
import { makeKey } from '../support/site.ts';
import { account, openStore, pageOf, type Store } from '../support/store.ts';
import { commit } from '../support/transaction-commits.ts';
import { waitFor } from '../support/wait-for.ts';

/** @param noise how much of each row cannot be compressed, in characters: in a column that no search reads */
async function withMany(count: number, noise: number): Promise<Store> {
  const store = await openStore();
  await store.query(
    `insert into custody.transactions (account_id, transaction_id, status, transaction_type, amount, source_name, first_seen_at,
       status_changed_at, changed_at, content_hash, raw)
     select $1, lpad(i::text, 8, '0'), 'completed', 'deposit', i,
       (select string_agg(md5(i::text || j::text), '') from generate_series(1, $3::int / 32) j),
       timestamptz '2026-01-01Z' + i * interval '1 second', now(), now(), i::text, '{}' from generate_series(1, $2::int) as i`,
    [account, count, noise],
  );
  return store;
}

async function ask(url: string, path: string, headers = '', version = '1.1'): Promise<Socket> {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1' });
  socket.on('error', () => undefined);
  onCleanup(async () => void socket.destroy());
  await once(socket, 'connect');
  socket.pause();
  socket.write(`GET ${path} HTTP/${version}\r\nhost: 127.0.0.1\r\n${headers}\r\n`);
  return socket;
}

test.each(['', 'accept-encoding: gzip\r\n'])(
  'a reader that takes nothing of a CSV (%j) is not read ahead of, and is cut',
  async (headers) => {
    const store = await withMany(10_000, 2_048);
    const api = await startServer({ reading: openReading(store.url), account });
    const socket = await ask(api.url, '/api/v1/transactions.csv', headers);
    const standing = () =>
      store.query(`select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
        and xact_start is not null and state = 'idle in transaction'`);
    // The rows are more than every buffer on the way, so that the transaction stands while nobody takes them.
    await waitFor(async () => (await standing()).length === 1, { what: 'a transaction that waits' });
    const cuts = () => api.metrics.registry.getSingleMetricAsString('custody_mirror_http_cuts_total');
    await waitFor(async () => /reason="(slow|failed)"\} 1/.test(await cuts()), {
      what: 'a cut',
    });
    await waitFor(async () => (await standing()).length === 0, { what: 'the end of the transaction' });
    socket.destroy();
  },
);

test('one reader with long answers and slow questions leaves connections to others', async () => {
  const store = await withMany(20_000, 2_048);
  const keys = createKeyStore(store.database);
  const api = await startServer({ reading: openReading(store.url), account, keys });
  const [greedy, modest] = [await makeKey(store.database), await makeKey(store.database)];
  await ask(api.url, '/api/v1/transactions.csv', `x-api-key: ${greedy}\r\n`);
  const streaming = () =>
    store.query(`select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
      and state = 'idle in transaction' and query like 'fetch%'`);
  await waitFor(async () => (await streaming()).length === 1, { what: 'a CSV under way' });
  const second = await api.get('/api/v1/transactions.csv', { headers: { 'x-api-key': greedy } });
  expect([second.status, second.headers.get('retry-after')]).toEqual([429, '10']);
  // Behind this lock the questions of one reader wait, in two connections of the four and no more.
  await withClient(store.url, async (client) => {
    await client.query('begin');
    await client.query('lock table custody.asset_prices');
    const blocked = Array.from({ length: 6 }, () =>
      api.get('/api/v1/prices', { headers: { 'x-api-key': greedy } }),
    );
    const waiting = () =>
      store.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
    await waitFor(async () => (await waiting()).length > 0, { what: 'questions that wait' });
    const answer = await api.get('/api/v1/transactions?limit=1', { headers: { 'x-api-key': modest } });
    expect(answer.status).toBe(200);
    expect((await waiting()).length).toBeLessThanOrEqual(2);
    await client.query('rollback');
    for (const late of await Promise.all(blocked)) expect(late.status).toBe(200);
  });
});

test('HTTP/1.0, which cannot distinguish a cut from an end, gets no stream', async () => {
  const store = await withMany(10, 32);
  const api = await startServer({ reading: openReading(store.url), account });
  const socket = await ask(api.url, '/api/v1/transactions.csv', '', '1.0');
  let text = '';
  socket.on('data', (data) => {
    text += String(data);
  });
  socket.resume();
  await once(socket, 'close');
  expect(text).toMatch(/^HTTP\/1\.1 400 /);
  expect(text).toContain('use HTTP/1.1');
});

test('a reader that waits for changes and loses its key learns of that, not of the change', async () => {
  const store = await openStore();
  await commit(store, pageOf([{ id: 'first' }], 0));
  const key = await makeKey(store.database);
  const reading = openReading(store.url);
  const api = await startServer({ reading, account, keys: createKeyStore(store.database) });
  const as = { headers: { 'x-api-key': key } };
  const first = (await (await api.get('/api/v1/changes', as)).json()) as {
    next_after: number;
    history: string;
  };
  const held = api.get(`/api/v1/changes?after=${first.next_after}&history=${first.history}&wait=20`, as);
  await waitFor(() => reading.waiting() === 1, { what: 'a waiter' });
  const since = performance.now();
  await revokeKey(store.database, key.slice(0, 11));
  await waitFor(async () => performance.now() - since > 1_100, { what: 'a second of waiting' });
  await commit(store, pageOf([{ id: 'second' }], 10));
  const answer = await held;
  expect(answer.status).toBe(401);
  expect(await answer.text()).not.toContain('second');
});

test('a database connection that says nothing any more holds up no later key', async () => {
  const store = await openStore();
  const own = createKeyStore(store.database);
  let asked = 0;
  const keys: KeyStore = {
    ...own,
    // The second lookup never comes back; the first one was that of the start.
    find: (digests) => {
      asked += 1;
      return asked === 2 ? new Promise(() => undefined) : own.find(digests);
    },
  };
  const key = await makeKey(store.database);
  const api = await startServer({ reading: openReading(store.url), account, keys });
  const as = { headers: { 'x-api-key': key } };
  await waitFor(async () => asked > 0, { what: 'the lookup of the start' });
  expect((await api.get('/api/v1/accounts', as)).status).toBe(503);
  await waitFor(async () => (await api.get('/api/v1/accounts', as)).status === 200, {
    what: 'an answer to the key',
    deadlineMs: 15_000,
  });
});
