import { expect, test } from 'vitest';
import type { TransactionRecord } from '../../../src/sandbox/world/records.ts';
import { statuses, transactionTypes } from '../../../src/sandbox/world/records.ts';
import { errorOf, idsOf, serve } from '../../support/served-sandbox.ts';

test('GET /transactions serves the shape of section 2, newest first, exactly as the world has it', async () => {
  const { sandbox, get } = await serve({ transactions: 300 });
  const answer = await get('/transactions?limit=300');
  expect(answer.headers.get('content-type')).toContain('application/json');
  const truth = [...sandbox.world.transactions()].reverse();
  expect(answer.json.transactions).toEqual(truth.map((record) => wire(record, expect.any(String))));
  expect(Object.keys(answer.json)).toEqual(['transactions']);
  expect(answer.json.transactions[0]?.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

function wire(record: TransactionRecord, timestamp: string): object {
  return {
    transaction_id: record.transactionId,
    timestamp,
    transaction: {
      transaction_type: record.transactionType,
      asset_id: record.assetId,
      asset_name: record.assetName,
      network_id: record.networkId,
      network_name: record.networkName,
      amount: record.amount,
      fee: record.fee,
      source: {
        source_type: record.sourceType,
        source_id: record.sourceId,
        source_name: record.sourceName,
        source_address: record.sourceAddress,
      },
      destination: {
        destination_type: record.destinationType,
        destination_id: record.destinationId,
        destination_name: record.destinationName,
        destination_address: record.destinationAddress,
        memo: record.memo,
      },
      txn_hash: record.txnHash,
      blockexplorer_link: record.blockexplorerLink,
      note: record.note,
    },
    status: record.status,
  };
}

test('the timestamp is the time of the request and changes at each read', async () => {
  let now = Date.UTC(2026, 2, 3, 4, 5, 6, 7);
  const { get } = await serve({ now: () => now });
  expect((await get('/transactions?limit=1')).json.transactions[0]?.timestamp).toBe(
    '2026-03-03T04:05:06.007Z',
  );
  now += 1000;
  expect((await get('/transactions?limit=1')).json.transactions[0]?.timestamp).toBe(
    '2026-03-03T04:05:07.007Z',
  );
  expect((await get('/balances')).json.timestamp).toBe('2026-03-03T04:05:07.007Z');
});

test('limit and offset page through the list; the defaults are 200 and 50; a clamp is silent', async () => {
  const { sandbox, get } = await serve({ transactions: 450 });
  const all = idsOf(await get('/transactions?limit=1000'));
  expect(all).toHaveLength(450);
  expect(idsOf(await get('/transactions'))).toEqual(all.slice(0, 200));
  expect(idsOf(await get('/transactions?offset=430'))).toEqual(all.slice(430));
  expect(idsOf(await get('/transactions?limit=7&offset=3'))).toEqual(all.slice(3, 10));
  expect(errorOf(await get('/transactions?offset=450'))).toBe('400 TXN-02');
  expect(sandbox.world.balances('all').length).toBeGreaterThan(20);

  const clamped = await serve({ transactions: 450, maxLimit: 100, defaultLimit: { others: 10 } });
  expect(idsOf(await clamped.get('/transactions?limit=400'))).toHaveLength(100);
  expect((await clamped.get('/balances')).json.balance).toHaveLength(10);
});

test.each(['0', '-1', 'ten', '1.5', '', '1e3', ' 5'])('limit=%j is ERR-00', async (value) => {
  const { get } = await serve();
  expect(errorOf(await get(`/transactions?limit=${encodeURIComponent(value)}`))).toBe('400 ERR-00');
  expect(errorOf(await get(`/balances?limit=${encodeURIComponent(value)}`))).toBe('400 ERR-00');
  if (value !== '0') expect(errorOf(await get(`/transactions?offset=${value}`))).toBe('400 ERR-00');
});

test('every filter of section 4.1 selects exactly what a plain filter selects', async () => {
  const { sandbox, get } = await serve({ transactions: 600 });
  const truth = [...sandbox.world.transactions()].reverse();
  const check = async (parameter: string, value: string, field: keyof TransactionRecord): Promise<void> => {
    const expected = truth.filter((record) => record[field] === value).map((record) => record.transactionId);
    expect(expected.length).toBeGreaterThan(0);
    const query = new URLSearchParams({ [parameter]: value, limit: '1000' });
    expect(idsOf(await get(`/transactions?${query}`))).toEqual(expected);
  };
  const sample = truth.find((record) => record.transactionType === 'withdraw');
  if (sample === undefined) throw new Error('no withdrawal');
  await check('transaction_id', sample.transactionId, 'transactionId');
  await check('source_id', sample.sourceId, 'sourceId');
  await check('source_address', sample.sourceAddress, 'sourceAddress');
  await check('asset_id', sample.assetId, 'assetId');
  await check('network_id', sample.networkId, 'networkId');
  await check('destination_id', sample.destinationId, 'destinationId');
  await check('destination_address', sample.destinationAddress, 'destinationAddress');
  for (const type of transactionTypes) await check('transaction_type', type, 'transactionType');
  for (const status of statuses) await check('status', status, 'status');

  const both = truth.filter((r) => r.assetId === sample.assetId && r.status === 'completed');
  const ids = idsOf(await get(`/transactions?asset_id=${sample.assetId}&status=completed&limit=1000`));
  expect(ids).toEqual(both.map((record) => record.transactionId));
});

test('start_date and end_date take ISO dates and date-times, and a bad range is TXN-03', async () => {
  const { sandbox, get } = await serve({ transactions: 600 });
  const truth = [...sandbox.world.transactions()].reverse();
  const from = new Date(truth[400]?.createdAt ?? 0).toISOString();
  const to = new Date(truth[100]?.createdAt ?? 0).toISOString();
  const between = (low: string, high: string): string[] =>
    truth
      .filter((record) => record.createdAt >= Date.parse(low) && record.createdAt <= Date.parse(high))
      .map((record) => record.transactionId);
  expect(idsOf(await get(`/transactions?limit=1000&start_date=${from}&end_date=${to}`))).toEqual(
    between(from, to),
  );
  const day = from.slice(0, 10);
  const wholeDay = between(`${day}T00:00:00.000Z`, `${day}T23:59:59.999Z`);
  expect(idsOf(await get(`/transactions?limit=1000&start_date=${day}&end_date=${day}`))).toEqual(wholeDay);
  expect(errorOf(await get(`/transactions?start_date=${to}&end_date=${from}`))).toBe('400 TXN-03');
  for (const bad of ['yesterday', '2026-02-31', '2026-13-01', '12/31/2025', '']) {
    expect(errorOf(await get(`/transactions?start_date=${bad}`))).toBe('400 TXN-03');
  }
  expect(errorOf(await get('/transactions?end_date=1999-01-01'))).toBe('400 TXN-02');
});

test('values outside the enumerations, repeated parameters and what matches nothing have their codes', async () => {
  const { get } = await serve();
  expect(errorOf(await get('/transactions?transaction_type=loan'))).toBe('400 TXN-00');
  expect(errorOf(await get('/transactions?transaction_type=changepool'))).toBe('400 TXN-00');
  expect(errorOf(await get('/transactions?status=done'))).toBe('400 TXN-01');
  expect(errorOf(await get('/transactions?status='))).toBe('400 TXN-01');
  expect(errorOf(await get('/transactions?asset_id=NONE'))).toBe('400 TXN-02');
  expect(errorOf(await get('/transactions?status=failed&status=failed'))).toBe('400 ERR-00');
  expect((await get('/transactions?surprise=1')).status).toBe(200);
  const strict = await serve({ unknownParameters: 'refused' });
  expect(errorOf(await strict.get('/transactions?surprise=1'))).toBe('400 ERR-00');
});

test('one transaction by id, under the spellings that are switched on; the other is a plain 404', async () => {
  const { sandbox, get } = await serve();
  const [record] = [...sandbox.world.transactions()];
  const id = record?.transactionId ?? '';
  expect(idsOf(await get(`/transactions/${id}`))).toEqual([id]);
  expect(idsOf(await get(`/transaction/${id}`))).toEqual([id]);
  for (const wrong of [
    'nothing',
    `${id}0`,
    id.replace(/.$/, 'x'),
    '00000000-0000-0000-0000-000000000000',
    '%00',
  ]) {
    expect(errorOf(await get(`/transactions/${wrong}`))).toBe('400 TXN-04');
  }
  expect(errorOf(await get('/transactions/%E0%A4%A'))).toBe('400 ERR-00');
  for (const [byIdPath, served, other] of [
    ['plural', 'transactions', 'transaction'],
    ['singular', 'transaction', 'transactions'],
  ] as const) {
    const one = await serve({ byIdPath });
    expect((await one.get(`/${served}/${id}`)).status).toBe(200);
    const missing = await one.get(`/${other}/${id}`);
    expect([missing.status, missing.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  }
});
