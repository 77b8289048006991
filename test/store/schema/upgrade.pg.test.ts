// A database full of what an earlier version had mirrored, as that version left it: brought up to this one, nothing of it is
// lost or changed, every view answers with it, and this version writes on.
import { expect, test } from 'vitest';
import { createMetrics } from '../../../src/base/metrics.ts';
import type { Balance } from '../../../src/domain/balance.ts';
import { commitBalanceSnapshot } from '../../../src/store/commit/commit-balances.ts';
import { commitTransactionPages } from '../../../src/store/commit/commit-transactions.ts';
import { startRun } from '../../../src/store/run/runs.ts';
import { migrate } from '../../../src/store/schema/migrate.ts';
import { knownMigrations } from '../../../src/store/schema/migrations.ts';
import { withLease } from '../../../src/sync/run/lease-holder.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { silentLogger } from '../../support/loggers.ts';
import { account, noRequests, open, page, pageOf } from '../../support/store.ts';
import { applyFirst } from './earlier.ts';

/** As the version before reports left it: three migrations, and statements that know of no later column. */
const before = 3;

async function fill({ query }: TestDatabase): Promise<void> {
  await query(`
    insert into custody.accounts values ('acme', 'https://custody.example', '2026-03-01T08:00Z');
    insert into sync.runs (account_id, job, mode, status, started_at, finished_at, records_read, records_inserted, verified, verdict, error_code, error_message) values
      ('acme', 'transactions', 'full', 'succeeded', '2026-03-01T08:00Z', '2026-03-01T08:05Z', 3, 3, true, '{"end": "confirmed", "doubts": []}', null, null),
      ('acme', 'balances', 'full', 'succeeded', '2026-03-01T08:00Z', '2026-03-01T08:01Z', 1, 1, true, null, null, null),
      ('acme', 'transactions', 'incremental', 'failed', '2026-03-02T08:00Z', '2026-03-02T08:05Z', 0, 0, null, null, 'ERR-01', 'Internal server error'),
      ('acme', 'reconcile', 'full', 'running', '2026-03-02T09:00Z', null, 0, 0, null, null, null, null);
    insert into custody.transactions (account_id, transaction_id, status, transaction_type, asset_id, asset_name, network_id, network_name,
        amount, fee, source_type, source_id, source_name, source_address, destination_type, destination_id, destination_name,
        destination_address, destination_memo, txn_hash, note, first_seen_at, status_changed_at, changed_at, content_hash, raw) values
      ('acme', 'in', 'completed', 'deposit', 'ETH', 'Ether', 'ETH', 'Ethereum', 10.500, null, 'external', '', '', 'sender',
        'vault', 'v1', 'Desk', 'own', '', '0x1', '', '2026-03-01T08:01Z', '2026-03-01T08:01Z', '2026-03-01T08:01Z', 'h1', '{"transaction_id": "in"}'),
      ('acme', 'out', 'completed', 'withdraw', 'ETH', 'Ether', 'ETH', 'Ethereum', 0.000000000000000001, 0.1, 'vault', 'v1', 'Desk', 'own',
        'whitelist', 'w1', 'Friend', 'receiver', '', '0x2', '', '2026-03-01T08:01Z', '2026-03-02T08:01Z', '2026-03-02T08:01Z', 'h2', '{"transaction_id": "out"}'),
      ('acme', 'open', 'confirming', 'withdraw', 'ETH', 'Ether', 'ETH', 'Ethereum', 1, null, 'vault', 'v1', 'Desk', 'own',
        'whitelist', 'w1', 'Friend', 'receiver', '', '', '', '2026-03-02T08:01Z', '2026-03-02T08:02Z', '2026-03-02T08:02Z', 'h3', '{"transaction_id": "open"}');
    insert into custody.transaction_status_history values
      ('acme', 'in', 1, null, 'completed', '2026-03-01T08:01Z', null, 1),
      ('acme', 'out', 1, null, 'pending', '2026-03-01T08:01Z', null, 1),
      ('acme', 'out', 2, 'pending', 'completed', '2026-03-02T08:01Z', null, 3),
      ('acme', 'open', 1, null, 'pending', '2026-03-02T08:01Z', null, 3),
      ('acme', 'open', 2, 'pending', 'confirming', '2026-03-02T08:02Z', null, 3);
    insert into custody.transaction_revisions values
      ('acme', 'out', 1, '2026-03-02T08:01Z', '{txn_hash}', '{"txn_hash": ""}', '{"txn_hash": "0x2"}', 3);
    insert into custody.balance_snapshots select 'acme', t, at, null, 1, 1, 0, 2
      from unnest(array['all', 'warm', 'cold']) t, unnest(array['2026-03-01T08:00Z', '2026-03-02T08:00Z']::timestamptz[]) at;
    insert into custody.balances select 'acme', t, 'ETH', 'ETH', b.*, 'Ether', 'Ethereum', b2.total, b2.total, 0, 0, 0, 2, '{}'
      from unnest(array['all', 'warm']) t,
      (values ('2026-03-01T08:00Z'::timestamptz, '2026-03-02T08:00Z'::timestamptz), ('2026-03-02T08:00Z', null)) b (valid_from, valid_to),
      lateral (select case when b.valid_to is null then 20.25 else 10.500 end as total) b2;
    insert into custody.vaults values
      ('acme', 'v1', 'warm', 'Desk', '{"id": "v1"}', '2026-03-01T08:02Z', '2026-03-01T08:02Z', null, 'hv');
    insert into custody.whitelist_entries values
      ('acme', 'w1', 'Friend', 'receiver', 'ETH', 'ETH', '{"id": "w1"}', '2026-03-01T08:02Z', '2026-03-01T08:02Z', null, 'hw');
    insert into custody.document_revisions values
      ('acme', 'vault', 'v1', 1, '2026-03-01T08:02Z', 'added', '{"id": "v1"}', 1),
      ('acme', 'whitelist_entry', 'w1', 1, '2026-03-01T08:02Z', 'added', '{"id": "w1"}', 1);
    insert into sync.positions values ('acme', 'reconcile', '{"offset": 2}', '2026-03-02T09:00Z');
    insert into sync.leases values ('acme', 'earlier:1', 41, '2026-03-01T08:00Z', '2026-03-02T09:30Z');
    insert into sync.learned values ('acme', 'transactions_page_cap', '100', 'seen', '2026-03-01T08:00Z');
    insert into sync.quarantine (account_id, resource, record_key, reason, raw, run_id, first_observed_at, last_observed_at)
      values ('acme', 'transactions', 'odd', 'has no status', '{}', 1, '2026-03-01T08:01Z', '2026-03-01T08:01Z');
    insert into sync.anomalies (account_id, kind, resource, resource_id, details, first_observed_at, last_observed_at)
      values ('acme', 'unknown-value', 'transactions', 'x', '{}', '2026-03-01T08:01Z', '2026-03-01T08:01Z')`);
}

