// What an earlier version made of unreadable balances is set right by the upgrade: a balance that was not among those read did
// not end, and was unknown. Observations get the bounds that can still be told, and amounts the snapshot since when they are.
import { expect, test } from 'vitest';
import { migrate } from '../../../src/store/schema/migrate.ts';
import { knownMigrations } from '../../../src/store/schema/migrations.ts';
import { testDatabase } from '../../support/database.ts';
import { open } from '../../support/store.ts';
import { applyFirst } from './earlier.ts';

test('false ends of an earlier version become unknown spans, and nothing else changes', async () => {
  const earlier = await testDatabase({ empty: true });
  await applyFirst(
    earlier,
    knownMigrations().findIndex(({ name }) => name.endsWith('balance_bounds')),
  );
  const at = (hour: number) => `2026-03-01T0${hour}:00:00Z`;
  await earlier.query(`
    insert into custody.accounts (account_id, base_url, first_seen_at, time_zone) values ('acme', 'https://custody.example', '${at(0)}', 'UTC');
    insert into sync.runs (account_id, job, mode, status, started_at, finished_at)
      values ('acme', 'balances', 'full', 'succeeded', '${at(1)}', '2026-03-01T01:00:03Z'),
        ('acme', 'balances', 'full', 'succeeded', '${at(1)}', '${at(2)}'), ('acme', 'balances', 'full', 'abandoned', '${at(1)}', '2026-03-04T00:00Z'),
        ('acme', 'balances', 'full', 'succeeded', '${at(1)}', '2026-03-04T00:00Z'), ('acme', 'balances', 'full', 'succeeded', '${at(1)}', '2026-02-01T00:00Z');
    insert into custody.balance_snapshots (account_id, vault_type, snapshot_at, asset_count, changed_count, quarantined_count, run_id)
      select 'acme', 'cold', s.at, 0, 0, 0, s.run from (values ('${at(1)}'::timestamptz, 2), ('2026-03-01T01:10:00Z', 3),
        ('2026-03-01T01:20:00Z', 4), ('${at(8)}', 5), ('${at(9)}', 99)) as s (at, run);
    insert into custody.balance_snapshots (account_id, vault_type, snapshot_at, asset_count, changed_count, quarantined_count, run_id)
      select 'acme', 'all', s.at, 1, 0, s.quarantined, s.run from (values
        ('${at(1)}'::timestamptz, 0, 1), ('${at(2)}', 0, 99), ('${at(3)}', 1, 99), ('${at(4)}', 1, 99), ('${at(5)}', 0, 99), ('${at(6)}', 2, 99)
      ) as s (at, quarantined, run);
    insert into custody.balances (account_id, vault_type, asset_id, network_id, valid_from, valid_to, total_balance, run_id, raw)
      select 'acme', 'all', b.asset, '', b.valid_from, b.valid_to, b.total, 99, '{}' from (values
        ('BTC', '${at(1)}'::timestamptz, '${at(2)}'::timestamptz, 10.0), ('BTC', '${at(2)}', '${at(3)}', 10.00), ('BTC', '${at(5)}', '${at(6)}', 10),
        ('ETH', '${at(1)}', '${at(3)}', 2), ('SOL', '${at(1)}', '${at(5)}', 3), ('USD', '${at(1)}', null, 4)
      ) as b (asset, valid_from, valid_to, total)`);
  await migrate(open(earlier.url));
  const hours = (column: string) => `extract(hour from ${column} at time zone 'UTC')::int`;
  expect(
    await earlier.query(
      `select asset_id, ${hours('valid_from')} as from, ${hours('valid_to')} as to from custody.unreadable_balances order by 1, 2`,
    ),
  ).toEqual([
    { asset_id: 'BTC', from: 3, to: 5 },
    { asset_id: 'BTC', from: 6, to: null },
    { asset_id: 'ETH', from: 3, to: 5 },
  ]);
  expect(
    await earlier.query(
      `select asset_id, ${hours('valid_from')} as from, ${hours('valid_to')} as to, ${hours('unchanged_since')} as since
       from custody.balances order by 1, 2`,
    ),
  ).toEqual([
    { asset_id: 'BTC', from: 1, to: 2, since: 1 },
    { asset_id: 'BTC', from: 2, to: 5, since: 1 },
    { asset_id: 'BTC', from: 5, to: null, since: 1 },
    { asset_id: 'ETH', from: 1, to: 5, since: 1 },
    { asset_id: 'SOL', from: 1, to: 5, since: 1 },
    { asset_id: 'USD', from: 1, to: null, since: 1 },
  ]);
  expect(
    await earlier.query(
      `select asset_id, change, ${hours('unchanged_until')} as until, ${hours('changed_at')} as at
       from reporting.balance_changes where change <> 'first observed' order by 1`,
    ),
  ).toEqual([
    { asset_id: 'ETH', change: 'disappeared', until: 2, at: 5 },
    { asset_id: 'SOL', change: 'disappeared', until: 4, at: 5 },
  ]);
  expect(
    await earlier.query(
      `select ${hours('snapshot_at')} as hour, asked_at = snapshot_at as asked, extract(epoch from answered_at - snapshot_at)::int as took,
         unidentified_count as unidentified from custody.balance_snapshots where vault_type = 'all' order by 1`,
    ),
  ).toEqual(
    [0, 0, 1, 1, 0, 2].map((unidentified, index) => ({
      hour: index + 1,
      asked: true,
      took: index === 0 ? 3 : 0,
      unidentified,
    })),
  );
  // The end of the run, if it ended by itself, but not after the next observation, nor an hour later.
  expect(
    await earlier.query(
      `select run_id::int as run, extract(epoch from answered_at - snapshot_at)::int as took
       from custody.balance_snapshots where vault_type = 'cold' order by snapshot_at`,
    ),
  ).toEqual([
    { run: 2, took: 600 },
    { run: 3, took: 0 },
    { run: 4, took: 3600 },
    { run: 5, took: 0 },
    { run: 99, took: 0 },
  ]);
});
