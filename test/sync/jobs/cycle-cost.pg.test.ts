// What a cycle and a status report read does not grow with the mirror: counted in rows of tables and entries
// of indexes, by PostgreSQL's own statistics, against a mirror of many times the rows that a cycle has to do
// with.
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { keptCounts } from '../../../bench/reporting-data.ts';
import { compareTotals } from '../../../src/store/commit/commit-balances.ts';
import { readStatus } from '../../../src/store/job-queries/status.ts';
import type { Database } from '../../../src/store/postgres/database.ts';
import { migrationsFolder } from '../../../src/store/schema/migrations.ts';
import { snapshotBalances } from '../../../src/sync/jobs/balances.ts';
import { syncTransactions } from '../../../src/sync/jobs/transactions.ts';
import { createFactKeeper } from '../../../src/sync/run/fact-keeper.ts';
import { type Mirror, openMirror } from '../../support/mirror.ts';
import { withClient } from '../../support/server.ts';
import { open } from '../../support/store.ts';
import { waitFor } from '../../support/wait-for.ts';

const many = 40_000;
/** Far more than a cycle needs, and far less than there are. */
const few = many / 8;

/** Settled transactions with their histories, runs and snapshots, as a mirror of many days holds them. */
const grown = [
  `insert into custody.transactions (account_id, transaction_id, status, first_seen_at, status_changed_at, changed_at, content_hash, raw)
   select 'default', 'old-' || i, 'completed', '2020-01-01', '2020-01-01', '2020-01-01', md5(i::text), '{}'
   from generate_series(1, ${many}) i`,
  `insert into custody.transaction_status_history (account_id, transaction_id, sequence, to_status, observed_at, run_id)
   select 'default', 'old-' || i, 1, 'completed', '2020-01-01', 1 from generate_series(1, ${many}) i`,
  `insert into sync.runs (account_id, job, mode, status, started_at, finished_at)
   select 'default', 'transactions', 'incremental', 'succeeded', at, at
   from generate_series(1, ${many}) i cross join lateral (select timestamptz '2020-01-01' + make_interval(secs => i) as at) t`,
  `insert into custody.balance_snapshots (account_id, vault_type, snapshot_at, asset_count, changed_count, quarantined_count, run_id)
   select 'default', v, timestamptz '2020-01-01' + make_interval(secs => i), 0, 0, 0, 1
   from generate_series(1, ${many / 4}) i cross join unnest(array['all', 'warm', 'cold']) v`,
  keptCounts,
  'vacuum analyze',
];

/** Rows and entries read so far, by table and index. */
const readSoFar = async (mirror: Mirror) => {
  const rows = await mirror.query<{ name: string; read: number }>(
    `select relname || ' by ' || name as name, read::float8 from pg_stat_user_tables t
       cross join lateral (
         select 'itself' as name, coalesce(seq_tup_read, 0) as read
         union all select indexrelname, idx_tup_read from pg_stat_user_indexes i where i.relid = t.relid
       ) as parts
     where relname in ('transactions', 'transaction_status_history', 'transaction_revisions', 'runs', 'balance_snapshots')`,
  );
  return new Map(rows.map(({ name, read }) => [name, read]));
};

