// The dbt package in deploy/dbt, installed as its users install it, on a year of two accounts of the demo:
// every figure of its models is the one of `reporting`, also after late corrections; amounts that do not fit
// are named.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { onCleanup } from '../../support/cleanup.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { newFolder } from '../../support/folder.ts';
import { waitFor } from '../../support/wait-for.ts';
import { type DbtProject, dbtPackage, openProject } from './dbt-project.ts';
import { addDemoAccount } from './demo-mirror.ts';
import { installed } from './installed.ts';
import { longAmount, openMirrorForReaders } from './mirror-for-readers.ts';

const { missing } = installed('python', { takesMinutes: true });
const quick = installed('python');
const local = `  - local: ${JSON.stringify(dbtPackage)}\n`;
let demo: TestDatabase;

beforeAll(async () => {
  if (missing !== '') return;
  demo = await testDatabase();
  const year = { days: 365, transactions: 3_000 };
  await addDemoAccount(demo, { SCHEDULE_TIMEZONE: 'Europe/Berlin' }, year);
  const other = { CUSTODY_ACCOUNT: 'fund-1.south', SCHEDULE_TIMEZONE: 'Pacific/Auckland' };
  await addDemoAccount(demo, other, { ...year, seed: 8 });
  // As PostgreSQL does by itself while a mirror lives.
  await demo.query('analyze');
}, 900_000);

test.skipIf(missing !== '')(
  `dbt builds, tests and documents the package, and every figure is that of reporting, after late corrections too${missing}`,
  async () => {
    const mirror = await testDatabase({ copyOf: demo });
    await makeGaps(mirror);
    const project = await openProject(mirror, local);
    succeed(project, 'deps');
    succeed(project, 'build');
    succeed(project, 'docs', 'generate');
    expect(existsSync(join(project.directory, 'target/catalog.json'))).toBe(true);
    succeed(project, 'source', 'freshness');
    await expectEqualFigures(mirror);
    await expectGapsAndTypes(mirror);

    const before = await mirror.query<{ day: string }>(
      'select day::text, max(built_at) from marts.custody_mirror_flows_daily group by 1 order by 1',
    );
    const corrected = await correctLate(mirror);
    succeed(project, 'build');
    await expectEqualFigures(mirror);
    const kept = await mirror.query(
      `select count(distinct day)::int as days from marts.custody_mirror_flows_daily
       where built_at < (select max(built_at) from marts.custody_mirror_flows_daily)`,
    );
    expect(Number(kept[0]?.['days'])).toBeGreaterThan(before.length / 2);
    expect(corrected.length).toBeGreaterThan(0);

    await mirror.query(`delete from custody.asset_prices where asset_id = 'BTC'`);
    await mirror.query('delete from custody.fee_rules');
    succeed(project, 'build');
    await expectEqualFigures(mirror);
  },
  1_800_000,
);

/** Amounts as exact text, and whether numeric(38,18) holds them. */
const bounds: readonly (readonly [amount: string, fits: boolean])[] = [
  [longAmount, false],
  ['1.0000000000000000001', false],
  ['100000000000000000000', false],
  ['-100000000000000000000', false],
  ['99999999999999999999.999999999999999999', true],
  ['-99999999999999999999.999999999999999999', true],
  ['-0.000000000000000001', true],
  ['0', true],
];

