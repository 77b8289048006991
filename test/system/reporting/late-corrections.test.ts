import { expect, test } from 'vitest';
import { day, hour, openAccount, play, reports, withdrawal } from './late.ts';

test('a transaction completed twice counts on the day it was first completed', async () => {
  const store = await openAccount();
  for (const [index, status] of ['completed', 'confirming', 'completed'].entries())
    await play(store, { shown: [{ ...withdrawal, status }] }, index * day + hour);
  for (const report of reports)
    expect(await store.query(`select day::text from reporting.${report}`), report).toEqual([
      { day: '2026-01-01' },
    ]);
  expect(
    await store.query(`select day::text, out_amount from reporting.flows_daily_at('2026-01-02 12:00Z')`),
  ).toEqual([]);
  expect(await store.query('select measure from reporting.late_corrections')).toEqual([]);
});

test('a withdrawal that fails after the day is over stays in what was reported, and the difference is shown', async () => {
  const store = await openAccount();
  await play(store, { shown: [withdrawal] }, hour);
  await play(store, { shown: [{ ...withdrawal, status: 'failed' }] }, 3 * day);
  expect(
    await store.query(`select day::text, out_amount from reporting.flows_daily_at('2026-01-03') union all
      select day::text, out_amount from reporting.flows_daily`),
  ).toEqual([{ day: '2026-01-01', out_amount: '5' }]);
  expect(
    await store.query(
      `select day::text, measure, as_reported, as_known_now, difference, transactions::int, corrected_after::text
       from reporting.late_corrections order by measure`,
    ),
  ).toMatchObject([
    {
      day: '2026-01-01',
      measure: 'completed',
      as_reported: '1',
      as_known_now: '0',
      difference: '-1',
      transactions: 1,
    },
    { day: '2026-01-01', measure: 'completed_amount', as_reported: '5', as_known_now: '0' },
    { day: '2026-01-01', measure: 'fee', as_reported: '0.1', as_known_now: '0', corrected_after: '2 days' },
    { day: '2026-01-01', measure: 'out_amount', as_reported: '5', as_known_now: '0', difference: '-5' },
  ]);
});

test('a corrected amount is posted when it is seen, and what was posted before stays', async () => {
  const store = await openAccount();
  await play(store, { shown: [withdrawal] }, hour);
  await play(store, { shown: [{ ...withdrawal, amount: '7', fee: '0.3' }] }, 3 * day);
  await play(store, { shown: [{ ...withdrawal, amount: '7', fee: '0.3', asset: 'X' }] }, 4 * day);
  expect(
    await store.query(
      `select kind, observed_at::date::text as day, asset_id, outflow, fee, total_change, fee_asset_is_assumed as assumed
       from reporting.postings order by observed_at, asset_id`,
    ),
  ).toEqual([
    {
      kind: 'status',
      day: '2026-01-01',
      asset_id: 'Y',
      outflow: '5',
      fee: '0.1',
      total_change: '-5.1',
      assumed: true,
    },
    {
      kind: 'correction',
      day: '2026-01-04',
      asset_id: 'Y',
      outflow: '2',
      fee: '0.2',
      total_change: '-2.2',
      assumed: true,
    },
    // On the network of X, fees are paid in GAS.
    {
      kind: 'correction',
      day: '2026-01-05',
      asset_id: 'GAS',
      outflow: '0',
      fee: '0.3',
      total_change: '-0.3',
      assumed: false,
    },
    {
      kind: 'correction',
      day: '2026-01-05',
      asset_id: 'X',
      outflow: '7',
      fee: '0',
      total_change: '-7',
      assumed: null,
    },
    {
      kind: 'correction',
      day: '2026-01-05',
      asset_id: 'Y',
      outflow: '-7',
      fee: '-0.3',
      total_change: '7.3',
      assumed: true,
    },
  ]);
});
