// What released versions read from stored records. Rows stay as they were written until their record
// changes, so a version that reads one of these otherwise keeps the earlier decoder in decode/stored.ts,
// behind its own: else verify and the mirror would take such rows for altered. The digest changes with it.
import { expect, test } from 'vitest';
import { readStoredBalance, readStoredTransaction } from '../../../src/custody/decode/stored.ts';

const parties = `"source":{"source_type":"vault","vault_id":"v","source_name":"Main","source_address":"0x1"},
  "destination":{"destination_type":"stakepool","destination_id":7,"destination_name":true,"destination_address":"0x2","memo":"m"}`;
const transactions = [
  `{"transaction_id":"a","status":"pending","timestamp":"2026-01-01T00:00:00.1234565+05:30","transaction":{
    "transaction_type":"changepool","asset_id":"BTC","asset_name":"Bitcoin","network_id":"btc","network_name":"Bitcoin",
    "amount":"1.50","fee":"","txn_hash":"0x","blockexplorer_link":"https://x.example","note":"ü",${parties}}}`,
  `{"id":12345678901234567890,"status":"Completed","timestamp":1767225600,"transaction":{"amount":1.50,"fee":"0.000","note":false}}`,
  `{"transaction_id":"c","status":"x","transaction_type":" deposit","amount":" 7 ","source":{"source_id":["a"]},"note":{"n":1}}`,
  `{"transaction_id":"d","status":"failed","timestamp":"none"}`,
];
const balances = [
  `{"asset_id":"BTC","asset_name":"Bitcoin","network_id":"btc","network_name":"Bitcoin","available_balance":"1.50","total_balance":2,"frozen_balance":""}`,
  `{"asset_id":7,"balance":"1e2","extra":{"n":1.50}}`,
];

test('a version that reads a stored record otherwise keeps the earlier decoder', async () => {
  const readings = [
    ...transactions.map((raw) => readStoredTransaction(raw)),
    ...balances.map((raw) => readStoredBalance(raw)),
  ];
  const lines = readings.flatMap((reading) => [
    ...Object.entries(reading ?? {})
      .filter(([, value]) => value !== null)
      .toSorted()
      .map(([name, value]) => `${name}: ${JSON.stringify(value)}`),
    '',
  ]);
  await expect(
    lines.join('\n'),
    'where a line differs, add the earlier decoder to decode/stored.ts',
  ).toMatchFileSnapshot('released-readings.txt');
});
