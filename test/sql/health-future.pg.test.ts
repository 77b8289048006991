import { expect, test } from 'vitest';
import { releaseLease } from '../../src/store/run/leases.ts';
import { account } from '../support/store.ts';
import { except, health, healthyRuns, type PastRun, past, withRuns } from './health-cases.ts';

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

test('a success in the future gives no age, and does not count for data_freshness', async () => {
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
