import { expect, test } from 'vitest';
import { readStoredTransaction } from '../../src/custody/decode/stored.ts';
import { type Balance, balanceKey, balancePartsAgree } from '../../src/domain/balance.ts';
import { type Decimal, parseDecimal } from '../../src/domain/decimal.ts';
import { type Transaction, unknownEnumerationValues } from '../../src/domain/transaction.ts';

const amount = (text: string | null): Decimal | null =>
  text === null ? null : (parseDecimal(text)?.value ?? null);

function balance(total: string | null, ...parts: readonly [string | null, string, string, string]): Balance {
  const [available, processing, staking, claimable] = parts.map(amount);
  return {
    assetId: 'ETH',
    networkId: 'ETH',
    assetName: null,
    networkName: null,
    totalBalance: amount(total),
    availableBalance: available ?? null,
    processingBalance: processing ?? null,
    stakingBalance: staking ?? null,
    claimableBalance: claimable ?? null,
    raw: '{}',
  };
}

test('the parts of a balance are added exactly', () => {
  expect(balancePartsAgree(balance('0.30', '0.1', '0.2', '0', '0.000'))).toBe(true);
  expect(balancePartsAgree(balance('0.3', '0.1', '0.2', '0', '0.000000000000000000001'))).toBe(false);
});

test('of a balance with a part missing nothing is said', () => {
  expect(balancePartsAgree(balance(null, '1', '0', '0', '0'))).toBeNull();
  expect(balancePartsAgree(balance('1', null, '0', '0', '0'))).toBeNull();
});

test('asset and network together identify a balance', () => {
  const keys = [
    { assetId: 'A', networkId: 'B' },
    { assetId: 'A","B', networkId: '' },
    { assetId: 'AB', networkId: '' },
    { assetId: 'A', networkId: '' },
  ].map(balanceKey);
  expect(new Set(keys).size).toBe(keys.length);
});

const transaction = readStoredTransaction(
  '{"transaction_id":"t1","status":"completed","transaction":{"transaction_type":"changepool",' +
    '"source":{"source_type":"vault"},"destination":{"destination_type":"stakepool"}}}',
) as Transaction;

test('values of the enumerations, absent and empty ones are known', () => {
  expect(unknownEnumerationValues(transaction)).toEqual([]);
  expect(unknownEnumerationValues({ ...transaction, sourceType: '', destinationType: null })).toEqual([]);
});

test('values outside the enumerations are named with their field', () => {
  const odd = {
    ...transaction,
    status: 'frozen',
    transactionType: 'mint',
    sourceType: 'stake pool',
    destinationType: 'external',
  };
  expect(unknownEnumerationValues(odd)).toEqual([
    'status:frozen',
    'transaction_type:mint',
    'source_type:stake pool',
    'destination_type:external',
  ]);
});
