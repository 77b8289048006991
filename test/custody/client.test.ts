import { expect, test } from 'vitest';
import { clientOf, failure, json, newCall, serve, testKey } from '../support/custody-service.ts';
import { balanceRecord, transactionRecord } from '../support/wire-records.ts';

test('every operation reads its endpoint, with paging and filters as asked', async () => {
  const service = await serve((request, response) => {
    const path = new URL(request.url ?? '', 'http://service').pathname;
    if (path.startsWith('/api/v1/transactions')) json(response, { transactions: [transactionRecord('t-1')] });
    else if (path.startsWith('/api/v1/balances'))
      json(response, {
        timestamp: '2024-05-06T07:08:09.000Z',
        balance_type: path.split('/')[4] ?? 'all',
        balance: [balanceRecord('BTC')],
      });
    else if (path === '/api/v1/vaults') json(response, { vaults: [{ vault_id: 'v-1', name: 'Treasury' }] });
    else if (path === '/api/v1/vaults/v-1') json(response, { vault_id: 'v-1', vault_type: 'cold' });
    else json(response, { whitelist: [{ id: 'w-1', address: 'bc1q', asset_id: 'BTC' }] });
  });
  const { client } = clientOf({ url: new URL('/api/v1', service.url) });
  const call = newCall();

  const list = await client.transactions({ offset: 200, limit: 100 }, call, {
    asset_id: 'BTC',
    start_date: '2024-01-01',
    status: 'completed',
  });
  const byId = await client.transaction('t-1', call);
  const all = await client.balances('all', {}, call);
  const warm = await client.balances('warm', { offset: 0 }, call);
  const vaults = await client.vaults('warm', {}, call);
  const vault = await client.vault('v-1', call);
  const whitelist = await client.whitelist({}, call);

  expect(service.requests).toEqual([
    '/api/v1/transactions?limit=100&offset=200&asset_id=BTC&start_date=2024-01-01&status=completed',
    '/api/v1/transactions/t-1',
    '/api/v1/balances',
    '/api/v1/balances/warm?offset=0',
    '/api/v1/vaults?vault_type=warm',
    '/api/v1/vaults/v-1',
    '/api/v1/whitelist',
  ]);
  expect(service.headers.every((headers) => headers['x-api-key'] === testKey)).toBe(true);
  expect(service.headers[0]).toMatchObject({ accept: 'application/json', 'user-agent': 'custody-mirror' });
  expect(list.items[0]).toMatchObject({ kind: 'record', key: 't-1', record: { amount: '1.50000000' } });
  expect(list.beganAt).toBeLessThanOrEqual(list.arrivedAt);
  expect(byId.items).toEqual(list.items);
  expect(all).toMatchObject({
    sourceTimestamp: '2024-05-06T07:08:09.000Z',
    items: [{ key: '["BTC","BTC-net"]' }],
  });
  expect(warm.items).toEqual(all.items);
  expect(vaults.items[0]).toMatchObject({ record: { vaultId: 'v-1', vaultType: 'warm', name: 'Treasury' } });
  expect(vault.items[0]).toMatchObject({ record: { vaultId: 'v-1', vaultType: 'cold', name: null } });
  expect(whitelist.items[0]).toMatchObject({ record: { entryId: 'w-1', address: 'bc1q', assetId: 'BTC' } });
  expect(call.tally).toEqual({ requests: 7, retries: 0, rateLimited: 0 });
});

test('an answer that nothing matched is a page without items', async () => {
  const codes: Readonly<Record<string, string>> = {
    '/transactions': 'TXN-02',
    '/transactions/x': 'TXN-04',
    '/balances': 'BAL-00',
    '/balances/cold': 'BAL-01',
    '/vaults?vault_type=cold': 'VAL-01',
    '/vaults/x': 'VAL-02',
    '/whitelist': 'WHT-00',
  };
  const service = await serve((request, response) =>
    json(response, failure(codes[request.url ?? ''] ?? 'ERR-00'), 400),
  );
  const { client } = clientOf(service);
  const call = newCall();
  const pages = [
    await client.transactions({}, call),
    await client.transaction('x', call),
    await client.balances('all', {}, call),
    await client.balances('cold', {}, call),
    await client.vaults('cold', {}, call),
    await client.vault('x', call),
    await client.whitelist({}, call),
  ];
  expect(pages.map((page) => page.items)).toEqual([[], [], [], [], [], [], []]);
  expect(call.tally.retries).toBe(0);
});
