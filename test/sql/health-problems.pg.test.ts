import { expect, test } from 'vitest';
import { isHealthy } from '../../src/status/words.ts';
import { healthCodes, readStatus } from '../../src/store/job-queries/status.ts';
import { account, openStore, type Store } from '../support/store.ts';
import { endLease, except, health, healthyRuns, quarantined, read, rows, withRuns } from './health-cases.ts';

/** A replica that is behind needs one: test/system/e2e/serve.test.ts. */
type Found = Exclude<(typeof healthCodes)[number], 'replica-behind'>;
const found = healthCodes.filter((code): code is Found => code !== 'replica-behind');

/** A mirror that would be stale, but rests on purpose. */
async function resting(endedAgo: string | null): Promise<[Store, string]> {
  const store = await withRuns([{ job: 'transactions', ago: '3 days', status: 'succeeded' }]);
  await endLease(store);
  await store.query(
    `insert into sync.retirements values ('${account}', now() - interval '3 days', 'owner@host (root)', now() - $1::interval)`,
    [endedAgo],
  );
  return [store, 'account'];
}

/** How each code comes about, and the subject it names. */
const scenarios: Readonly<Record<Found, () => Promise<[Store, string]>>> = {
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
  retired: () => resting(null),
  'history-altered': async () => {
    const store = await withRuns(healthyRuns);
    await store.query(
      `insert into sync.seal_verifications values ('${account}', now(), 0, 'a row was changed')`,
    );
    return [store, 'account'];
  },
  'sealing-stopped': async () => {
    const store = await withRuns(healthyRuns);
    await store.query(`insert into sync.seal_stops values ('${account}', now(), 'a fork. (SEAL-FORK)')`);
    return [store, 'account'];
  },
  'too-many-missing': async () => {
    const store = await withRuns(healthyRuns);
    await anomaly(store, 'too-many-missing');
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
  'clock-behind': async () => {
    const store = await withRuns(healthyRuns);
    await setBack(store, '1 hour');
    return [store, 'account'];
  },
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

/** The database's clock was set back, and the process that writes goes on. */
async function setBack(store: Store, by: string) {
  await store.query(
    `update sync.runs set started_at = started_at + interval '${by}', finished_at = finished_at + interval '${by}'`,
  );
  await store.query(
    `update sync.leases set account_time = database_time + interval '${by}', ahead_since = database_time`,
  );
}

const anomaly = (store: Store, kind: string) =>
  store.query(`insert into sync.anomalies (account_id, kind, resource, resource_id, details, first_observed_at, last_observed_at)
     values ('${account}', '${kind}', 'transactions', 'x', '{}', now() - interval '1 hour', now())`);

test('the documents have a row for each code, and for no other', () => {
  expect([...rows.keys()].sort()).toEqual([...healthCodes].sort());
});

test('a mirror that does what it is configured to do is healthy', async () => {
  const { codes, word, status } = await health(await withRuns(healthyRuns));
  expect(codes).toEqual([]);
  expect(word).toBe('healthy');
  expect(isHealthy(status)).toEqual({ healthy: true, reasons: [] });
});

test.each(found.map((code) => [code] as const))('%s is found, named and explained', async (code) => {
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
  if (['anomaly', 'retired'].includes(code)) expect(isHealthy(status).healthy).toBe(true);
  else expect(read('deploy/prometheus/custody-mirror.rules.yaml')).toContain(`alert: ${alert}\n`);
});

test('after a retirement ages count from its end; what was altered is critical also during one', async () => {
  const [store] = await resting('1 minute');
  expect((await health(store)).codes).not.toContain('stale transactions');
  await store.query("update sync.retirements set ended_at = now() - interval '2 days'");
  expect((await health(store)).codes).toContain('stale transactions');
  const [retired] = await resting(null);
  await retired.query(
    `insert into sync.seal_verifications values ('${account}', now(), 0, 'a row was changed')`,
  );
  expect((await health(retired)).codes).toEqual(['history-altered account', 'retired account']);
});

test('ages count by the clock of the account: what is stale is found although its times are still to come', async () => {
  const store = await withRuns([...except('vaults'), { job: 'vaults', ago: '91 minutes' }]);
  await setBack(store, '1 day');
  expect((await health(store)).codes).toEqual(['stale vaults', 'clock-behind account']);
  expect(
    await store.query(`select resource, lag_seconds from reporting.data_freshness where resource = 'vaults'`),
  ).toEqual([{ resource: 'vaults', lag_seconds: expect.stringMatching(/^54[67]\d$/) }]);
});

test('a process that ended while the clock was ahead does not count as the writer until that time', async () => {
  const store = await withRuns(healthyRuns);
  for (const [table, column] of [
    ['leases', 'expires_at'],
    ['leases', 'account_time'],
    ['leases', 'database_time'],
    ['runs', 'finished_at'],
  ])
    await store.query(`update sync.${table} set ${column} = ${column} + interval '1 year'`);
  const { codes, status } = await health(store);
  expect(codes).toContain('nothing-mirrored account');
  expect(status.lease).toBeNull();
});

test('a list that is unverified because it is empty comes with the way to trust it at once', async () => {
  const store = await withRuns([
    ...except('transactions'),
    { job: 'transactions', ago: '1 minute', doubts: ['empty-once'] },
  ]);
  const [problem] = (await health(store)).status.problems;
  expect(problem).toMatchObject({ code: 'never-verified' });
  expect(problem?.fix).toContain('at once by custody-mirror sync --empty');
});

test('a key that is refused by the HTTP status alone is refused', async () => {
  const refused = async (code: string) => {
    const store = await withRuns([
      ...healthyRuns,
      { job: 'vaults', ago: '1 second', status: 'failed', code },
    ]);
    const [problem] = (await health(store)).status.problems;
    return { code: problem?.code, fix: problem?.fix };
  };
  expect(await refused('HTTP-401')).toEqual(await refused('ERR-02'));
  expect(await refused('HTTP-401')).toMatchObject({ code: 'key-refused' });
});

test('a key that is refused what its role is not promised may leave that out', async () => {
  const fixOf = async (job: string) => {
    const store = await withRuns([
      ...healthyRuns,
      { job, ago: '1 second', status: 'failed', code: 'ERR-02' },
    ]);
    return (await health(store)).status.problems[0]?.fix;
  };
  const promised = 'check CUSTODY_API_KEY, and that the key has the viewer role';
  for (const job of ['transactions', 'balances', 'reconcile'])
    expect([job, await fixOf(job)]).toEqual([job, promised]);
  for (const job of ['vaults', 'whitelist'])
    expect(await fixOf(job)).toBe(
      `check CUSTODY_API_KEY, and that its role may read ${job}, or leave ${job} out of CUSTODY_RESOURCES`,
    );
});

test('an account that the database does not know is not healthy, and those that it knows are named', async () => {
  const { database } = await openStore();
  const report = await readStatus(database, 'acne');
  expect(isHealthy(report).reasons).toEqual([
    'Nothing has been mirrored yet for the account acne: check CUSTODY_ACCOUNT (this database holds acme), or start custody-mirror run, or run custody-mirror sync once.',
  ]);
});

test('data_freshness reports sweeps that fail while increments succeed', async () => {
  const [store] = await scenarios.failing();
  expect(
    await store.query(
      `select resource from reporting.data_freshness where account_id = '${account}' and is_failing`,
    ),
  ).toEqual([{ resource: 'transactions' }]);
});

test('the health of one account reads the runs of no other', async () => {
  const store = await withRuns(healthyRuns);
  const others = 40;
  await store.query(`insert into custody.accounts (account_id, base_url, first_seen_at)
    select 'other ' || n, 'https://' || n || '.invalid', now() from generate_series(1, ${others}) n`);
  await store.query(`insert into sync.runs (account_id, job, mode, status, started_at, finished_at)
    select account_id, 'transactions', 'full', 'succeeded', now(), now() from custody.accounts where account_id like 'other %'`);
  const plan = await store.query<{ 'QUERY PLAN': string }>(
    `explain (analyze, costs off, timing off) select * from reporting.health_problems where account_id = '${account}'`,
  );
  const scans = plan.map((row) => row['QUERY PLAN']).filter((line) => line.includes(' on runs '));
  expect(scans.length).toBeGreaterThan(0);
  const read = scans.map((line) => Number(/loops=(\d+)/.exec(line)?.[1] ?? 0));
  expect(Math.max(...read), scans.join('\n')).toBeLessThan(others);
});
