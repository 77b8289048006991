// The one definition of health, code by code: each row of the table in docs/operations.md is made to happen in a database, and
// reporting.health_problems, reporting.sync_health, status and the alert rules have to say what the row says.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { expectedOfDaemon, expectedOfSync } from '../../src/scheduler/expected.ts';
import { isHealthy } from '../../src/status/health.ts';
import { readStatus } from '../../src/store/query/status.ts';
import { healthCodes } from '../../src/store/query/status-health.ts';
import { type Expectation, saveExpectations } from '../../src/store/run/expectations.ts';
import { releaseLease } from '../../src/store/run/leases.ts';
import { account, openStore, type Store } from './store.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
/** Rows of the table under "What health means". */
const rows = new Map(
  [...read('docs/operations.md').matchAll(/^\| `([a-z-]+)` \|(.*)\|$/gm)]
    .map(([, code = '', rest = '']) => ({ code, cells: rest.split(' | ').map((cell) => cell.trim()) }))
    .filter(({ cells }) => cells.length === 4)
    .map(({ code, cells: [word = '', cause = '', fix = '', alert = ''] }) => [
      code,
      { word, cause, fix, alert },
    ]),
);

const resources = ['transactions', 'balances', 'vaults', 'whitelist'] as const;
const byDaemon = expectedOfDaemon({
  resources,
  schedule: {
    expressions: {
      transactions: '*/30 * * * * *',
      balances: '0 * * * *',
      documents: '*/15 * * * *',
      reconcile: '17 3 * * *',
      maintenance: '47 4 * * *',
    },
  },
});

interface PastRun {
  readonly job: string;
  readonly ago: string;
  readonly status?: 'succeeded' | 'failed' | 'running' | 'abandoned';
  readonly verified?: boolean;
  readonly code?: string;
  readonly doubts?: readonly string[];
}

/** A run that ended so long ago. */
async function past(store: Store, runs: readonly PastRun[]): Promise<void> {
  for (const { job, ago, status = 'succeeded', verified = false, code, doubts } of runs)
    await store.query(
      `insert into sync.runs (account_id, job, mode, status, started_at, finished_at, verified, verdict, error_code, error_message)
       values ('${account}', '${job}', 'full', '${status}', now() - interval '${ago}' - interval '1 second',
         ${status === 'running' ? 'null' : `now() - interval '${ago}'`}, ${verified},
         ${doubts === undefined ? 'null' : `'${JSON.stringify({ doubt_codes: doubts })}'`},
         ${code === undefined ? 'null' : `'${code}'`}, ${code === undefined ? 'null' : `'the service said no'`})`,
    );
}

const healthyRuns: readonly PastRun[] = [
  { job: 'transactions', ago: '1 minute', verified: true },
  { job: 'balances', ago: '50 minutes', verified: true },
  { job: 'vaults', ago: '5 minutes', verified: true },
  { job: 'whitelist', ago: '5 minutes', verified: true },
];

async function withRuns(runs: readonly PastRun[], expected: readonly Expectation[] | null = byDaemon) {
  const store = await openStore();
  await store.query('delete from sync.runs');
  await past(store, runs);
  if (expected !== null) await saveExpectations(store.database, store.lease, 'daemon', expected);
  return store;
}

async function health(store: Store) {
  const status = await readStatus(store.database, account);
  const [row] = await store.query<{ health: string; problems: string; worst_problem: string | null }>(
    `select health, problems, worst_problem from reporting.sync_health where account_id = '${account}'`,
  );
  const unhealthy = status.problems.filter(({ severity }) => severity !== 'note');
  // All that tell of health agree.
  expect(Number(row?.problems)).toBe(unhealthy.length);
  expect(row?.health === 'healthy').toBe(isHealthy(status).healthy);
  expect(row?.worst_problem ?? undefined).toBe(unhealthy[0]?.problem);
  return {
    codes: status.problems.map(({ code, subject }) => `${code} ${subject}`),
    word: row?.health,
    status,
  };
}

const except = (...jobs: readonly string[]) => healthyRuns.filter(({ job }) => !jobs.includes(job));
const tail = (store: Store, sql: string) => store.query(sql);
const endLease = (store: Store) =>
  tail(store, `update sync.leases set expires_at = now() - interval '5 minutes'`);

