import { expect, test } from 'vitest';
import { errorOf, serve } from '../../support/served-sandbox.ts';

test('balances: all, warm and cold, filtered by asset, with parts that make the total', async () => {
  const { sandbox, get } = await serve({ transactions: 2000 });
  for (const [path, type] of [
    ['/balances', 'all'],
    ['/balances/warm', 'warm'],
    ['/balances/cold', 'cold'],
  ] as const) {
    const { json } = await get(path);
    expect(json.balance_type).toBe(type);
    expect(json.balance).toEqual(
      sandbox.world.balances(type).map((balance) => ({
        asset_id: balance.assetId,
        asset_name: balance.assetName,
        network_id: balance.networkId,
        network_name: balance.networkName,
        balances: {
          total_balance: balance.total,
          available_balance: balance.available,
          processing_balance: balance.processing,
          staking_balance: balance.staking,
          claimable_balance: balance.claimable,
        },
      })),
    );
    expect((await get(`${path}?asset_id=ETH`)).json.balance.map((balance) => balance.asset_id)).toEqual([
      'ETH',
    ]);
  }
  const ids = (await get('/balances')).json.balance.map((balance) => balance.asset_id);
  const paged = (await get('/balances?limit=5&offset=3')).json.balance.map((balance) => balance.asset_id);
  expect(paged).toEqual(ids.slice(3, 8));
  expect(errorOf(await get('/balances?offset=1000'))).toBe('400 BAL-00');
  expect(errorOf(await get('/balances?asset_id=NONE'))).toBe('400 BAL-00');
  expect(errorOf(await get('/balances/warm?asset_id=NONE'))).toBe('400 BAL-01');
  expect(errorOf(await get('/balances/hot'))).toBe('400 BAL-02');
});

test('vaults and whitelist: lists, filters, one vault, and their codes', async () => {
  const { sandbox, get } = await serve({ warmVaults: 3, coldVaults: 2, whitelistEntries: 40 });
  const vaults = (await get('/vaults')).json.vaults;
  expect(vaults.map((vault) => vault['vault_id'])).toEqual(
    sandbox.world.vaults().map(({ vaultId }) => vaultId),
  );
  expect((await get('/vaults?vault_type=warm')).json.vaults).toHaveLength(3);
  expect((await get('/vaults?vault_type=cold')).json.vaults).toHaveLength(2);
  expect(errorOf(await get('/vaults?vault_type=hot'))).toBe('400 VAL-00');
  expect((await get(`/vaults/${vaults[0]?.['vault_id']}`)).json).toEqual(vaults[0]);
  expect(errorOf(await get('/vaults/none'))).toBe('400 VAL-02');
  expect((await get('/whitelist')).json.whitelist).toHaveLength(40);
  const eth = (await get('/whitelist?asset_id=ETH&status=approved')).json.whitelist;
  expect(eth.length).toBeGreaterThan(0);
  expect(eth.every((entry) => entry['asset_id'] === 'ETH')).toBe(true);
  expect(errorOf(await get('/whitelist?status=maybe'))).toBe('400 WHT-01');
  expect(errorOf(await get('/whitelist?asset_id=NONE'))).toBe('400 WHT-00');
});

test('an empty account answers every list with its own error', async () => {
  const { get } = await serve({ transactions: 0, warmVaults: 0, coldVaults: 0, whitelistEntries: 0 });
  const codes = await Promise.all(
    ['/transactions', '/balances', '/balances/cold', '/vaults', '/whitelist'].map(async (path) =>
      errorOf(await get(path)),
    ),
  );
  expect(codes).toEqual(['400 TXN-02', '400 BAL-00', '400 BAL-01', '400 VAL-01', '400 WHT-00']);
});

test('an error body has the six text fields of section 7', async () => {
  const { get } = await serve();
  expect((await get('/transactions?status=x')).json).toEqual({
    status: 'error',
    error_code: 'TXN-01',
    error_message: 'Invalid status',
    details: 'Must be one of pending, processing, confirming, completed, rejected, cancelled, failed',
    help: '',
    code: '400',
  });
});

test('paging where none is documented: ignored, supported or refused', async () => {
  for (const path of ['/vaults', '/whitelist', '/balances/warm']) {
    const mode = { 'balances-by-type': 'ignored', vaults: 'ignored', whitelist: 'ignored' } as const;
    const ignored = await serve({ transactions: 800, paging: mode });
    const whole = (await ignored.get(path)).json;
    const count = (body: typeof whole): number => (body.vaults ?? body.whitelist ?? body.balance).length;
    expect(count((await ignored.get(`${path}?limit=2&offset=1`)).json)).toBe(count(whole));

    const yes = { 'balances-by-type': 'supported', vaults: 'supported', whitelist: 'supported' } as const;
    const supported = await serve({ transactions: 800, paging: yes });
    expect(count((await supported.get(`${path}?limit=2&offset=1`)).json)).toBe(2);
    expect((await supported.get(`${path}?offset=500`)).status).toBe(400);

    const no = { 'balances-by-type': 'refused', vaults: 'refused', whitelist: 'refused' } as const;
    const refused = await serve({ transactions: 800, paging: no });
    expect(errorOf(await refused.get(`${path}?offset=0`))).toBe('400 ERR-00');
    expect((await refused.get(path)).status).toBe(200);
  }
});

test('shapes of vault and whitelist bodies can be chosen', async () => {
  const { sandbox, get } = await serve({
    shape: {
      vaultRecord: 'thin',
      vaultsKey: 'items',
      whitelistKey: null,
      vaultIdField: 'id',
      oneVault: 'envelope',
    },
  });
  const [vault] = sandbox.world.vaults();
  const body = JSON.parse((await get('/vaults')).text);
  expect(body.items[0]).toEqual({ id: vault?.vaultId, vault_name: vault?.name });
  const one = JSON.parse((await get(`/vaults/${vault?.vaultId}`)).text);
  expect(one.items[0]).toMatchObject({ id: vault?.vaultId, vault_type: vault?.vaultType, status: 'active' });
  expect(Array.isArray(JSON.parse((await get('/whitelist')).text))).toBe(true);

  let now = 1e12;
  const timed = await serve({ shape: { retrievedAt: true }, now: () => now });
  const first = (await timed.get('/vaults')).json.vaults[0];
  now += 5000;
  const second = (await timed.get('/vaults')).json.vaults[0];
  expect(second?.['timestamp']).not.toBe(first?.['timestamp']);
});
