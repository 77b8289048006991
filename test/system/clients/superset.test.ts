// The bundle of deploy/superset in a real Superset, on the 90 days of the demo: each chart, asked through
// Superset's own queries, has rows, and its figures are those of SQL; metrics do not add different assets.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { TestDatabase } from '../../support/database.ts';
import { openDemoMirror } from './demo-mirror.ts';
import { longAmount } from './mirror-for-readers.ts';
import { bundle, grantedReader, missing, openSuperset } from './superset-project.ts';

const testMs = 1_800_000;

type Row = Readonly<Record<string, unknown>>;

interface Answers {
  readonly charts: Readonly<Record<string, readonly Row[]>>;
  readonly dashboards: Readonly<Record<string, readonly string[]>>;
  readonly ranges: readonly (readonly [since: string, until: string])[];
  readonly totals: Readonly<Record<string, Row>>;
}

/** Charts that list rows: what follows `select` and their columns. */
const lists: Readonly<Record<string, string>> = {
  'Can these figures be trusted': 'reporting.sync_health',
  'As of': 'reporting.data_freshness where is_mirrored and resource is not null',
  'Value by day': `reporting.portfolio_value_daily where vault_type = 'all'`,
  Balances: `reporting.balances_current where vault_type = 'all'`,
  'Warm and cold': 'reporting.vault_split',
  'Open for more than a day': `reporting.open_transactions where first_seen_at <= now() - interval '1 day'`,
  'Payments to destinations not known to be whitelisted':
    'reporting.destination_uses where is_whitelisted is null or not is_whitelisted',
  'Latest transactions': 'reporting.transactions order by first_seen_at desc, transaction_id limit 100',
  Problems: 'reporting.health_problems',
  'Runs that failed': `sync.runs where status = 'failed'`,
  'Differences that no transaction explains': 'reporting.reconciliation_daily where not is_explained',
  'Corrections after a day was over': 'reporting.late_corrections',
};

/** Tables of sums. */
const sums: Readonly<Record<string, string>> = {
  'Open by age and status': `select account_id, age_band_order, age_band, status, count(*) as count
    from reporting.open_transactions group by 1, 2, 3, 4`,
  'Flows by asset': `select account_id, asset_id, network_id, sum(deposits) as deposits_sum,
      trim_scale(sum(in_amount))::text as in_amount_sum_text, sum(withdrawals) as withdrawals_sum,
      trim_scale(sum(out_amount))::text as out_amount_sum_text, trim_scale(sum(net_amount))::text as net_amount_sum_text
    from reporting.flows_daily group by 1, 2, 3`,
  'Fees by asset': `select account_id, fee_asset_id, fee_asset_is_assumed, transaction_type,
      sum(transactions) as transactions_sum, trim_scale(sum(fee))::text as fee_sum_text
    from reporting.fees_daily group by 1, 2, 3, 4`,
};

/** Charts over time: the moment, the name of the line as Superset composes it, and the figure. */
const lines: Readonly<Record<string, string>> = {
  'Value over time': `select day::timestamptz as at, account_id || ', ' || currency as line, total_value as figure
    from reporting.portfolio_value_daily where vault_type = 'all' and unknown = 0`,
  'Balance over time': `select day::timestamptz as at, account_id || ', ' || asset_id as line, total_balance as figure
    from reporting.balances_daily where vault_type = 'all'`,
  'Value by asset over time': `select day::timestamptz as at, concat_ws(', ', account_id, currency, asset_id) as line,
      total_value as figure from reporting.balance_values_daily where vault_type = 'all'`,
  'Outcomes by day': `select day::timestamptz as at, outcome || '_sum' as line, sum(figure) as figure
    from reporting.transaction_outcomes_daily, lateral (values ('completed', completed), ('rejected', rejected),
      ('cancelled', cancelled), ('failed', failed)) as o (outcome, figure) group by 1, 2`,
  'Requests by hour': `select date_trunc('hour', started_at) as at, job as line, sum(requests) as figure
    from sync.runs group by 1, 2`,
};