/** How each code comes about, and the subject it names. */
const scenarios: Readonly<Record<(typeof healthCodes)[number], () => Promise<[Store, string]>>> = {
  'nothing-mirrored': async () => {
    const store = await withRuns([], null);
    await endLease(store);
    return [store, 'account'];
  },
  stopped: async () => {
    const store = await withRuns(healthyRuns);
    await endLease(store);
    return [store, 'account'];
  },
  'too-many-vanished': async () => {
    const store = await withRuns(healthyRuns);
    await anomaly(store, 'too-many-vanished');
    return [store, 'transactions'];
  },
  'clock-refused': async () => {
    const store = await withRuns(healthyRuns);
    await anomaly(store, 'clock-refused');
    return [store, 'transactions'];
  },
  'key-refused': async () => [
    await withRuns([...healthyRuns, { job: 'whitelist', ago: '1 minute', status: 'failed', code: 'ERR-02' }]),
    'whitelist',
  ],
  failing: async () => [
    // Increments succeed, sweeps fail: also a failure while the next try goes on.
    await withRuns([
      ...healthyRuns,
      { job: 'reconcile', ago: '5 hours', status: 'failed', code: 'TIMEOUT' },
      { job: 'reconcile', ago: '1 second', status: 'running' },
    ]),
    'reconcile',
  ],
  starting: async () => [
    await withRuns([{ job: 'transactions', ago: '1 second', status: 'running' }]),
    'account',
  ],
  'never-read': async () => [
    await withRuns([...except('balances'), { job: 'balances', ago: '1 second', status: 'running' }]),
    'balances',
  ],
  stale: async () => [await withRuns([...except('vaults'), { job: 'vaults', ago: '91 minutes' }]), 'vaults'],
  'never-verified': async () => [
    await withRuns([
      ...except('transactions'),
      { job: 'transactions', ago: '1 minute', doubts: ['order-settled'] },
    ]),
    'transactions',
  ],
  'verified-long-ago': async () => [
    await withRuns([
      ...except('transactions'),
      { job: 'transactions', ago: '1 minute' },
      { job: 'reconcile', ago: '73 hours', verified: true },
    ]),
    'transactions',
  ],
  quarantine: async () => {
    const store = await withRuns(healthyRuns);
    await quarantined(store, 'balances');
    return [store, 'balances'];
  },
  anomaly: async () => {
    const store = await withRuns(healthyRuns);
    await anomaly(store, 'unknown-value');
    return [store, 'unknown-value'];
  },
};

const anomaly = (store: Store, kind: string) =>
  tail(
    store,
    `insert into sync.anomalies (account_id, kind, resource, resource_id, details, first_observed_at, last_observed_at)
     values ('${account}', '${kind}', 'transactions', 'x', '{}', now() - interval '1 hour', now())`,
  );
const quarantined = (store: Store, resource: string) =>
  tail(
    store,
    `insert into sync.quarantine (account_id, resource, record_key, reason, raw, run_id, first_observed_at, last_observed_at)
     values ('${account}', '${resource}', 'k', 'no amount', '{}', 1, now() - interval '1 hour', now())`,
  );

test('the documents have a row for each code, and for no other', () => {
  expect([...rows.keys()].sort()).toEqual([...healthCodes].sort());
});

test('a mirror that does what it is configured to do is healthy', async () => {
  const { codes, word, status } = await health(await withRuns(healthyRuns));
  expect(codes).toEqual([]);
  expect(word).toBe('healthy');
  expect(isHealthy(status)).toEqual({ healthy: true, reasons: [] });
});

test.each(healthCodes.map((code) => [code] as const))('%s is found, named and explained', async (code) => {
  const [store, subject] = await scenarios[code]();
  const { codes, word, status } = await health(store);
  expect(codes).toEqual([`${code} ${subject}`]);
  const row = rows.get(code);
  expect(word).toBe(row?.word);
  const [problem] = status.problems;
  expect(problem?.since).not.toBeNull();
  for (const text of [problem?.problem, problem?.fix]) expect(text).not.toMatch(/[.\n]$|undefined|null/);
  expect(row?.cause.length).toBeGreaterThan(20);
  expect(row?.fix.length).toBeGreaterThan(10);
  const alert = /`(\w+)`/.exec(row?.alert ?? '')?.[1];
  if (code === 'anomaly') expect(isHealthy(status).healthy).toBe(true);
  else expect(read('deploy/prometheus/custody-mirror.rules.yaml')).toContain(`alert: ${alert}\n`);
});

