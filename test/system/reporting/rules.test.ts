// The accounting rules against the second bookkeeper of the sandbox's tests: for each type and status, what
// one unit of amount and one of fee do.
import { expect, test } from 'vitest';
import { createSandbox } from '../../../packages/sandbox/src/sandbox.ts';
import { statuses, transactionTypes } from '../../../packages/sandbox/src/world/records.ts';
import { testDatabase } from '../../support/database.ts';
import { differences, none } from '../../support/differences.ts';
import { commitPages, item, openStore, page, transaction } from '../../support/store.ts';
import { factors, postingRows } from './expected-sums.ts';
import { directionOf } from './expected-transactions.ts';
import { observe } from './observed.ts';
import { readView } from './views.ts';

test('the rules are those of the ledger, one for each documented type and status', async () => {
  const database = await testDatabase();
  const rules = await database.query(
    `select transaction_type, status, direction, total_amount_factor, total_fee_factor, staked_amount_factor, staked_fee_factor
     from reporting.accounting_rules`,
  );
  const [sample] = createSandbox({ transactions: 1 }).world.transactions();
  if (sample === undefined) throw new Error('the world is empty');
  const expected = transactionTypes.flatMap((transactionType) =>
    statuses.map((status) => {
      const record = { ...sample, transactionType };
      const [ofAmount, ofFee] = [factors(record, status, 'amount'), factors(record, status, 'fee')];
      return {
        transaction_type: transactionType,
        status,
        direction: directionOf(record),
        total_amount_factor: Number(ofAmount.total),
        total_fee_factor: Number(ofFee.total),
        staked_amount_factor: Number(ofAmount.staked),
        staked_fee_factor: Number(ofFee.staked),
      };
    }),
  );
  const key = (rule: Record<string, unknown>) => `${rule['transaction_type']} ${rule['status']}`;
  const inOrder = <Rule extends Record<string, unknown>>(list: readonly Rule[]) =>
    list.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
  expect(inOrder(rules)).toEqual(inOrder(expected));
  const silent = await database.query(`select from reporting.accounting_rules where meaning !~ '\\.$'`);
  expect(silent).toEqual([]);
});

test('a direction is given for what is not documented, too', async () => {
  const database = await testDatabase();
  const found = await database.query(
    `select reporting.direction_of(t, s, d) as direction from (values
       (null, 'vault', 'vault'), ('airdrop', 'external', 'vault'), ('burn', 'vault', 'network'), ('swap', 'vault', null),
       ('loan', null, null), ('loan', 'external', 'whitelist'), ('deposit', 'vault', 'whitelist')) as v (t, s, d)`,
  );
  expect(found.map((row) => row['direction'])).toEqual([
    'internal',
    'in',
    'out',
    'out',
    'unknown',
    'unknown',
    'in',
  ]);
});

test('a correction that leaves the fee as it was assumes nothing of it', async () => {
  const observed = await observe('2025-04-30T00:00:00Z', { seed: 5, transactions: 5 });
  const { world } = observed.mirror.sandbox;
  await observed.readTransactions('2025-05-01T09:00:00Z');
  world.insertTransaction('head', {
    transactionId: 'moved',
    transactionType: 'stake',
    status: 'completed',
    assetId: 'ETH',
    networkId: 'ETH',
    amount: '5',
    fee: '0.01',
  });
  await observed.readTransactions('2025-05-01T10:00:00Z');
  world.alterTransaction('moved', { transactionType: 'rebalance' });
  await observed.readTransactions('2025-05-01T11:00:00Z');
  const { rows } = await readView(observed.mirror, 'postings', observed.account);
  expect(differences(rows, postingRows(observed))).toEqual(none);
  expect(rows.filter((row) => row['transaction_id'] === 'moved')).toMatchObject([
    { kind: 'status', fee: '0.01', staked_change: '5', fee_asset_is_assumed: true },
    { kind: 'correction', fee: '0', staked_change: '-5', fee_asset_is_assumed: null },
  ]);
});

test('an account is half erased from the begin of its erase to the end', async () => {
  const { query } = await openStore();
  const half = () => query('select account_id from reporting.half_erased_accounts');
  await query(
    "insert into internal.erasures (account_id, started_at, erased_by) select account_id, now(), 'me' from custody.accounts",
  );
  expect(await half()).toEqual(await query('select account_id from custody.accounts'));
  await query('update internal.erasures set finished_at = now()');
  expect(await half()).toEqual([]);
});

test('no vault is named where none is involved', async () => {
  const store = await openStore();
  const record = {
    ...transaction({ id: 'a', type: 'airdrop' }),
    sourceType: 'external',
    sourceId: 'someone',
    sourceName: 'Someone',
    destinationType: 'whitelist',
    destinationName: 'Somebody',
  };
  await commitPages(store, page([item(record)], 1000));
  expect(
    await store.query(
      'select direction, vault_id, vault_name, counterparty_name from reporting.transactions',
    ),
  ).toEqual([{ direction: 'unknown', vault_id: null, vault_name: null, counterparty_name: 'Somebody' }]);
});
