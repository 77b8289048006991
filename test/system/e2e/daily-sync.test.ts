// `sync` once a day: what a transaction did that completed before a day's sync explains the balances of that
// day. Each day is a real run of the command; afterwards everything that was recorded is put a day back, to
// the microsecond.
import { expect, test } from 'vitest';
import type { NewTransaction } from '../../../packages/sandbox/src/world/world.ts';
import { type Service, serveSandbox, sync } from '../../support/command.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { putBack } from '../../support/put-back.ts';

async function syncOneDay(service: Service, database: TestDatabase): Promise<void> {
  const ran = await sync(service, database);
  expect(ran, ran.stderr).toMatchObject({ code: 0 });
}

const ofVault = ({ sandbox }: Service): NewTransaction => {
  const vault = sandbox.world.vaults('warm')[0];
  if (vault === undefined) throw new Error('the world has no vaults');
  return {
    assetId: 'BTC',
    assetName: 'Bitcoin',
    networkId: 'BTC',
    networkName: 'Bitcoin',
    fee: '',
    destinationType: 'vault',
    destinationId: vault.vaultId,
    destinationName: vault.name,
    destinationAddress: 'own',
  };
};

const explained = `select asset_id, inflow, unexplained_difference, is_explained, is_comparable
  from reporting.reconciliation_daily where asset_id = 'BTC' order by day`;

test('whatever completed before a day’s sync explains its balances, from the second day on', async () => {
  const [service, database] = await Promise.all([serveSandbox({ frozen: true }), testDatabase()]);
  const days: readonly (readonly [string, string][])[] = [
    [],
    [['first', '5.000000000000000001']],
    [['second', '7']],
    [],
  ];
  for (const [index, deposits] of days.entries()) {
    if (index > 0) await putBack(database);
    for (const [transactionId, amount] of deposits)
      service.sandbox.world.insertTransaction('head', {
        ...ofVault(service),
        transactionId,
        transactionType: 'deposit',
        status: 'completed',
        amount,
        sourceType: 'external',
        sourceId: '',
        sourceName: '',
        sourceAddress: 'sender',
      });
    await syncOneDay(service, database);
  }
  const all = { unexplained_difference: '0', is_explained: true, is_comparable: true };
  expect(await database.query(explained)).toEqual([
    {
      asset_id: 'BTC',
      inflow: null,
      unexplained_difference: null,
      is_explained: null,
      is_comparable: false,
    },
    { asset_id: 'BTC', inflow: '5.000000000000000001', ...all },
    { asset_id: 'BTC', inflow: '7', ...all },
    { asset_id: 'BTC', inflow: '0', ...all },
  ]);
  // The other assets too, and every transaction was read before the balances were asked for.
  expect(
    await database.query(
      `select distinct is_explained, is_comparable from reporting.reconciliation_daily
       where day > (select min(day) from reporting.reconciliation_daily)`,
    ),
  ).toEqual([{ is_explained: true, is_comparable: true }]);
});
