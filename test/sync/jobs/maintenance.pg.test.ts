import { expect, test } from 'vitest';
import { runners } from '../../../src/sync/jobs/runners.ts';
import { openMirror } from '../../support/mirror.ts';

test('the run says what was removed, and no snapshot is', async () => {
  const { context, query } = await openMirror({ transactions: 1 });
  await query(`
    update custody.accounts set first_seen_at = '2025-01-01T00:00Z';
    insert into custody.balance_snapshots (account_id, vault_type, snapshot_at, asked_at, answered_at, asset_count, changed_count, quarantined_count, run_id)
      select 'default', 'all', at, at, at, 0, 0, 0, 1
      from generate_series('2025-01-01T01:00Z'::timestamptz, '2025-01-02T06:00Z', '1 hour') at;
    insert into sync.anomalies
      (account_id, kind, resource, resource_id, details, first_observed_at, last_observed_at, resolved_at)
      values ('default', 'missing', 'vaults', 'v', '{}', '2025-01-01', '2025-01-01', '2025-01-02');
    insert into sync.quarantine
      (account_id, resource, record_key, reason, raw, run_id, first_observed_at, last_observed_at, resolved_at)
      values ('default', 'vaults', 'v', 'has no id', '{}', 1, '2025-01-01', '2025-01-01', '2025-01-02')`);
  const last = async () =>
    (await query('select status, verified, verdict from sync.runs order by run_id desc limit 1'))[0];
  const none = { runs: 0, anomalies: 0 };

  expect(await runners.maintenance(context, {})).toMatchObject({ status: 'succeeded' });
  expect(await last()).toEqual({
    status: 'succeeded',
    verified: null,
    verdict: { removed: { ...none, anomalies: 1 } },
  });
  expect(await query('select from custody.balance_snapshots')).toHaveLength(30);
  // Of a record that left the list unread, this is all there is.
  expect(await query('select from sync.quarantine')).toHaveLength(1);

  await runners.maintenance(context, {});
  expect(await last()).toMatchObject({ verdict: { removed: none } });
});
