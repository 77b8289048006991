// What people ask of the reports reads what the answer needs: no plan reads a table whole that grows with
// every transaction, change, day or price. At a scale at which reading it whole would be the cheaper plan for
// much of a table, but not for a month.
import { beforeAll, expect, test } from 'vitest';
import { buildLastDay, buildReportingData, vacuumAsAutovacuum } from '../../bench/reporting-data.ts';
import { planQuery } from '../../bench/reporting-plans.ts';
import { reportQueries } from '../../bench/reporting-queries.ts';
import type { ReportingSize } from '../../bench/reporting-size.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { withClient } from '../support/server.ts';

const size: ReportingSize = {
  transactions: 20_000,
  days: 1095,
  snapshotMinutes: 60,
  assets: 100,
  whitelistEntries: 400,
};

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
  await withClient(database.url, async (client) => {
    await buildReportingData(client, size);
    await buildLastDay(client, size);
    await vacuumAsAutovacuum(client);
  });
}, 300_000);

test('the data is what it claims to be', async () => {
  const [found] = await database.query(
    `select (select count(*)::int from custody.transactions) as transactions,
       (select count(*)::int from custody.transactions t join lateral (select to_status, observed_at
          from custody.transaction_status_history h where h.account_id = t.account_id and h.transaction_id = t.transaction_id
          order by sequence desc limit 1) h on true where h.to_status = t.status and h.observed_at = t.status_changed_at) as settled,
       (select count(*)::int from custody.transaction_status_history) as changes,
       (select count(*)::int from custody.balances where valid_to is null) as current,
       (select sum(uses)::int from reporting.destinations) as uses,
       (select sum(non_whitelisted_uses)::int from reporting.destinations) as non_whitelisted,
       (select sum(unknown_whitelist_uses)::int from reporting.destinations) as unknown_whitelist,
       (select count(*)::int from reporting.destination_uses) as withdrawals,
       (select count(*)::int from reporting.destination_uses where not is_whitelisted) as not_whitelisted,
       (select count(*)::int from reporting.destination_uses where is_whitelisted is null) as not_known,
       (select count(*)::int from reporting.vault_split where agrees) as agreeing`,
  );
  expect(found).toMatchObject({ transactions: 20_000, settled: 20_000, current: 300, agreeing: 100 });
  expect(found?.['changes']).toBeGreaterThan(59_000);
  expect(found?.['uses']).toBe(found?.['withdrawals']);
  expect(found?.['non_whitelisted']).toBe(found?.['not_whitelisted']);
  expect(found?.['unknown_whitelist']).toBe(found?.['not_known']);
  expect(found?.['not_known']).toBeGreaterThan(100);
  expect(found?.['not_whitelisted']).toBeGreaterThan(100);
});

test('every view and function has a case here', async () => {
  const there = await database.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'reporting'::regnamespace and relkind = 'v'
     union select proname || '()' from pg_proc where pronamespace = 'reporting'::regnamespace order by 1`,
  );
  expect([...new Set(reportQueries.map(({ view }) => view))].sort()).toEqual(
    there.map(({ name }) => name).sort(),
  );
});

test.each(reportQueries)('$view, $asked: reads no table whole', async ({ sql, view }) => {
  await withClient(database.url, async (client) => {
    const { wholeReads, text } = await planQuery(client, sql);
    // Payees are the sums of all withdrawals: one reading of them.
    expect(wholeReads, text).toHaveLength(view === 'destinations' ? 1 : 0);
  });
});

test('a page of transactions between bounds of the amount walks the order in the index, and fetches the rows it finds', async () => {
  await withClient(database.url, async (client) => {
    await client.query('set join_collapse_limit = 1; set max_parallel_workers_per_gather = 0');
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `explain (costs off) select * from reporting.transactions v where v.account_id = 'bench' and v.amount >= 180000
       order by first_seen_at desc, transaction_id desc limit 101`,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(
      /Index Scan Backward using transactions_first_seen_idx.*\n *Index Cond: .*trim_scale\(amount\) >= '180000'/,
    );
  });
});

test('a price that is known now is found without a look at those that were replaced', async () => {
  await withClient(database.url, async (client) => {
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `explain (analyze, costs off, timing off) select p.price from custody.asset_prices q
       cross join lateral reporting.price_known(q.account_id, q.asset_id, q.currency, q.as_of, 'infinity') as p limit 5`,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/former_prices.*never executed/);
  });
});
