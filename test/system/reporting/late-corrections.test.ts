import { expect, test } from 'vitest';
import { hour, openAccount, play, stateAt, withdrawal } from './late.ts';
import { day } from './told.ts';

test('a corrected amount is posted when it is seen, and what was posted before stays', async () => {
  const store = await openAccount();
  await play(store, { shown: [withdrawal] }, hour);
  await play(store, { shown: [{ ...withdrawal, amount: '7', fee: '0.3' }] }, 3 * day);
  await play(store, { shown: [{ ...withdrawal, amount: '7', fee: '0.3', asset: 'X' }] }, 4 * day);
  const posted = await store.query(
    `select kind, observed_at::date::text as day, asset_id, outflow, fee, total_change, fee_asset_is_assumed as assumed
     from reporting.postings order by observed_at, asset_id`,
  );
  expect(posted.map((row) => Object.values(row))).toEqual([
    ['status', '2026-01-01', 'Y', '5', '0.1', '-5.1', true],
    ['correction', '2026-01-04', 'Y', '2', '0.2', '-2.2', true],
    // On the network of X, fees are paid in GAS.
    ['correction', '2026-01-05', 'GAS', '0', '0.3', '-0.3', false],
    ['correction', '2026-01-05', 'X', '7', '0', '-7', null],
    ['correction', '2026-01-05', 'Y', '-7', '-0.3', '7.3', true],
  ]);
});

test('a rule for fees that is stated later leaves what was reported and posted, and shows with its reason', async () => {
  const store = await openAccount();
  await stateAt(store, 0, 'delete from custody.fee_rules');
  const onNet = { ...withdrawal, asset: 'X' };
  await play(store, { shown: [onNet, { ...onNet, id: 'v' }] }, hour);
  const state = `insert into custody.fee_rules (account_id, network_id, asset_id) values ('acme', 'net', 'GAS')`;
  await stateAt(store, 30 * day, state);
  const byRule = { reason: 'fee rule' };
  expect(await store.query('select reason from reporting.late_corrections')).toEqual([byRule, byRule]);
  await play(store, { shown: [{ ...onNet, id: 'v', fee: '0.4' }] }, 31 * day);
  await play(store, { shown: [{ ...onNet, id: 'u' }] }, 31 * day + hour);

  const fees = (at: string) => `select fee_asset_id as asset, fee_asset_is_assumed as assumed, fee
    from reporting.fees_daily_at('${at}') where day = '2026-01-01' order by fee_asset_id`;
  expect(await store.query(fees('2026-01-30'))).toEqual([{ asset: 'X', assumed: true, fee: '0.2' }]);
  expect(await store.query(fees('2026-01-31 12:00Z'))).toEqual([
    { asset: 'GAS', assumed: false, fee: '0.2' },
  ]);
  const corrected = await store.query(
    `select asset_id, as_reported, as_known_now, transactions::int, corrected_at::date::text as on, reason
     from reporting.late_corrections order by measure, asset_id`,
  );
  expect(corrected.map((row) => Object.values(row))).toEqual([
    ['GAS', '0', '0.5', 2, '2026-02-01', 'answer, fee rule'],
    ['X', '0.2', '0', 2, '2026-01-31', 'fee rule'],
  ]);
  // A line follows the rule that was known when it was seen; the later correction is a line of that day.
  expect(
    await store.query(`select transaction_id as id, kind, asset_id, fee, fee_asset_is_assumed as assumed
      from reporting.postings where fee <> 0 order by observed_at, transaction_id, asset_id`),
  ).toEqual([
    { id: 'v', kind: 'status', asset_id: 'X', fee: '0.1', assumed: true },
    { id: 'w', kind: 'status', asset_id: 'X', fee: '0.1', assumed: true },
    { id: 'v', kind: 'correction', asset_id: 'GAS', fee: '0.3', assumed: false },
    { id: 'u', kind: 'status', asset_id: 'GAS', fee: '0.1', assumed: false },
  ]);

  // Whoever states that it was known all the time changes what was reported, and what was posted.
  await store.query(`update custody.fee_rules set known_from = '-infinity'`);
  expect(await store.query(fees('2026-01-02'))).toEqual([{ asset: 'GAS', assumed: false, fee: '0.2' }]);
  expect(await store.query('select reason from reporting.late_corrections')).toEqual([{ reason: 'answer' }]);
  expect(await store.query(`select distinct asset_id from reporting.postings where fee <> 0`)).toEqual([
    { asset_id: 'GAS' },
  ]);
});

