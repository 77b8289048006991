// The client against the API itself with a database: lists, moments, CSV, and both iterators while a mirror
// writes.
import { expect, test } from 'vitest';
import { type Api, startApi } from '../../../test/api/documented-api.ts';
import { sampled } from '../../../test/support/form.ts';
import { commitPages, openStore, pageOf, type Store } from '../../../test/support/store.ts';
import { mirrorOfJune } from '../../../test/system/dashboards/june.ts';
import { ApiError, createClient, type Place } from '../src/client.ts';

async function commit(store: Store, at: number, ids: readonly string[]): Promise<void> {
  const wires = ids.map((id) => ({ id }));
  await commitPages(store, pageOf(wires, at));
}

const clientOf = ({ url }: Api) => createClient({ baseUrl: url });

test('what the client reads is what the API answers: lists, single things, moments, CSV, problems', async () => {
  const mirror = await mirrorOfJune();
  const api = await startApi(mirror.url, { of: 'default' });
  const client = clientOf(api);
  const at = new Date(Date.UTC(2026, 5, 12, 9));
  const past = `?at=${at.toISOString()}`;
  const lists = [
    [client.listTransactions({ limit: 90 }), 'transactions'],
    [
      client.listTransactions({ is_open: false, status: 'failed' }),
      'transactions?is_open=false&status=failed',
    ],
    [client.listTransactions({ at }), `transactions${past}`],
    [client.listBalances({ at }), `balances${past}`],
    [client.listDestinationDays(), 'destinations/daily'],
    [client.listAccounts(), 'accounts'],
    [client.listRuns({ limit: 7 }), 'runs'],
  ] as const;
  for (const [list, path] of sampled<(typeof lists)[number]>(lists, { every: 3 })) {
    const rows: unknown[] = [];
    for await (const row of list) rows.push(row);
    expect(rows.length, path).toBeGreaterThan(0);
    expect(rows, path).toEqual(await api.walk(`/api/v1/${path}`));
  }

  const [first] = await client.listTransactions({ status: 'completed' }).toArray();
  const { data, account_id } = await client.getTransaction({ transaction_id: first?.transaction_id ?? '' });
  expect([account_id, data.transaction_id, data.status]).toEqual([
    'default',
    first?.transaction_id,
    'completed',
  ]);

  const csv = await new Response(await client.listTransactionsCsv({ status: 'completed' })).text();
  expect(csv).toBe(await (await api.get('/api/v1/transactions.csv?status=completed')).text());

  const error = await client
    .listTransactions({ amount_from: '1e3' })
    .page()
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({
    status: 400,
    problem: { code: 'bad-parameter', errors: [{ name: 'amount_from' }] },
  });
  const early = client.listTransactions({ at: '2020-01-01T00:00:00Z' }).page();
  await expect(early).rejects.toMatchObject({ status: 404, problem: { code: 'moment-unknown' } });
  await expect(client.getVault({ vault_id: 'none' })).rejects.toMatchObject({ status: 404 });
});

test('rows that come in while a list is read double none and hide none, in each order', async () => {
  const store = await openStore();
  const before = Array.from({ length: 60 }, (_, index) => `b${String(index).padStart(3, '0')}`);
  for (let batch = 0; batch < 6; batch += 1)
    await commit(store, batch * 10, before.slice(batch * 10, batch * 10 + 10));
  const client = clientOf(await startApi(store.url));
  let moment = 1000;
  for (const sort of ['-first_seen_at', 'first_seen_at', 'transaction_id', '-transaction_id'] as const) {
    const seen: string[] = [];
    for await (const { transaction_id } of client.listTransactions({ sort, limit: 7 })) {
      seen.push(transaction_id);
      // Ahead of the place, behind it, and between the rows, while the list goes on.
      if (seen.length % 7 === 3 && moment % 1000 < 200) {
        moment += 10;
        await commit(store, moment, [`a${moment}`, `b03${moment}`, `c${moment}`]);
      }
    }
    moment += 1000;
    expect(new Set(seen).size, sort).toBe(seen.length);
    expect(seen.filter((id) => /^b\d{3}$/.test(id)).toSorted(), sort).toEqual(before);
  }
});

test('the feed of changes gives each commit once and in order while a mirror writes and answers are lost', async () => {
  const store = await openStore();
  const api = await startApi(store.url);
  let [sent, lost] = [0, 0];
  const client = createClient({
    baseUrl: api.url,
    retry: { firstDelayMs: 1, greatestDelayMs: 5 },
    fetch: async (url, init) => {
      sent += 1;
      const response = await fetch(url, init);
      if (sent % 3 !== 0) return response;
      // The mirror has answered, and the answer does not arrive.
      lost += 1;
      await response.body?.cancel();
      throw new TypeError('fetch failed');
    },
  });
  const written = (async () => {
    for (let number = 0; number < 40; number += 1)
      await commit(store, number * 10, [`${number}/a`, `${number}/b`, `${number}/c`]);
  })();
  const expected = Array.from({ length: 40 }, (_, number) => [`${number}/a`, `${number}/b`, `${number}/c`]);
  const seen: string[] = [];
  const places: number[] = [];
  // A reader that ends now and then, and goes on from the place that it stored.
  for (let place: Place = { after: 0 }; seen.length < 120; ) {
    const feed = client.changes({ ...place, limit: 4, wait: 5 });
    let count = 0;
    for await (const { resource_id } of feed) {
      seen.push(resource_id);
      place = feed.position;
      places.push(place.after);
      count += 1;
      if (count === 17 || seen.length === 120) break;
    }
  }
  await written;
  expect(seen.map((id) => id.split('/')[0])).toEqual(expected.flatMap((ids, n) => ids.map(() => String(n))));
  expect(new Set(seen)).toEqual(new Set(expected.flat()));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(lost).toBeGreaterThan(5);
});
