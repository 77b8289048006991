// What was never read is unknown. An empty list would say that there is nothing, and a second mirror would
// believe it.
import { expect, test } from 'vitest';
import { snapshotBalances } from '../../src/sync/jobs/balances.ts';
import { mirrorVaults, mirrorWhitelist } from '../../src/sync/jobs/documents.ts';
import { syncTransactions } from '../../src/sync/jobs/transactions.ts';
import { openMirror } from '../support/mirror.ts';
import { startApi } from './documented-api.ts';

test('a list that was never read is not answered as empty, and one that was read and is empty is', async () => {
  const mirror = await openMirror({ transactions: 5 });
  await snapshotBalances(mirror.context);
  const { get } = await startApi(mirror.url, { of: 'default' });
  const ask = async (path: string) => {
    const answer = await get(path);
    const text = await answer.text();
    return [answer.status, /"(?:code|error_code)":"([^"]+)"/.exec(text)?.[1] ?? text];
  };
  const ofTransactions = ['transactions', 'flows', 'fees'];
  for (const path of [...ofTransactions, 'vaults', 'whitelist'])
    for (const form of ['', '.csv', '?asset_id=BTC'].slice(0, path === 'vaults' ? 2 : 3))
      expect([path, ...(await ask(`/api/v1/${path}${form}`))]).toEqual([path, 404, 'not-read-yet']);
  const below = ['transactions', 'transactions/x', 'vaults', 'vaults/x', 'whitelist', 'whitelist?status=x'];
  for (const path of below) expect([path, ...(await ask(`/custody/${path}`))]).toEqual([path, 400, 'ERR-01']);
  expect((await ask('/api/v1/balances')).slice(0, 1)).toEqual([200]);
  expect((await ask('/custody/balances')).slice(0, 1)).toEqual([200]);
  expect(await ask('/custody/balances?asset_id=none')).toEqual([400, 'BAL-00']);

  await mirrorVaults(mirror.context);
  await mirrorWhitelist(mirror.context);
  await syncTransactions(mirror.context, { full: true });
  const none = [200, '{"account_id":"default","data":[],"next_cursor":null}'];
  expect(await ask('/api/v1/transactions?asset_id=none')).toEqual(none);
  for (const path of [...ofTransactions, 'vaults', 'whitelist'])
    expect([path, (await ask(`/api/v1/${path}.csv`))[0]]).toEqual([path, 200]);
  expect(await ask('/custody/transactions?asset_id=none')).toEqual([400, 'TXN-02']);
  expect(await ask('/custody/vaults/x')).toEqual([400, 'VAL-02']);
});