test.skipIf(missing !== '')(
  `every chart of the bundle has rows in Superset, and each figure is that of SQL${missing}`,
  async () => {
    const mirror = await openDemoMirror();
    const long = await makeVaried(mirror);
    const role = await grantedReader(mirror);
    // A day must not become the day before.
    await mirror.query(`alter role ${role.quoted} set timezone = 'Pacific/Auckland'`);

    const before = await expectedOf(mirror, chartsOfBundle());
    const answers: Answers = JSON.parse(openSuperset(role).read().trim().split('\n').at(-1) ?? '');
    const after = await expectedOf(mirror, chartsOfBundle());

    expect(Object.keys(answers.charts).toSorted()).toEqual(Object.keys(before).toSorted());
    for (const [name, rows] of Object.entries(answers.charts)) {
      expect({ name, rows: rows.length > 0 }).toEqual({ name, rows: true });
      const figures = name in lines ? pointsOf(rows) : rows.map(comparable);
      // Ages and verdicts go on with the clock.
      const stillTrue = JSON.stringify(before[name]) === JSON.stringify(sorted(figures)) ? before : after;
      expect({ name, figures: sorted(figures) }).toEqual({ name, figures: stillTrue[name] });
    }
    const open = answers.charts['Open for more than a day'] ?? [];
    expect(open.find((row) => row['transaction_id'] === long)?.['amount_text']).toBe(longAmount);
    expectGaps(answers.charts['Value over time'] ?? []);
    expectTrustOnEach(answers.dashboards);
    expectToday(answers.ranges);
    expectNothingAdded(answers.totals);
  },
  testMs,
);

test('a chart asks for the same in both of its forms: what Superset draws, and what its API answers', () => {
  for (const { slice_name: name, params, query_context } of chartsOfBundle()) {
    const { queries } = JSON.parse(query_context);
    expect(queries).toHaveLength(1);
    const [query] = queries;
    const where = params.adhoc_filters.map((filter) =>
      filter.expressionType === 'SQL'
        ? `(${filter.sqlExpression})`
        : { col: filter.subject, op: filter.operator, val: filter.comparator },
    );
    const columns = query.columns.map((column: unknown) =>
      typeof column === 'string' ? column : (column as { readonly label: string }).label,
    );
    expect({ name, columns, metrics: query.metrics ?? [], limit: query.row_limit }).toEqual({
      name,
      columns: [params.x_axis ?? [], params.groupby ?? [], params.all_columns ?? []].flat(),
      metrics: params.metrics ?? [],
      limit: params.row_limit,
    });
    const { where: sql } = query.extras;
    expect({ name, where: [...query.filters, ...(sql === '' ? [] : [sql])] }).toEqual({ name, where });
  }
});

interface AdhocFilter {
  readonly expressionType: 'SIMPLE' | 'SQL';
  readonly sqlExpression?: string;
  readonly subject?: string;
  readonly operator?: string;
  readonly comparator?: string;
}

interface Chart {
  readonly slice_name: string;
  readonly params: {
    readonly adhoc_filters: readonly AdhocFilter[];
    readonly x_axis?: string;
    readonly groupby?: readonly string[];
    readonly all_columns?: readonly string[];
    readonly metrics?: readonly string[];
    readonly row_limit: number;
  };
  readonly query_context: string;
}

function chartsOfBundle(): Chart[] {
  return readdirSync(join(bundle, 'charts')).map((file) =>
    parse(readFileSync(join(bundle, 'charts', file), 'utf8')),
  );
}

/** Something for each chart to show, and an amount that no float holds; returns its transaction. */
async function makeVaried(mirror: TestDatabase): Promise<string> {
  await mirror.query(
    `update sync.runs set status = 'failed', error_code = 'ERR-01', error_message = 'made up'
     where (account_id, run_id) in (select account_id, min(run_id) from sync.runs group by 1)`,
  );
  await mirror.query(
    `update custody.asset_prices set price = price * 2 where asset_id = 'ETH' and as_of < now() - interval '30 days'`,
  );
  const [row] = await mirror.query<{ id: string }>(
    `update custody.transactions set amount = $1 where (account_id, transaction_id) = (
       select account_id, transaction_id from reporting.open_transactions order by first_seen_at limit 1)
     returning transaction_id as id`,
    [longAmount],
  );
  return row?.id ?? '';
}

