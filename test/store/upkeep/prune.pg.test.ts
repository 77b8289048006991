import { expect, test } from 'vitest';
import { removeOld } from '../../../src/store/upkeep/prune.ts';
import { account, openStore } from '../../support/store.ts';

const parts = { signal: new AbortController().signal };

test('old runs are removed a part at a time, but for the last success and the last verified run of a job', async () => {
  const { database, lease, query } = await openStore();
  await query(
    `insert into sync.runs (account_id, job, mode, status, started_at, finished_at, verified)
     select $1, job, 'full', status, now() - age * interval '24 hours', now() - age * interval '24 hours', verified
     from (values ('balances', 'succeeded', 50, true), ('balances', 'succeeded', 45, false), ('balances', 'failed', 44, null),
       ('balances', 'abandoned', 43, null), ('balances', 'failed', 10, null), ('vaults', 'succeeded', 60, true),
       ('vaults', 'succeeded', 59, true)) as r (job, status, age, verified)`,
    [account],
  );
  const left = () =>
    query(
      `select job, status, extract(day from now() - started_at)::int as age from sync.runs
       where job <> 'transactions' order by job, started_at`,
    );
  expect(await removeOld(database, lease, 'runs', 100, parts)).toBe(0);
  expect(await removeOld(database, lease, 'runs', 30, { ...parts, atOnce: 2 })).toBe(3);
  expect(await left()).toEqual([
    { job: 'balances', status: 'succeeded', age: 50 },
    { job: 'balances', status: 'succeeded', age: 45 },
    { job: 'balances', status: 'failed', age: 10 },
    { job: 'vaults', status: 'succeeded', age: 59 },
  ]);
});

test('what was resolved long ago is removed, and what is open stays, however old, and that of other accounts', async () => {
  const { database, lease, query } = await openStore();
  await query(
    `insert into sync.anomalies
       (account_id, kind, resource, resource_id, details, first_observed_at, last_observed_at, resolved_at)
     select a, 'unknown-value', 'balances', coalesce(age, 0)::text, '{}', now() - interval '3 years', now() - interval '2 years',
       now() - make_interval(days => age)
     from unnest($1::text[]) a cross join (values (null), (89), (91), (92), (93), (700)) as r (age)`,
    [[account, 'other']],
  );
  expect(await removeOld(database, lease, 'anomalies', 90, { ...parts, atOnce: 3 })).toBe(4);
  const left = await query('select resource_id as id from sync.anomalies where account_id = $1 order by 1', [
    account,
  ]);
  expect(left).toEqual([{ id: '0' }, { id: '89' }]);
  expect(await query("select from sync.anomalies where account_id = 'other'")).toHaveLength(6);
});

test('a stop ends the work between two parts', async () => {
  const { database, lease, query } = await openStore();
  await query(
    `insert into sync.runs (account_id, job, mode, status, started_at, finished_at)
     select $1, 'balances', 'full', 'failed', now() - interval '50 days', now() from generate_series(1, 5)`,
    [account],
  );
  const stop = new AbortController();
  stop.abort(new Error('stopped'));
  const removing = removeOld(database, lease, 'runs', 30, { signal: stop.signal, atOnce: 2 });
  await expect(removing).rejects.toThrow('stopped');
  expect(await query("select from sync.runs where job = 'balances'")).toHaveLength(5);
});
