import { expect, test } from 'vitest';
import { day, hour, openAccount, play, withdrawal } from './late.ts';

test('a deposit put on a status that nobody documented leaves the balances as they were, and is open', async () => {
  const store = await openAccount();
  const deposit = { ...withdrawal, type: 'deposit' };
  for (const [index, status] of ['confirming', 'on hold', 'checking', 'completed'].entries())
    await play(store, { shown: [{ ...deposit, status }] }, (index + 1) * hour);
  const inflows = await store.query('select to_status, inflow from reporting.postings order by sequence');
  expect(inflows).toEqual([
    { to_status: 'confirming', inflow: '5' },
    { to_status: 'on hold', inflow: '0' },
    { to_status: 'checking', inflow: '0' },
    { to_status: 'completed', inflow: '0' },
  ]);
});

test('what vanished while open is not open, is not stuck, and is found among what vanished', async () => {
  const store = await openAccount();
  await play(
    store,
    {
      shown: [
        { ...withdrawal, status: 'pending' },
        { ...withdrawal, id: 'done' },
      ],
    },
    hour,
  );
  await play(store, { gone: 'w' }, day);
  await play(store, { gone: 'done' }, day);
  expect(await store.query('select transaction_id from reporting.open_transactions')).toEqual([]);
  expect(
    await store.query(
      'select transaction_id, is_open, age is null as unknown from reporting.transactions order by 1',
    ),
  ).toEqual([
    { transaction_id: 'done', is_open: false, unknown: false },
    { transaction_id: 'w', is_open: null, unknown: true },
  ]);
  expect(
    await store.query(
      'select transaction_id, status, was_open from reporting.vanished_transactions order by 1',
    ),
  ).toEqual([
    { transaction_id: 'done', status: 'completed', was_open: false },
    { transaction_id: 'w', status: 'pending', was_open: true },
  ]);
  expect(await store.query('select withdrawals::int, missing::int from reporting.flows_daily')).toEqual([
    { withdrawals: 1, missing: 1 },
  ]);
});