test.skipIf(quick.missing !== '')(
  `the package names each amount that does not fit numeric(38,18) or would be rounded${quick.missing}`,
  async () => {
    const { database: mirror } = await openMirrorForReaders();
    const project = await openProject(mirror, local);
    succeed(project, 'deps');
    const ids = await mirror.query<{ id: string }>(
      'select transaction_id as id from custody.transactions order by 1 limit $1',
      [bounds.length],
    );
    for (const [index, [amount]] of bounds.entries())
      await mirror.query('update custody.transactions set amount = $1::numeric where transaction_id = $2', [
        amount,
        ids[index]?.id,
      ]);
    const { status, stdout } = project.dbt('build', '--select', 'stg_custody_mirror__transactions');
    expect(status).toBe(1);
    const named = stdout.split('\n').filter((line) => line.includes('Does not fit numeric(38,18)'));
    const staged = await mirror.query(
      `select amount, amount_text as text from marts.stg_custody_mirror__transactions
       where transaction_id = any($1) order by transaction_id`,
      [ids.map(({ id }) => id)],
    );
    for (const [index, [amount, fits]] of bounds.entries()) {
      const isNamed = named.some(
        (line) => line.includes(`"${ids[index]?.id}"`) && line.includes(`"${amount}"`),
      );
      const row = staged[index];
      expect({ amount, text: row?.['text'], isNull: row?.['amount'] === null, isNamed }).toEqual({
        amount,
        text: amount,
        isNull: !fits,
        isNamed: !fits,
      });
    }
    expect(named).toHaveLength(bounds.filter(([, fits]) => !fits).length);
  },
  600_000,
);

test.skipIf(missing !== '')(
  `two builds at once insert no day twice${missing}`,
  async () => {
    const mirror = await testDatabase();
    await addDemoAccount(mirror, {}, { transactions: 300 });
    const project = await openProject(mirror, local);
    const mart = 'marts.custody_mirror_flows_daily';
    const build = ['run', '--select', '+custody_mirror_flows_daily'];
    succeed(project, 'deps');
    succeed(project, ...build);
    const days = `select account_id, day, asset_id, network_id from ${mart} order by 1, 2, 3, 4`;
    const before = await mirror.query(days);
    expect(before.length).toBeGreaterThan(0);
    // Nobody reads the mart before both have come to it.
    const gate = new pg.Client(mirror.url);
    await gate.connect();
    onCleanup(() => gate.end());
    await gate.query(`begin; lock table ${mart} in access exclusive mode`);
    const builds = [project.start(...build), project.start(...build)];
    const waiting = `select distinct pid from pg_locks where not granted and relation = '${mart}'::regclass`;
    const bothWait = async () => (await mirror.query(waiting)).length === 2;
    await waitFor(bothWait, { what: 'both builds at the mart', deadlineMs: 240_000 });
    await gate.query('rollback');
    for (const { status, stdout, stderr } of await Promise.all(builds))
      expect(status, `${stdout}\n${stderr}`).toBe(0);
    expect(await mirror.query(days)).toEqual(before);
  },
  600_000,
);

test.skipIf(missing !== '')(
  `the package installs from git, and a stale mirror fails it${missing}`,
  async () => {
    const repository = newFolder();
    cpSync(dbtPackage, join(repository, 'deploy/dbt'), { recursive: true });
    const who = ['-c', 'user.name=test', '-c', 'user.email=test@example.com'];
    for (const args of [
      ['init', '-q'],
      ['add', '.'],
      [...who, 'commit', '-q', '-m', 'package'],
      ['tag', 'v1'],
    ]) {
      const { status, stderr } = spawnSync('git', args, { cwd: repository, encoding: 'utf8' });
      expect(status, stderr).toBe(0);
    }
    const mirror = await testDatabase({ copyOf: demo });
    const from = `  - git: ${JSON.stringify(`file://${repository}`)}\n    subdirectory: deploy/dbt\n    revision: v1\n`;
    const project = await openProject(mirror, from);
    succeed(project, 'deps');
    const some = [
      '+custody_mirror_stuck_transactions',
      '+custody_mirror_flows_daily',
      'custody_mirror_is_fresh',
    ];
    const build = ['build', '--indirect-selection', 'buildable', '--select', ...some];
    succeed(project, ...build);
    succeed(project, ...build);
    await mirror.query(
      `update sync.runs set started_at = started_at - interval '2 days', finished_at = finished_at - interval '2 days'`,
    );
    expect(project.dbt('build', '--select', 'custody_mirror_is_fresh').status).toBe(1);
    expect(project.dbt('source', 'freshness').status).toBe(1);
  },
  600_000,
);