test('a rule is known since it was stated, and what is replaced, removed or emptied is kept once', async () => {
  const store = await openAccount();
  const change = (at: number, sql: string) => stateAt(store, at * day, sql);
  await change(1, `update custody.fee_rules set asset_id = 'GAS'`);
  expect(await store.query('select from custody.former_fee_rules')).toEqual([]);
  await change(2, `update custody.fee_rules set asset_id = 'OIL'`);
  await change(3, `update custody.fee_rules set asset_id = 'A'; update custody.fee_rules set asset_id = 'B'`);
  await change(
    4,
    `delete from custody.fee_rules; insert into custody.fee_rules (account_id, network_id, asset_id)
    values ('acme', 'net', 'C')`,
  );
  await change(5, 'truncate custody.fee_rules');
  expect(
    await store.query(`select asset_id as asset, known_from::date::text as from, known_until::date::text as until
      from custody.former_fee_rules order by known_from`),
  ).toEqual([
    { asset: 'GAS', from: '-infinity', until: '2026-01-03' },
    { asset: 'OIL', from: '2026-01-03', until: '2026-01-04' },
    { asset: 'B', from: '2026-01-04', until: '2026-01-05' },
    { asset: 'C', from: '2026-01-05', until: '2026-01-06' },
  ]);
});

test('an answer from before the end of a day that is committed after it counts for the day, and is no correction', async () => {
  const store = await openAccount();
  const report = `select day::text, out_amount from reporting.flows_daily_at('2026-01-02Z'::timestamptz - interval '1 microsecond')`;
  await play(store, { shown: [{ ...withdrawal, id: 'other' }] }, day + hour);
  expect(await store.query(report)).toEqual([]);
  await play(store, { shown: [withdrawal] }, day - 1);
  expect(await store.query(report)).toEqual([{ day: '2026-01-01', out_amount: '5' }]);
  // An older answer about what is known already changes nothing, however late it is committed.
  await play(store, { shown: [{ ...withdrawal, status: 'failed' }] }, day - 1000);
  expect(await store.query(report)).toEqual([{ day: '2026-01-01', out_amount: '5' }]);
  expect(await store.query('select from reporting.late_corrections')).toEqual([]);
});

test('what is seen exactly at midnight is of the new day: the close of a day is its last microsecond', async () => {
  const store = await openAccount();
  await play(store, { shown: [withdrawal] }, hour);
  await play(store, { shown: [{ ...withdrawal, amount: '7', fee: '0.3' }] }, day);
  const figures = (at: string) =>
    store.query(
      `select out_amount, fee, completed_amount from reporting.calendar c
       join reporting.flows_daily_at(${at}) f using (day) join reporting.fees_daily_at(${at}) g using (day)
       join reporting.transaction_outcomes_daily_at(${at}) o using (day) where day = '2026-01-01'`,
    );
  const end = `'2026-01-02Z'::timestamptz`;
  const reported = { out_amount: '5', fee: '0.1', completed_amount: '5' };
  expect(await figures(`${end} - interval '1 microsecond'`)).toEqual([reported]);
  expect(await figures(end)).toEqual([{ out_amount: '7', fee: '0.3', completed_amount: '7' }]);
  expect(
    await store.query(
      `select jsonb_object_agg(measure, as_reported::text) as reported, max(corrected_after)::text as after
       from reporting.late_corrections`,
    ),
  ).toEqual([{ reported, after: '00:00:00' }]);
  // Each function says how to ask for the close.
  expect(
    await store.query(
      `select proname from pg_proc where pronamespace = 'reporting'::regnamespace and proname like '%daily_at'
         and obj_description(oid, 'pg_proc') not like '%ends_at of calendar minus interval ''1 microsecond''%'`,
    ),
  ).toEqual([]);
});
