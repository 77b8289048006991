// What the overview says moved, and where its counts lead: the same transactions, by when they moved and not
// by when anything of them changed.
import { expect, test } from 'vitest';
import { addDecimals, parseDecimal } from '../../../src/domain/decimal.ts';
import { commitTransactionPages } from '../../../src/store/commit/commit-transactions.ts';
import { startApi } from '../../../test/api/documented-api.ts';
import { item, noRequests, openStore, page, type Store, transaction } from '../../../test/support/store.ts';
import { seePage } from './read-page.ts';

const dayMs = 86_400_000;

interface Told {
  readonly id: string;
  readonly asset?: string;
  readonly network?: string;
  readonly type?: string;
  readonly status?: string;
  readonly amount: string;
  readonly note?: string;
}

async function tell(store: Store, daysAgo: number, told: readonly Told[]): Promise<void> {
  const records = told.map(({ asset = 'ETH', network = 'main', note = '', ...wire }) => ({
    ...transaction({ type: 'deposit', status: 'completed', ...wire }),
    assetId: asset,
    networkId: network,
    note,
    contentHash: JSON.stringify([wire, note]),
  }));
  await commitTransactionPages(store.database, store.lease, store.run, {
    pages: [page(records.map(item), Date.now() - daysAgo * dayMs - Date.UTC(2026, 0, 1))],
    tally: noRequests,
    position: null,
  });
}

async function world(): Promise<Store> {
  const store = await openStore();
  await store.query(
    `update custody.accounts set first_seen_at = now() - interval '30 days', transactions_since = now() - interval '30 days'`,
  );
  await tell(store, 9, [
    { id: 'old', amount: '1000' },
    { id: 'left-again', amount: '500' },
    { id: 'open', status: 'confirming', amount: '2.5' },
    { id: 'paid', type: 'withdraw', status: 'pending', amount: '0.1' },
  ]);
  await tell(store, 8, [{ id: 'left-again', status: 'confirming', amount: '500' }]);
  // Now: two that moved before change in something else, and two that were open are completed.
  await tell(store, 0, [
    { id: 'old', amount: '1000', note: 'named later' },
    { id: 'left-again', amount: '500' },
    { id: 'open', amount: '2.5' },
    { id: 'paid', type: 'withdraw', amount: '0.1' },
    { id: 'new', amount: '0.000000000000000001' },
    { id: 'of another network', network: 'side', amount: '7' },
    { id: 'of another asset', asset: 'BTC', amount: '9' },
    { id: 'staked', type: 'stake', amount: '11' },
    { id: 'refused', status: 'rejected', amount: '13' },
  ]);
  return store;
}

test('each count of what moved leads to as many transactions, and they add up to its amount', async () => {
  const store = await world();
  const api = await startApi(store.url);
  await expect.poll(async () => (await seePage(api, '/')).text).toMatch(/Deposits and withdrawals Computed/);
  const { html } = await seePage(api, '/');
  const counts = [...html.matchAll(/<a href="(\/transactions\?[^"]*)">([\d,]+) (in|out)<\/a>/g)].map(
    ([, href = '', count = '', way = '']) => ({
      href: href.replaceAll('&amp;', '&'),
      count: Number(count),
      way,
    }),
  );
  expect(counts.map(({ count, way }) => `${count} ${way}`).toSorted()).toEqual([
    '1 in',
    '1 in',
    '1 out',
    '2 in',
  ]);
  const [from] = await store.query<{ day: string }>(
    `select (day - 1)::text as day from reporting.calendar order by day desc limit 1`,
  );
  const flows = (await api.json(`/api/v1/flows?day_from=${from?.day}`)).data;
  for (const { href, count, way } of counts) {
    const search = new URL(href, api.url).searchParams;
    const rows = await api.walk(`/api/v1/transactions?${search}`);
    const amounts = flows.flatMap((row) =>
      row['asset_id'] === search.get('asset_id') && row['network_id'] === search.get('network_id')
        ? [String(row[`${way}_amount`])]
        : [],
    );
    expect([href, rows.length, sum(rows.map((row) => String(row['amount'])))]).toEqual([
      href,
      count,
      sum(amounts),
    ]);
    const page = await seePage(api, href);
    expect(page.text).toContain(String(rows[0]?.['asset_id']));
    expect(page.links.filter((link) => /^\/transactions\/[^?]/.test(link))).toHaveLength(count);
  }
});

test('what settled is found by both bounds, and they do not go with a moment', async () => {
  const store = await world();
  const api = await startApi(store.url);
  const [days] = await store.query<{ then: string }>(
    `select to_char((now() - interval '5 days') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as then`,
  );
  const ids = async (search: string) =>
    (await api.walk(`/api/v1/transactions?limit=2&sort=transaction_id&${search}`)).map(
      (row) => row['transaction_id'],
    );
  expect(await ids(`settled_to=${days?.then}`)).toEqual(['left-again', 'old']);
  expect(
    await ids(`settled_from=${days?.then}&status=completed&transaction_type=deposit&asset_id=ETH`),
  ).toEqual(['new', 'of another network', 'open']);
  const refused = await api.get(`/api/v1/transactions?settled_from=${days?.then}&at=${days?.then}`);
  expect(refused.status).toBe(400);
});

function sum(amounts: readonly string[]): string {
  return addDecimals(amounts.flatMap((amount) => parseDecimal(amount)?.value ?? []));
}