test('an account that the database does not know is not healthy, and those that it knows are named', async () => {
  const { database } = await openStore();
  const report = await readStatus(database, 'acne');
  expect(isHealthy(report).reasons).toEqual([
    'Nothing was mirrored yet for the account acne: check CUSTODY_ACCOUNT (this database holds acme), or start custody-mirror run, or run custody-mirror sync once.',
  ]);
});

test('the schedules decide what is old: an hourly one is not stale after 50 minutes, and one that is off never is', async () => {
  const old = [...except('balances'), { job: 'balances', ago: '300 minutes' }];
  expect((await health(await withRuns(old))).codes).toEqual([]);
  const older = [...except('balances'), { job: 'balances', ago: '361 minutes' }];
  expect((await health(await withRuns(older))).codes).toEqual(['stale balances']);
  const off = byDaemon.map((row) =>
    row.job === 'balances' ? { ...row, isScheduled: false, maxAgeMs: null } : row,
  );
  expect((await health(await withRuns(older, off))).codes).toEqual([]);
});

test('what CUSTODY_RESOURCES leaves out is not judged, whatever lies there of it', async () => {
  const left = byDaemon.map((row) =>
    ['vaults', 'whitelist'].includes(row.job)
      ? { ...row, isMirrored: false, isScheduled: false, maxAgeMs: null }
      : row,
  );
  const store = await withRuns(
    [...except('vaults', 'whitelist'), { job: 'whitelist', ago: '9 days', status: 'failed', code: 'ERR-02' }],
    left,
  );
  await quarantined(store, 'whitelist');
  expect((await health(store)).codes).toEqual([]);
});

test('who runs sync and no daemon is judged by how often it was run, and needs no process', async () => {
  const store = await withRuns(
    healthyRuns.map((run) => ({ ...run, ago: '25 hours' })),
    null,
  );
  await saveExpectations(store.database, store.lease, 'sync', expectedOfSync({ resources }));
  await endLease(store);
  expect((await health(store)).codes).toEqual([]);
  await tail(
    store,
    `update sync.runs set finished_at = finished_at - interval '2 hours', started_at = started_at - interval '2 hours'`,
  );
  expect((await health(store)).codes).toEqual(resources.toSorted().map((job) => `stale ${job}`));
});

/** Health of a mirror that only sync fills, at these times; the last comes last. */
async function healthBySync(agos: readonly string[]) {
  const store = await withRuns(
    agos.flatMap((ago) => healthyRuns.map((run) => ({ ...run, ago }))),
    null,
  );
  await saveExpectations(store.database, store.lease, 'sync', expectedOfSync({ resources }));
  await endLease(store);
  return (await health(store)).codes.filter((code) => code.startsWith('stale'));
}

const allStale = resources.toSorted().map((job) => `stale ${job}`);

test('a sync that runs every other day may be as old as three of its usual pauses', async () => {
  const days = (...ago: readonly number[]) => healthBySync(ago.map((day) => `${day} days`));
  expect(await days(11, 9, 7, 5)).toEqual([]);
  expect(await days(13, 11, 9, 7)).toEqual(allStale);
});

test('one outage does not teach a long pause, and no sync is let go for more than eight days', async () => {
  // Hourly, with one outage of 35 days: what is usual stays an hour.
  expect(
    await healthBySync(['877 hours', '876 hours', '36 hours', '35 hours', '34 hours', '33 hours']),
  ).toEqual(allStale);
  expect(await healthBySync(['200 days', '100 days', '193 hours'])).toEqual(allStale);
  expect(await healthBySync(['200 days', '100 days', '191 hours'])).toEqual([]);
  expect(await healthBySync(['27 hours'])).toEqual(allStale);
});

/** A success that a clock a day ahead recorded. */
const ahead = (job: string): PastRun => ({ job, ago: '-24 hours', verified: true });

test('a success in the future hides neither what fails after it nor that nothing succeeds', async () => {
  const failing = await withRuns([
    ...healthyRuns,
    ahead('transactions'),
    { job: 'transactions', ago: '1 minute', status: 'failed', code: 'TIMEOUT' },
  ]);
  expect((await health(failing)).codes).toEqual(['failing transactions']);
  const stale = await withRuns([
    ...except('transactions'),
    { job: 'transactions', ago: '40 minutes', verified: true },
    ahead('transactions'),
  ]);
  expect((await health(stale)).codes).toEqual(['stale transactions']);
  const unverified = await withRuns([
    ...except('transactions'),
    { job: 'reconcile', ago: '73 hours', verified: true },
    ahead('reconcile'),
    { job: 'transactions', ago: '1 minute' },
    { job: 'reconcile', ago: '1 minute' },
  ]);
  expect((await health(unverified)).codes).toEqual(['verified-long-ago transactions']);
});

