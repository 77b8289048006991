import { expect, test } from 'vitest';
import { hour, openAccount, play, withdrawal } from './late.ts';
import { day } from './told.ts';

test('what went missing while open is not open, is not stuck, and is found among the missing', async () => {
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
      'select transaction_id, status, was_open from reporting.missing_transactions order by 1',
    ),
  ).toEqual([
    { transaction_id: 'done', status: 'completed', was_open: false },
    { transaction_id: 'w', status: 'pending', was_open: true },
  ]);
  expect(await store.query('select withdrawals::int, missing::int from reporting.flows_daily')).toEqual([
    { withdrawals: 1, missing: 1 },
  ]);
});

test('a fee of a transaction without an asset is corrected like one with an asset', async () => {
  const store = await openAccount();
  const unstaking = { ...withdrawal, type: 'unstake', fee: '1' };
  for (const asset of ['Y', null]) {
    const shown = { ...unstaking, id: asset ?? 'none', asset };
    await play(store, { shown: [shown] }, hour);
    await play(store, { shown: [{ ...shown, fee: '2' }] }, 2 * hour);
  }
  const corrections = await store.query(
    `select asset_id, fee, total_change, staked_change from reporting.postings where kind = 'correction' order by asset_id`,
  );
  const moved = { fee: '1', total_change: '-1', staked_change: '-1' };
  expect(corrections).toEqual([
    { asset_id: 'Y', ...moved },
    { asset_id: null, ...moved },
  ]);
});

test('the other side is one, also of a record whose type and ends contradict each other', async () => {
  const store = await openAccount();
  const ends = [
    ['vault', 'whitelist'],
    ['vault', 'vault'],
    ['external', 'vault'],
    ['external', 'network'],
  ] as const;
  for (const type of ['deposit', 'withdraw'])
    for (const [source, destination] of ends) {
      const id = `${type} ${source} ${destination}`;
      await play(store, { shown: [{ ...withdrawal, type, id }] }, hour);
      await store.query(
        `update custody.transactions set source_type = $2, source_name = 'from', source_address = '0x1', destination_type = $3,
           destination_name = 'to', destination_address = '0x2' where transaction_id = $1`,
        [id, source, destination],
      );
    }
  await store.query(
    `insert into custody.asset_prices (account_id, asset_id, currency, as_of, price) values ('acme', 'Y', 'USD', '2025-01-01', 2)`,
  );
  const others = async (view: string) =>
    await store.query(
      `select transaction_id as id, counterparty_name as name, counterparty_address as address from reporting.${view} order by 1`,
    );
  const told = await others('transactions');
  expect(told).toContainEqual({ id: 'deposit vault whitelist', name: 'to', address: '0x2' });
  expect(told).toContainEqual({ id: 'withdraw external vault', name: 'from', address: '0x1' });
  expect(await others('movement_values')).toEqual(told);
});
