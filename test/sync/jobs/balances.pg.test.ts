import { expect, test } from 'vitest';
import { snapshotBalances } from '../../../src/sync/jobs/balances.ts';
import { openMirror } from '../../support/mirror.ts';

const current = `select vault_type, asset_id, network_id, total_balance::text as total, available_balance::text as available,
  processing_balance::text as processing, staking_balance::text as staking, claimable_balance::text as claimable
  from custody.balances where valid_to is null order by vault_type, asset_id, network_id`;

test.each(['ignored', 'supported', 'refused'] as const)(
  'one tick observes all, warm and cold exactly, where paging by vault type is %s',
  async (paging) => {
    const mirror = await openMirror({
      paging: { 'balances-by-type': paging },
      defaultLimit: { others: 10 },
      unknownParameters: 'ignored',
    });
    const outcome = await snapshotBalances(mirror.context);
    expect(outcome).toMatchObject({ status: 'succeeded', verified: true });
    const expected = (['all', 'warm', 'cold'] as const).flatMap((vaultType) =>
      mirror.sandbox.world.balances(vaultType).map((balance) => ({ vaultType, balance })),
    );
    const rows = await mirror.query(current);
    if (paging === 'supported') expect(rows).toHaveLength(expected.length);
    const found = new Map(
      rows.map((row) => [`${row['vault_type']} ${row['asset_id']} ${row['network_id']}`, row]),
    );
    for (const { vaultType, balance } of expected.filter(
      ({ vaultType }) => vaultType === 'all' || paging === 'supported',
    ))
      expect(found.get(`${vaultType} ${balance.assetId} ${balance.networkId}`)).toMatchObject({
        total: balance.total,
        available: balance.available,
        processing: balance.processing,
        staking: balance.staking,
        claimable: balance.claimable,
      });
    const snapshots = await mirror.query('select distinct snapshot_at from custody.balance_snapshots');
    expect(snapshots).toHaveLength(1);
  },
);

test('what could not be observed gets no snapshot; the rest of the tick is kept', async () => {
  const mirror = await openMirror({}, { CUSTODY_RETRIES: '0' });
  mirror.sandbox.faults.add({
    kind: 'http500',
    endpoint: 'balances-by-type',
    when: ({ parameter }) => parameter === 'cold',
  });
  expect(await snapshotBalances(mirror.context)).toMatchObject({ status: 'failed' });
  expect(await mirror.query('select vault_type from custody.balance_snapshots order by 1')).toEqual([
    { vault_type: 'all' },
    { vault_type: 'warm' },
  ]);
  expect(await mirror.query(`select 1 from custody.balances where vault_type = 'cold'`)).toEqual([]);
});

test('an answer that claims there is no balance is not believed against what is mirrored', async () => {
  const mirror = await openMirror();
  await snapshotBalances(mirror.context);
  mirror.sandbox.faults.add({ kind: 'falseempty', endpoint: 'balances', times: 3 });
  expect(await snapshotBalances(mirror.context)).toMatchObject({ status: 'succeeded', changed: 0 });
  expect(await mirror.query(`select 1 from custody.balances where valid_to is not null`)).toEqual([]);
});