test('a failure in the future is over once a run has succeeded after it', async () => {
  const failure: PastRun = { job: 'vaults', ago: '-24 hours', status: 'failed', code: 'TIMEOUT' };
  const store = await withRuns([...healthyRuns, failure]);
  const { codes, status } = await health(store);
  expect(codes).toEqual(['failing vaults']);
  expect(Date.parse(status.problems[0]?.since ?? '')).toBeLessThan(Date.now() + 3_600_000);
  await past(store, [{ job: 'vaults', ago: '1 second' }]);
  expect((await health(store)).codes).toEqual([]);
});

test('a success in the future gives no age, and is none of what data_freshness tells', async () => {
  const store = await withRuns([...healthyRuns, ahead('transactions'), ahead('whitelist')]);
  await past(store, [{ job: 'whitelist', ago: '2 seconds', status: 'failed', code: 'TIMEOUT' }]);
  const rows = await store.query<{ resource: string; age: number; verified: number; is_failing: boolean }>(
    `select resource, lag_seconds::int as age, extract(epoch from now() - last_verified_at)::int as verified, is_failing
     from reporting.data_freshness where account_id = '${account}' order by 1`,
  );
  for (const { resource, age, verified } of rows)
    for (const seconds of [age, verified]) expect(seconds, resource).toBeGreaterThanOrEqual(60);
  expect(rows.filter((row) => row.is_failing).map(({ resource }) => resource)).toEqual(['whitelist']);
  expect(
    await store.query(`select lag >= interval '1 minute' as positive from reporting.sync_health`),
  ).toEqual([{ positive: true }]);
});

test('a lease that was given up is a process that stopped, and no view of reporting shows an infinite time', async () => {
  const store = await withRuns(healthyRuns);
  await releaseLease(store.database, store.lease);
  const { codes, status } = await health(store);
  expect(codes).toEqual(['stopped account']);
  expect(status.problems[0]?.since).not.toBeNull();
  const columns = await store.query<{ view: string; column: string }>(
    `select table_name as view, column_name as "column" from information_schema.columns
     where table_schema = 'reporting' and data_type = 'timestamp with time zone'`,
  );
  expect(columns.length).toBeGreaterThan(20);
  for (const { view, column } of columns)
    expect(
      await store.query(`select 1 from reporting.${view} where not isfinite("${column}")`),
      `${view}.${column}`,
    ).toEqual([]);
});

test('sync does not speak for an account of which a daemon has spoken within three days', async () => {
  const store = await withRuns(healthyRuns);
  const bySync = expectedOfSync({ resources });
  const startedBy = () => store.query('select distinct started_by from sync.expectations');
  await saveExpectations(store.database, store.lease, 'sync', bySync);
  expect(await startedBy()).toEqual([{ started_by: 'daemon' }]);
  await tail(store, `update sync.expectations set confirmed_at = now() - interval '73 hours'`);
  await saveExpectations(store.database, store.lease, 'sync', bySync);
  expect(await startedBy()).toEqual([{ started_by: 'sync' }]);
  await saveExpectations(store.database, store.lease, 'daemon', byDaemon);
  expect(await startedBy()).toEqual([{ started_by: 'daemon' }]);
});

test('what was said before is written again only when it changed or an hour is over', async () => {
  const store = await withRuns(healthyRuns);
  const versions = () => store.query(`select job, xmin::text from sync.expectations order by job`);
  const before = await versions();
  await saveExpectations(store.database, store.lease, 'daemon', byDaemon);
  expect(await versions()).toEqual(before);
  await tail(
    store,
    `update sync.expectations set confirmed_at = now() - interval '61 minutes' where job = 'balances'`,
  );
  await saveExpectations(store.database, store.lease, 'daemon', byDaemon);
  expect(
    await store.query(`select job from sync.expectations where confirmed_at < now() - interval '1 hour'`),
  ).toEqual([]);
});

test('data_freshness tells of sweeps that fail while increments succeed', async () => {
  const [store] = await scenarios.failing();
  expect(
    await store.query(
      `select resource from reporting.data_freshness where account_id = '${account}' and is_failing`,
    ),
  ).toEqual([{ resource: 'transactions' }]);
});