/** Every row of the tables in the columns that there are now, as a question that can be asked again later. */
async function rowsOf({ query }: TestDatabase): Promise<() => Promise<unknown>> {
  const tables = await query<{ relation: string; columns: string }>(`
    select format('%I.%I', table_schema, table_name) as relation,
      string_agg(format('%I', column_name), ', ' order by ordinal_position) as columns
    from information_schema.columns where table_schema in ('custody', 'sync') group by 1 order by 1`);
  expect(tables).toHaveLength(15);
  return async () => {
    const found: Record<string, unknown> = {};
    for (const { relation, columns } of tables) {
      const rows = await query(
        `select to_jsonb(t) as row from (select ${columns} from ${relation}) t order by 1`,
      );
      expect(rows, relation).not.toEqual([]);
      found[relation] = rows;
    }
    return found;
  };
}

test('a populated database of an earlier version keeps every row, its views answer, and it is written on', async () => {
  const old = await testDatabase({ empty: true });
  await applyFirst(old, before);
  await fill(old);
  const rows = await rowsOf(old);
  const kept = await rows();
  const database = open(old.url);
  expect(await migrate(database)).toEqual(
    knownMigrations()
      .slice(before)
      .map(({ name }) => name),
  );
  expect(await rows()).toEqual(kept);

  const views = await old.query<{ name: string }>(
    "select format('%I.%I', schemaname, viewname) as name from pg_views where schemaname in ('custody', 'reporting') order by 1",
  );
  expect(views.length).toBeGreaterThan(20);
  const answers: Record<string, number> = {};
  for (const { name } of views) answers[name] = (await old.query(`select * from ${name}`)).length;
  // Prices are there for whoever enters some; nothing vanished, and nothing was corrected.
  const empty = Object.keys(answers).filter((name) => answers[name] === 0);
  expect(empty).toEqual([
    'reporting.balance_values',
    'reporting.balance_values_daily',
    'reporting.late_corrections',
    'reporting.vanished_transactions',
  ]);
  // No verified reading of the lists is kept, so none is claimed; and the sums are made.
  expect(await old.query('select kind from custody.document_readings')).toEqual([]);
  expect(
    await old.query(
      'select * from internal.destination_totals except all select * from internal.destination_sums',
    ),
  ).toEqual([]);
  expect(
    await old.query(
      "select day::text, total_balance from reporting.balances_daily where vault_type = 'all' order by day",
    ),
  ).toEqual([
    { day: '2026-03-01', total_balance: '10.5' },
    { day: '2026-03-02', total_balance: '20.25' },
  ]);
  expect(
    await old.query('select transaction_id, is_open, amount::text from reporting.transactions order by 1'),
  ).toEqual([
    { transaction_id: 'in', is_open: false, amount: '10.5' },
    { transaction_id: 'open', is_open: true, amount: '1' },
    { transaction_id: 'out', is_open: false, amount: '0.000000000000000001' },
  ]);
  expect(
    await old.query(
      'select destination_id, uses, completed_uses, whitelisted_now from reporting.destinations',
    ),
  ).toEqual([{ destination_id: 'w1', uses: '2', completed_uses: '1', whitelisted_now: true }]);

  const holder = {
    database,
    account,
    holder: 'this',
    ttlMs: 60_000,
    facts: { reload: async () => undefined },
    logger: silentLogger,
    metrics: createMetrics(),
  };
  const written = await withLease(holder, new AbortController().signal, async (lease) => {
    expect(lease.token).toBe('42');
    const run = await startRun(database, lease, { job: 'transactions', mode: 'full' });
    const began = Date.now();
    await commitTransactionPages(database, lease, run, {
      pages: [pageOf([{ id: 'open', status: 'completed' }], began - Date.UTC(2026, 0, 1))],
      tally: noRequests,
      position: null,
    });
    const pages = [page<Balance>([], 0)];
    await commitBalanceSnapshot(database, lease, run, {
      vaultType: 'all',
      snapshotAt: began,
      observation: { beganAt: began, arrivedAt: began },
      pages,
      tally: noRequests,
    });
    return run.runId;
  });
  expect(written).toEqual({ value: '5' });
  expect(await old.query('select status from sync.runs where run_id = 4')).toEqual([{ status: 'abandoned' }]);
  expect(
    await old.query(
      'select transaction_id, sequence, to_status, change_id from custody.transaction_status_history order by change_id desc limit 1',
    ),
  ).toEqual([{ transaction_id: 'open', sequence: 3, to_status: 'completed', change_id: '6' }]);
  expect(
    await old.query("select from custody.balances where vault_type = 'all' and valid_to is null"),
  ).toEqual([]);
});
