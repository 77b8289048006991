import { expect, test } from 'vitest';
import { findBalances } from '../../../src/custody/decode/lists.ts';
import { balanceDecoder } from '../../../src/custody/decode/records.ts';
import type { BalanceVaultType } from '../../../src/domain/balance.ts';
import { balanceRecord } from '../../support/wire-records.ts';
import { decode } from './decoding.ts';

const read = (body: unknown, vaultType: BalanceVaultType = 'all') =>
  decode(
    typeof body === 'string' ? body : JSON.stringify(body),
    (value, tolerance) => findBalances(value, vaultType, tolerance),
    balanceDecoder,
  );
const envelope = (...balance: unknown[]) => ({ timestamp: 'now', balance_type: 'all', balance });
const amounts = balanceRecord('BTC').balances;
const decoded = {
  assetId: 'BTC',
  assetName: 'BTC coin',
  networkId: 'BTC-net',
  networkName: 'BTC network',
  totalBalance: '10.5',
  availableBalance: '10.0',
  processingBalance: '0.5',
  stakingBalance: '0',
  claimableBalance: '0',
};

test('a documented element is read field by field, with nothing to tolerate', () => {
  const { items, deviations } = read(envelope(balanceRecord('BTC')));
  expect(items).toMatchObject([{ kind: 'record', key: '["BTC","BTC-net"]', record: decoded }]);
  expect(deviations).toEqual({});
});

test.each([
  ['balances-array', balanceRecord('BTC', { balances: [amounts] })],
  ['balances-flat', { ...balanceRecord('BTC', { balances: undefined }), ...amounts }],
])('%s is tolerated and counted', (deviation, element) => {
  const { items, deviations } = read(envelope(element));
  expect(items?.[0]).toMatchObject({ record: decoded });
  expect(deviations).toEqual({ [deviation]: 1 });
});

test.each([[undefined], [null], [[]]])('without amounts (%j) none is made up', (balances) => {
  const { items, deviations } = read(envelope(balanceRecord('BTC', { balances })));
  expect(items?.[0]).toMatchObject({ record: { totalBalance: null, claimableBalance: null } });
  expect(deviations).toEqual({ 'balances-missing': 1 });
});

test('amounts as numbers keep every digit', () => {
  const text = JSON.stringify(envelope(balanceRecord('BTC'))).replace(
    '"10.5"',
    '12345678901234567890.123456789012345678',
  );
  expect(read(text).items?.[0]).toMatchObject({
    record: { totalBalance: '12345678901234567890.123456789012345678' },
  });
});

test.each([
  ['balances is an array of 2', balanceRecord('BTC', { balances: [amounts, amounts] })],
  ['balances is an array whose element is not an object', balanceRecord('BTC', { balances: ['1'] })],
  ['balances is neither an object nor an array', balanceRecord('BTC', { balances: '1' })],
  ['the record has no asset_id', balanceRecord('', {})],
  [
    'staking_balance is not an amount: "NaN"',
    balanceRecord('BTC', { balances: { ...amounts, staking_balance: 'NaN' } }),
  ],
])('%s: set aside, neighbours are read', (reason, element) => {
  const { items } = read(envelope(balanceRecord('ETH'), element, balanceRecord('SOL')));
  expect(items).toMatchObject([{ kind: 'record' }, { kind: 'undecodable', reason }, { kind: 'record' }]);
});

test('a balance without a network is identified by the empty text', () => {
  const { items } = read(envelope(balanceRecord('BTC', { network_id: null })));
  expect(items?.[0]).toMatchObject({ key: '["BTC",""]', record: { networkId: '' } });
});

test('the list is found bare, single and under another name, and not made up', () => {
  const element = balanceRecord('BTC');
  expect(read([element])).toMatchObject({ items: [{}], deviations: { 'list-bare': 1 } });
  expect(read({ balance: element })).toMatchObject({ items: [{}], deviations: { 'list-single': 1 } });
  expect(read({ balances: [element] })).toMatchObject({ items: [{}], deviations: { 'list-renamed': 1 } });
  for (const body of [{}, { balance: 'none' }, null, 7]) expect(read(body).items).toBeNull();
});

test('figures of another vault type than was asked for are not taken', () => {
  const warm = { balance_type: 'warm', balance: [balanceRecord('BTC')] };
  expect(read(warm, 'warm').items).toHaveLength(1);
  expect(read(warm, 'cold').items).toBeNull();
  expect(read({ ...warm, balance_type: 'total' }, 'all').items).toHaveLength(1);
});
