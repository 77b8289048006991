import { expect, test } from 'vitest';
import { errorOf, serve } from '../../../../test/support/served-sandbox.ts';

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
