// Records without an id are known again by what lasts of them, so that a field which is another at every
// request does not make another record of them; what tells two of them apart keeps them apart.
import { expect, test } from 'vitest';
import { clientOf, json, newCall, serve } from '../../support/custody-service.ts';
import { balanceRecord, transactionRecord } from '../../support/wire-records.ts';

/** The keys of two answers, the second with other values of everything that changes. */
async function keysOfTwo(path: 'transactions' | 'balances' | 'vaults', bodyOf: (round: number) => unknown) {
  const service = await serve((_, response, number) => json(response, bodyOf(number)));
  const { client } = clientOf(service);
  const read = async () => {
    if (path === 'transactions') return await client.transactions({}, newCall());
    return path === 'balances'
      ? await client.balances('all', {}, newCall())
      : await client.vaults('warm', {}, newCall());
  };
  const answers = [await read(), await read()];
  for (const { items } of answers) for (const { kind } of items) expect(kind).toBe('undecodable');
  return answers.map(({ items }) => items.map((item) => item.key));
}

const changing = (round: number) => ({
  timestamp: `2024-05-06T07:08:0${round}.000Z`,
  request_id: `request ${round}`,
  served: { at: round, timestamp: round },
});

test('a transaction without an id is known by its documented fields', async () => {
  const { transaction } = transactionRecord('t');
  const [first = [], second] = await keysOfTwo('transactions', (round) => ({
    transactions: [
      { ...transactionRecord(''), ...changing(round), status: round === 1 ? 'pending' : 'completed' },
      { ...changing(round), transaction: { ...transaction, ...changing(round), amount: '2' } },
      { ...changing(round), transaction_id: 'half\ud800' },
      { ...changing(round), transaction_id: 'half\ud801' },
      [{ timestamp: round, more: 1 }],
    ],
  }));
  expect(new Set(first).size).toBe(5);
  expect(second).toEqual(first);
});

test('records without a known documented field are distinguished by everything but the time of the request', async () => {
  const [first = [], second] = await keysOfTwo('transactions', (round) => ({
    transactions: [
      { uuid: 1, meta: { timestamp: round } },
      { uuid: 2, meta: { timestamp: round } },
      { uuid: 2, transaction: { note: '' } },
      'text',
      null,
    ],
  }));
  expect(new Set(first).size).toBe(5);
  expect(second).toEqual(first);
});

test('a balance without an asset is known by its names, whatever its figures', async () => {
  const [first = [], second] = await keysOfTwo('balances', (round) => ({
    balance: [
      { ...balanceRecord('', { balances: { total_balance: `${round}` } }), asset_name: 'Bitcoin' },
      { ...balanceRecord('', { balances: { total_balance: `${round}` } }), asset_name: 'Ether' },
    ],
  }));
  expect(new Set(first).size).toBe(2);
  expect(second).toEqual(first);
});

test('a vault without an id is known by its name', async () => {
  const [first = [], second] = await keysOfTwo('vaults', (round) => ({
    vaults: [
      { name: 'Treasury', ...changing(round) },
      { name: 'Payouts', ...changing(round) },
    ],
  }));
  expect(new Set(first).size).toBe(2);
  expect(second).toEqual(first);
});