async function expectedOf(
  mirror: TestDatabase,
  charts: readonly Chart[],
): Promise<Readonly<Record<string, unknown>>> {
  const expected: Record<string, unknown> = {};
  for (const { slice_name: name, params } of charts) {
    const columns = (params.all_columns ?? []).map((column) =>
      column === 'day' ? 'day::timestamptz as day' : column.replace(/^(\w+)_text$/, '$1::text as $1_text'),
    );
    const sql = lines[name] ?? sums[name] ?? `select ${columns.join(', ')} from ${lists[name]}`;
    const rows = await mirror.query(sql);
    expected[name] = sorted(
      name in lines
        ? rows.filter(({ figure }) => figure !== null).map(({ at, line, figure }) => point(at, line, figure))
        : rows.map(comparable),
    );
  }
  return expected;
}

const sorted = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).toSorted();

/** Ages go on between two questions. Superset sends moments as milliseconds. */
function comparable(row: Row): unknown {
  return Object.entries(row)
    .filter(([name]) => !/_(hours|seconds)$/.test(name))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => [name, plain(name, value)]);
}

function plain(name: string, value: unknown): unknown {
  if (value instanceof Date) return value.getTime();
  // SQL keeps the padding zeros of a share.
  if (name.endsWith('_share') && value !== null) return Number(value);
  if (typeof value !== 'number') return value;
  return /(_at|_since|_as_of|^since|^day)$/.test(name) ? Math.floor(value) : String(value);
}

const point = (at: unknown, line: unknown, figure: unknown) => [Number(at), line, Number(figure)];

function pointsOf(rows: readonly Row[]): unknown[] {
  return rows.flatMap((row) => {
    const [[, at] = [], ...figures] = Object.entries(row);
    return figures.filter(([, figure]) => figure !== null).map(([line, figure]) => point(at, line, figure));
  });
}

/** A row for each day, so that no line crosses a day without an observation. */
function expectGaps(rows: readonly Row[]): void {
  const days = rows.map(({ day }) => Number(day) / 86_400_000);
  const [first = 0] = days;
  expect(days).toEqual(days.map((_, index) => first + index));
}

function expectTrustOnEach(dashboards: Answers['dashboards']): void {
  expect(Object.keys(dashboards).toSorted()).toEqual(
    ['operations', 'portfolio', 'transactions'].map((name) => `custody-mirror-${name}`),
  );
  for (const shown of Object.values(dashboards))
    expect(shown).toEqual(expect.arrayContaining(['As of', 'Can these figures be trusted']));
}

/** Each dashboard begins with a time that is not over: today of any time zone is in it. */
function expectToday(ranges: Answers['ranges']): void {
  const hours = (moment: string) => (Date.parse(`${moment}Z`) - Date.now()) / 3_600_000;
  expect(ranges.map(([since, until]) => [hours(since) < -89 * 24, hours(until) > 24])).toEqual(
    Array.from({ length: 3 }, () => [true, true]),
  );
}

/** Over all rows of the demo, which hold several assets, days and types of vaults. */
function expectNothingAdded(totals: Answers['totals']): void {
  const guarded = Object.entries(totals).flatMap(([dataset, row]) =>
    Object.entries(row)
      .filter(([metric]) => `${metric}_text` in row || metric.endsWith('_text'))
      .map(([metric, value]) => ({ dataset, metric, value })),
  );
  expect(guarded.length).toBeGreaterThan(20);
  for (const { dataset, metric, value } of guarded)
    expect({ dataset, metric, value }).toEqual({
      dataset,
      metric,
      value: metric.endsWith('_text') ? expect.stringMatching(/^several /) : null,
    });
}
