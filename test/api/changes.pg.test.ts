// The feed of changes: complete, in order, resumable at every place, and quick to tell who waits.
import { expect, test } from 'vitest';
import { startRun } from '../../src/store/run/runs.ts';
import { snapshotBalances } from '../../src/sync/jobs/balances.ts';
import { mirrorVaults, mirrorWhitelist } from '../../src/sync/jobs/documents.ts';
import { syncTransactions } from '../../src/sync/jobs/transactions.ts';
import { historyNumbers } from '../support/histories.ts';
import { openMirror } from '../support/mirror.ts';
import { commitPages, openStore, pageOf, type Store } from '../support/store.ts';
import { waitFor } from '../support/wait-for.ts';
import { type Api, type Row, startApi } from './documented-api.ts';

async function follow(api: Api, limit: number, query = ''): Promise<Row[]> {
  const rows: Row[] = [];
  for (let place = 'after=0'; ; ) {
    const page = await api.json(`/api/v1/changes?${place}&limit=${limit}${query}`);
    rows.push(...page.data);
    place = `after=${page.next_after}&history=${page.history}`;
    if (!page.has_more) return rows;
  }
}

/** As a part of an address. */
async function lastPlace(api: Api): Promise<string> {
  const { last_change_id: last, history } = await api.json('/api/v1/changes?limit=1');
  return `after=${last}&history=${history}`;
}

async function commit(store: Store, at: number, ...ids: readonly string[]): Promise<void> {
  const wires = ids.map((id) => ({ id }));
  await commitPages(store, pageOf(wires, at));
}

test('the feed holds every row of every history once, in the order of commits, from any place', async () => {
  const mirror = await openMirror({ transactions: 40 });
  const cycle = async () => {
    for (const job of [snapshotBalances, mirrorVaults, mirrorWhitelist]) await job(mirror.context);
    await syncTransactions(mirror.context, { full: true });
  };
  await cycle();
  const { world } = mirror.sandbox;
  const [first, second] = [...world.transactions()];
  world.alterTransaction(first?.transactionId ?? '', { status: 'failed', note: 'changed' });
  world.alterTransaction(second?.transactionId ?? '', { amount: '7.5' });
  const [vault] = world.vaults();
  world.renameVault(vault?.vaultId ?? '', 'Renamed');
  world.insertTransaction('head', { status: 'pending' });
  await cycle();
  const api = await startApi(mirror.url, { of: 'default' });
  const all = await historyNumbers(mirror);
  for (const limit of [1, 7, 500]) {
    const rows = await follow(api, limit);
    expect(rows.map((row) => row['change_id'])).toEqual(all);
  }
  const kinds = [
    'transaction_status',
    'transaction_revision',
    'vault',
    'whitelist_entry',
    'balance_snapshot',
  ];
  const whole = await follow(api, 500);
  expect([...new Set(whole.map((row) => row['kind']))].sort()).toEqual(kinds.toSorted());
  for (const kind of kinds)
    expect(await follow(api, 50, `&kind=${kind}`)).toEqual(whole.filter((row) => row['kind'] === kind));
  const revision = whole.find((row) => row['kind'] === 'transaction_revision');
  expect(revision?.['details']).toMatchObject({ revision: 1, changed_fields: expect.any(Array) });
  const entry = whole.find((row) => row['kind'] === 'whitelist_entry');
  expect(entry?.['details']).toMatchObject({ name: expect.any(String), address: expect.any(String) });
  const seenVault = whole.find((row) => row['kind'] === 'vault');
  expect(seenVault?.['details']).toMatchObject({ name: expect.any(String), vault_type: expect.any(String) });
  const { history } = await api.json('/api/v1/changes?limit=1');
  const rest = await api.json(`/api/v1/changes?after=${all[5]}&history=${history}&limit=500`);
  expect(rest.data).toEqual(whole.slice(6));
  expect(rest).toMatchObject({ has_more: false, next_after: all.at(-1), last_change_id: all.at(-1) });
});

test('who follows while jobs commit side by side misses nothing and sees nothing twice', async () => {
  const store = await openStore();
  const api = await startApi(store.url);
  const writers = Array.from({ length: 4 }, async (_, number) => {
    const run = await startRun(store.database, store.lease, {
      job: 'transactions',
      mode: 'full',
    });
    for (let done = 0; done < 12; done += 1)
      await commit(
        { ...store, run },
        number * 10_000 + done * 10,
        ...['a', 'b', 'c'].map((id) => `${number}/${done}/${id}`),
      );
  });
  let writing = true;
  const written = Promise.all(writers).finally(() => {
    writing = false;
  });
  const seen: unknown[] = [];
  let [place, readings] = ['after=0', 0];
  for (let isLast = false; !isLast; ) {
    isLast = !writing;
    const page = await api.json(`/api/v1/changes?${place}&limit=5`);
    if (page.data.length > 0) readings += 1;
    seen.push(...page.data.map((row) => row['change_id']));
    place = `after=${page.next_after}&history=${page.history}`;
    isLast &&= !page.has_more;
  }
  await written;
  expect(seen).toEqual(await historyNumbers(store));
  expect(seen).toHaveLength(4 * 12 * 3);
  expect(readings).toBeGreaterThan(10);
});

test('who waits is woken by a commit, and by nothing else before the time is over', async () => {
  const store = await openStore();
  await commit(store, 0, 'a');
  const api = await startApi(store.url);
  const after = await lastPlace(api);
  const quiet = performance.now();
  expect((await api.json(`/api/v1/changes?${after}&wait=1`)).data).toEqual([]);
  expect(performance.now() - quiet).toBeGreaterThan(950);

  const waiting = Array.from({ length: 20 }, () => api.json(`/api/v1/changes?${after}&wait=30`));
  await waitFor(() => api.waiting() === waiting.length, { what: 'all of them to wait' });
  await commit(store, 10, 'b');
  const answers = await Promise.all(waiting);
  for (const { data } of answers) expect(data.map((row) => row['resource_id'])).toEqual(['b']);
});

test('a waiter whose reader leaves is let go, and a server that closes waits for none', async () => {
  const store = await openStore();
  await commit(store, 0, 'a');
  const api = await startApi(store.url);
  const after = await lastPlace(api);
  const leave = new AbortController();
  const left = api.get(`/api/v1/changes?${after}&wait=30`, { signal: leave.signal });
  await waitFor(() => api.waiting() === 1);
  leave.abort();
  await expect(left).rejects.toThrow();
  await waitFor(() => api.waiting() === 0, { what: 'the waiter to be let go' });
  const stays = api.get(`/api/v1/changes?${after}&wait=30`).catch(() => null);
  await waitFor(() => api.waiting() === 1, { what: 'the second one to wait' });
  const began = performance.now();
  await api.server.close();
  await stays;
  expect(performance.now() - began).toBeLessThan(5_000);
});

test('a place beyond the last change is a conflict', async () => {
  const store = await openStore();
  await commit(store, 0, 'a');
  const api = await startApi(store.url);
  const { last_change_id: last, history } = await api.json('/api/v1/changes?limit=1');
  expect((await api.json(`/api/v1/changes?after=${last}&history=${history}`)).data).toEqual([]);
  const answer = await api.get(`/api/v1/changes?after=${last + 1}&history=${history}`);
  expect([answer.status, await answer.json()]).toMatchObject([409, { code: 'changes-ahead' }]);
});
