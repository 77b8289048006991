// Figures that the service did not tell: they are null in the views and in whatever would need them, and
// never pass for zero.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { account } from '../../support/store.ts';
import { queriesOf } from '../dashboards/sql-document.ts';
import { day, openReporting, see, snapshot } from './told.ts';

const reconciled = `select asset_id, opening_balance, inflow, staking_rewards, expected_balance, closing_balance,
    unexplained_difference, is_explained
  from reporting.reconciliation_daily where day = '2026-01-02' order by 1`;

test('a reconciliation with a figure that is not known claims nothing', async () => {
  const store = await openReporting();
  const whole = { staking: '0', claimable: '0' };
  await snapshot(store, 1000, {
    told: { total: '5.0', ...whole },
    partly: { total: '5', staking: '1', claimable: '0' },
    never: { total: '5' },
    total: { ...whole },
    amount: { total: '0', ...whole },
  });
  await see(store, 2000, [
    { id: 'a', assetId: 'told', amount: '1' },
    { id: 'b', assetId: 'amount' },
    { id: 'c', assetId: 'never', amount: '2' },
  ]);
  await snapshot(store, day + 1000, {
    told: { total: '6', ...whole },
    partly: { total: '5' },
    never: { total: '7' },
    total: { total: '1', ...whole },
    amount: { total: '4', ...whole },
  });
  expect((await store.query(reconciled)).map((row) => Object.values(row))).toEqual([
    ['amount', '0', null, '0', null, '4', null, null],
    ['never', '5', '2', '0', '7', '7', '0', true],
    ['partly', '5', '0', null, null, '5', null, null],
    ['told', '5', '1', '0', '6', '6', '0', true],
    ['total', null, '0', '0', null, '1', null, null],
  ]);
  const first = await store.query(
    `select distinct inflow, outflow, fees, staking_rewards, expected_balance, is_explained, is_comparable
     from reporting.reconciliation_daily where day = '2026-01-01'`,
  );
  expect(first.map((row) => Object.values(row))).toEqual([[null, null, null, null, null, null, false]]);
});

test('question 11 of docs/sql.md has one row for each transfer, where an asset stands on two networks', async () => {
  const store = await openReporting();
  await snapshot(store, 1000, { X: { total: '2' } });
  await store.query(
    `insert into custody.balances (account_id, vault_type, asset_id, network_id, valid_from, valid_to, asset_name, network_name,
       total_balance, available_balance, processing_balance, staking_balance, claimable_balance, run_id, raw)
     select account_id, vault_type, asset_id, 'second', valid_from, valid_to, asset_name, network_name,
       total_balance, available_balance, processing_balance, staking_balance, claimable_balance, run_id, raw from custody.balances`,
  );
  await store.query(
    `insert into custody.asset_prices (account_id, asset_id, currency, as_of, price) values ($1, 'X', 'USD', '2025-12-31', 3)`,
    [account],
  );
  await see(store, 3_600_000, [
    { id: 'a', assetId: 'X', amount: '1' },
    { id: 'b', assetId: 'X', amount: '2' },
  ]);
  await store.query(`update custody.transactions set network_id = 'net'`);
  const document = readFileSync(new URL('../../../docs/sql.md', import.meta.url), 'utf8');
  const [, question = ''] = document.split('## 11. ');
  const [largest = ''] = queriesOf(question);
  expect((await store.query(largest)).map(({ amount, usd }) => [amount, usd])).toEqual([
    ['2', '6'],
    ['1', '3'],
  ]);
});

test('a balance that is not sent stays null next to one that is zero', async () => {
  const store = await openReporting();
  await snapshot(store, 1000, { a: { total: '2' }, b: {} });
  await snapshot(store, 1000, { a: { total: '2.00' }, b: { total: '0' } }, 'warm');
  await snapshot(store, 1000, { b: {} }, 'cold');
  await snapshot(store, 5000, { a: {}, b: { total: '1' } });
  await store.query(
    `insert into custody.asset_prices (account_id, asset_id, currency, as_of, price) values
      ($1, 'a', 'USD', '2025-12-31', 3), ($1, 'b', 'USD', '2025-12-31', 3)`,
    [account],
  );
  expect(
    await store.query(
      'select asset_id, all_total, warm_total, cold_total, difference, agrees from reporting.vault_split order by 1',
    ),
  ).toEqual([
    { asset_id: 'a', all_total: '2', warm_total: '2', cold_total: '0', difference: '0', agrees: true },
    { asset_id: 'b', all_total: null, warm_total: '0', cold_total: null, difference: null, agrees: null },
  ]);
  expect(
    await store.query(
      `select asset_id, total_before, total_after, total_change from reporting.balance_changes
       where vault_type = 'all' and change = 'changed' order by 1`,
    ),
  ).toEqual([
    { asset_id: 'a', total_before: '2', total_after: null, total_change: null },
    { asset_id: 'b', total_before: null, total_after: '1', total_change: null },
  ]);
  expect(
    await store.query(
      `select asset_id, total_balance, total_value from reporting.balance_values where vault_type = 'all' order by 1`,
    ),
  ).toEqual([
    { asset_id: 'a', total_balance: null, total_value: null },
    { asset_id: 'b', total_balance: '1', total_value: '3' },
  ]);
});

test('where nothing is known of when a status was left, it is not said to have lasted', async () => {
  const store = await openReporting();
  await see(store, 1000, [{ id: 'a', assetId: 'X', amount: '1', status: 'pending' }]);
  await see(store, 2000, [{ id: 'a', assetId: 'X', amount: '1', status: 'completed' }]);
  await store.query(
    `begin; set local session_replication_role = replica;
     update custody.transaction_status_history set observed_after = null; commit`,
  );
  expect(
    await store.query(
      `select status, extract(epoch from shortest_duration)::int as shortest, extract(epoch from duration)::int as duration,
         longest_duration as longest from reporting.transaction_timeline where not is_current`,
    ),
  ).toEqual([{ status: 'pending', shortest: 0, duration: 1, longest: null }]);
});