function succeed(project: DbtProject, ...args: readonly string[]): void {
  const { status, stdout, stderr } = project.dbt(...args);
  expect(status, `${args.join(' ')}\n${stdout}\n${stderr}`).toBe(0);
  expect(stdout).not.toMatch(/equals_view.*WARN/);
}

/** What each mart must hold: its columns and those of the view, in the same order. */
const equal: Readonly<Record<string, readonly [mart: string, view: string]>> = {
  holdings_daily: [
    `account_id, day, vault_type, asset_id, network_id, asset_name, network_name, is_known, observed_at, price_as_of,
       total_balance_text, available_balance_text, processing_balance_text, staking_balance_text, claimable_balance_text,
       price_text, total_value_text, total_balance, available_balance, processing_balance, staking_balance, claimable_balance,
       price, total_value`,
    `b.account_id, b.day, b.vault_type, b.asset_id, b.network_id, b.asset_name, b.network_name, b.is_known, b.observed_at,
       v.price_as_of, b.total_balance::text, b.available_balance::text, b.processing_balance::text, b.staking_balance::text,
       b.claimable_balance::text, v.price::text, v.total_value::text, b.total_balance, b.available_balance, b.processing_balance,
       b.staking_balance, b.claimable_balance, round(v.price, 18), round(v.total_value, 18)
     from reporting.balances_daily b left join reporting.balance_values_daily v
       on (v.account_id, v.day, v.vault_type, v.asset_id, v.network_id, v.currency)
         = (b.account_id, b.day, b.vault_type, b.asset_id, b.network_id, 'USD')`,
  ],
  flows_daily: [
    'account_id, day, asset_id, asset_name, network_id, deposits, in_amount, in_amount_text, withdrawals, out_amount, out_amount_text, net_amount, net_amount_text, missing',
    `account_id, day, asset_id, asset_name, network_id, deposits, in_amount, in_amount::text, withdrawals, out_amount,
       out_amount::text, net_amount, net_amount::text, missing from reporting.flows_daily`,
  ],
  fees_daily: [
    'account_id, day, fee_asset_id, fee_asset_is_assumed, asset_id, asset_name, network_id, transaction_type, transactions, fee, fee_text, missing',
    `account_id, day, fee_asset_id, fee_asset_is_assumed, asset_id, asset_name, network_id, transaction_type, transactions,
       fee, fee::text, missing from reporting.fees_daily`,
  ],
  non_whitelisted_payments: [
    'account_id, transaction_id, destination_address, asset_id, amount, amount_text, finding, whitelist_reason, missing_since',
    `account_id, transaction_id, destination_address, asset_id, amount, amount::text,
       case is_whitelisted when false then 'not whitelisted' else 'unknown' end, whitelist_reason, missing_since
     from reporting.destination_uses where is_whitelisted is not true`,
  ],
  reconciliation_exceptions: [
    `account_id, day, asset_id, opening_observed_at, closing_observed_at, opening_balance, inflow, outflow, fees, staking_rewards,
       staking_losses, expected_balance, closing_balance, timing_difference, unexplained_difference, unexplained_difference_text,
       is_comparable`,
    `account_id, day, asset_id, opening_observed_at, closing_observed_at, opening_balance, inflow, outflow, fees, staking_rewards,
       staking_losses, expected_balance, closing_balance, timing_difference, unexplained_difference, unexplained_difference::text,
       is_comparable
     from reporting.reconciliation_daily where is_explained = false`,
  ],
  stuck_transactions: [
    'account_id, transaction_id, status, asset_id, amount, amount_text, counterparty_address',
    `account_id, transaction_id, status, asset_id, amount, amount::text, counterparty_address from reporting.open_transactions
     where first_seen_at <= (select min(built_at) from marts.custody_mirror_stuck_transactions) - interval '24 hours'`,
  ],
};

