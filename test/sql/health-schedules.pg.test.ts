import { expect, test } from 'vitest';
import { expectedOfSync } from '../../src/scheduler/expected.ts';
import { saveExpectations } from '../../src/store/run/expectations.ts';
import { byDaemon, endLease, except, health, healthyRuns, resources, withRuns } from './health-cases.ts';

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

test('where every schedule is off, what was read before is not said to be missing, and a missing daemon is', async () => {
  const off = byDaemon.map((row) => ({ ...row, isScheduled: false, maxAgeMs: null, maxVerifiedAgeMs: null }));
  const store = await withRuns(
    healthyRuns.map((run) => ({ ...run, ago: '300 days' })),
    off,
  );
  expect((await health(store)).codes).toEqual([]);
  await endLease(store);
  expect((await health(store)).codes).toEqual(['stopped account']);
  expect((await health(await withRuns([], off))).codes).toEqual(['starting account']);
});

test('who runs sync and no daemon is judged by how often it was run, and needs no process', async () => {
  const store = await withRuns(
    healthyRuns.map((run) => ({ ...run, ago: '25 hours' })),
    null,
  );
  await saveExpectations(store.database, store.lease, 'sync', expectedOfSync({ resources }));
  await endLease(store);
  expect((await health(store)).codes).toEqual([]);
  await store.query(
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

test('sync does not speak for an account of which a daemon has spoken within three days', async () => {
  const store = await withRuns(healthyRuns);
  const bySync = expectedOfSync({ resources });
  const startedBy = () => store.query('select distinct started_by from sync.expectations');
  await saveExpectations(store.database, store.lease, 'sync', bySync);
  expect(await startedBy()).toEqual([{ started_by: 'daemon' }]);
  await store.query(`update sync.expectations set confirmed_at = now() - interval '73 hours'`);
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
  await store.query(
    `update sync.expectations set confirmed_at = now() - interval '61 minutes' where job = 'balances'`,
  );
  await saveExpectations(store.database, store.lease, 'daemon', byDaemon);
  expect(
    await store.query(`select job from sync.expectations where confirmed_at < now() - interval '1 hour'`),
  ).toEqual([]);
});