/** Sessions tell what they have read when they end. */
const sessionsEnd = (mirror: Mirror) =>
  waitFor(
    async () =>
      (
        await mirror.query(
          `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
        )
      ).length === 0,
    { what: 'the sessions to end' },
  );

test('a cycle, a snapshot and a status report read what they need, however much is mirrored', async () => {
  const mirror = await openMirror({ transactions: 600 });
  const { context, sandbox } = mirror;
  const insert = () => sandbox.world.insertTransaction('head', { status: 'completed' });
  await syncTransactions(context, { full: true });
  for (let added = 0; added < 3; added += 1) insert();
  await syncTransactions(context, { full: true });
  for (let tick = 0; tick < 2; tick += 1) await snapshotBalances(context);
  await withClient(mirror.url, async (client) => {
    for (const statement of grown) await client.query(statement);
  });
  await context.database.close();
  await sessionsEnd(mirror);
  const before = await readSoFar(mirror);

  const again = open(mirror.url);
  const grownContext = { ...context, database: again, facts: await createFactKeeper(again, 'default') };
  insert();
  expect(await syncTransactions(grownContext, { full: false })).toMatchObject({
    status: 'succeeded',
    inserted: 1,
  });
  expect(await snapshotBalances(grownContext)).toMatchObject({ status: 'succeeded' });
  const cycle = await readSince(mirror, again, before);
  expect(cycle.find(({ name }) => name === 'transactions by transactions_pkey')?.rows).toBeGreaterThan(0);
  expect(cycle.filter(({ rows }) => rows > few)).toEqual([]);

  const database = open(mirror.url);
  const report = await readStatus(database, 'default');
  expect(report.transactions).toMatchObject({ total: many + 604, missing: 0 });
  const all = await readSince(mirror, database, before);
  expect(all.filter(({ rows }) => rows > few)).toEqual([]);
  // Asked at the end, because it reads all runs.
  expect(
    await mirror.query("select mode from sync.runs where job = 'transactions' order by run_id desc limit 1"),
  ).toEqual([{ mode: 'incremental' }]);
});

test('a first sweep in small pages looks up each transaction a few times, in a table that was never analysed too', async () => {
  const mirror = await openMirror({ transactions: 3_000, frozen: true }, { CUSTODY_PAGE_SIZE: '50' });
  await mirror.query('alter table custody.transactions set (autovacuum_enabled = off)');
  const before = await readSoFar(mirror);
  expect(await syncTransactions(mirror.context, { full: true })).toMatchObject({ inserted: 3_000 });
  const swept = await readSince(mirror, mirror.context.database, before);
  expect(swept.find(({ name }) => name === 'transactions by transactions_pkey')?.rows).toBeGreaterThan(0);
  // Looking through all that there are for each would be some millions.
  expect(swept.filter(({ rows }) => rows > 100_000)).toEqual([]);
});

test('a vault type that is never observed does not make each tick read all snapshots there are', async () => {
  const mirror = await openMirror();
  const at = Date.UTC(2026, 0, 1);
  await withClient(mirror.url, async (client) => {
    for (const statement of grown) await client.query(statement);
    await client.query(
      `begin; set local session_replication_role = replica;
         delete from custody.balance_snapshots where vault_type = 'cold'; commit`,
    );
    await client.query(
      `insert into custody.balance_snapshots (account_id, vault_type, snapshot_at, asset_count, changed_count, quarantined_count, run_id)
       select 'default', v, to_timestamp($1 / 1000.0), 0, 0, 0, 1 from unnest(array['all', 'warm']) v`,
      [at],
    );
    await client.query('vacuum analyze custody.balance_snapshots');
  });
  await mirror.context.database.close();
  await sessionsEnd(mirror);
  const before = await readSoFar(mirror);
  const database = open(mirror.url);
  for (let tick = 0; tick < 3; tick += 1) await compareTotals(database, mirror.context.lease, at);
  const read = await readSince(mirror, database, before);
  expect(read.filter(({ name, rows }) => name.startsWith('balance_snapshots') && rows > 100)).toEqual([]);
});

/**
 * What was read since, by table; the sessions of the database are ended, for they tell what they read when
 * they end.
 */
async function readSince(mirror: Mirror, database: Database, before: ReadonlyMap<string, number>) {
  await database.close();
  await sessionsEnd(mirror);
  const after = await readSoFar(mirror);
  return [...after].map(([name, rows]) => ({ name, rows: rows - (before.get(name) ?? 0) }));
}

test('who follows the history from its beginning reads at each step what the step hands out', async () => {
  const mirror = await openMirror();
  const text = await readFile(join(dirname(migrationsFolder()), 'docs/events.md'), 'utf8');
  const [setUp = '', step = ''] = [...text.matchAll(/```sql\n([^`]*)```/g)].map((match) => match[1]);
  await withClient(mirror.url, async (client) => {
    for (const statement of grown) await client.query(statement);
    await client.query(setUp);
    for (let steps = 0; steps < 3; steps += 1) {
      const { rows } = await client.query(`explain (analyze, format json) ${step}`);
      const read = nodesOf(rows[0]['QUERY PLAN'][0].Plan)
        .filter((node) => node['Relation Name'] === 'transaction_status_history')
        .map((node) => Number(node['Actual Rows']) + Number(node['Rows Removed by Filter'] ?? 0));
      expect(read).toEqual([1_000]);
    }
  });
});

interface PlanNode extends Record<string, unknown> {
  readonly Plans?: readonly PlanNode[];
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}