async function expectEqualFigures(mirror: TestDatabase): Promise<void> {
  for (const [name, [mart, view]] of Object.entries(equal)) {
    const difference = await mirror.query(
      `with mart as materialized (select ${mart} from marts.custody_mirror_${name}), expected as materialized (select ${view})
       (select 'mart' as only_in, * from (table mart except all table expected) m) union all
       (select 'reporting', * from (table expected except all table mart) r)`,
    );
    expect({ name, difference }).toEqual({ name, difference: [] });
    const [count] = await mirror.query(`select count(*)::int as rows from marts.custody_mirror_${name}`);
    expect({ name, rows: Number(count?.['rows']) > 0 }).toEqual({ name, rows: true });
  }
}

/** A day of each account without an observation; the history itself refuses to lose one. */
async function makeGaps(mirror: TestDatabase): Promise<void> {
  await mirror.query(
    `begin; set local session_replication_role = replica;
     delete from custody.balance_snapshots s using reporting.calendar c
     where c.account_id = s.account_id and c.day = current_date - 200 and s.answered_at >= c.starts_at and s.answered_at < c.ends_at;
     commit`,
  );
}

async function expectGapsAndTypes(mirror: TestDatabase): Promise<void> {
  const gaps = await mirror.query<{ account: string; filled: boolean }>(
    `select c.account_id as account, exists (
       select from marts.custody_mirror_holdings_daily h where (h.account_id, h.day) = (c.account_id, c.day)
     ) as filled
     from reporting.calendar c where not exists (
       select from custody.balance_snapshots s
       where s.account_id = c.account_id and s.answered_at >= c.starts_at and s.answered_at < c.ends_at
     )`,
  );
  expect(new Set(gaps.map(({ account }) => account)).size).toBe(2);
  expect(gaps.filter(({ filled }) => filled)).toEqual([]);
  const [bounded] = await mirror.query(
    `select count(*)::int as unbounded from information_schema.columns
     where table_schema = 'marts' and data_type = 'numeric' and (numeric_precision, numeric_scale) is distinct from (38, 18)`,
  );
  expect(bounded).toEqual({ unbounded: 0 });
  const years = await mirror.query<{ days: number }>(
    'select count(distinct day)::int as days from marts.custody_mirror_holdings_daily group by account_id',
  );
  expect(years.map(({ days }) => days > 360)).toEqual([true, true]);
}

/** Old days change: an amount, a status, a price and a fee rule, the last two dated in the past. */
async function correctLate(mirror: TestDatabase): Promise<readonly unknown[]> {
  const old = await mirror.query<{ id: string }>(
    `select transaction_id as id from reporting.settlement_history
     where status = 'completed' and transaction_type = 'withdraw' and known_until is null and settled_at < now() - interval '20 days'
     order by settled_at limit 2`,
  );
  const [amended, left] = old.map(({ id }) => id);
  await mirror.query(
    'update custody.transactions set amount = amount + 1, changed_at = now() where transaction_id = $1',
    [amended],
  );
  await mirror.query(
    `with t as (update custody.transactions set status = 'failed', status_changed_at = now(), changed_at = now() where transaction_id = $1 returning *)
     insert into custody.transaction_status_history (account_id, transaction_id, sequence, from_status, to_status, observed_at, run_id)
     select h.account_id, h.transaction_id, h.sequence + 1, 'completed', 'failed', now(), h.run_id
     from custody.transaction_status_history h join t using (account_id, transaction_id) order by h.sequence desc limit 1`,
    [left],
  );
  await mirror.query(
    `update custody.asset_prices set price = price * 2 where asset_id = 'ETH' and as_of < now() - interval '30 days'`,
  );
  await mirror.query(
    `insert into custody.fee_rules (account_id, network_id, asset_id, known_from)
     select account_id, network_id, 'GAS', now() - interval '80 days' from reporting.fees_daily
     where network_id <> '' group by 1, 2 order by count(*) desc limit 1`,
  );
  return old;
}
