import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findTransactions } from '../../../src/custody/decode/lists.ts';
import { transactionDecoder } from '../../../src/custody/decode/records.ts';
import type { ListItem } from '../../../src/domain/page.ts';
import type { Transaction } from '../../../src/domain/transaction.ts';
import { transactionRecord } from '../../support/wire-records.ts';
import { decode } from './decoding.ts';

const read = (text: string) => decode(text, findTransactions, transactionDecoder);
const readOne = (record: unknown) => read(JSON.stringify({ transactions: [record] }));
const withDetails = (details: Record<string, unknown>) => {
  const record = transactionRecord('t-1');
  return { ...record, transaction: { ...record.transaction, ...details } };
};
const recordOf = (item: ListItem<Transaction> | undefined): Transaction => {
  if (item?.kind !== 'record') throw new Error(`not decoded: ${JSON.stringify(item)}`);
  return item.record;
};

test('a record with the documented names is read field by field, with nothing to tolerate', () => {
  const { items, deviations } = readOne(transactionRecord('t-1'));
  expect(deviations).toEqual({});
  const { raw, contentHash, ...fields } = recordOf(items?.[0]);
  expect(fields).toEqual({
    transactionId: 't-1',
    status: 'completed',
    transactionType: 'withdraw',
    assetId: 'BTC',
    assetName: 'Bitcoin',
    networkId: 'BTC',
    networkName: 'Bitcoin Network',
    amount: '1.50000000',
    fee: '0.00012000',
    sourceType: 'vault',
    sourceId: 'v-1',
    sourceName: 'Treasury',
    sourceAddress: 'bc1qsource',
    destinationType: 'whitelist',
    destinationId: 'w-1',
    destinationName: 'Exchange',
    destinationAddress: 'bc1qdestination',
    destinationMemo: '',
    txnHash: '0xabc',
    blockexplorerLink: 'https://explorer.example/0xabc',
    note: '',
    sourceTimestamp: '2024-05-06T07:08:09.123Z',
  });
  expect(JSON.parse(raw)).toEqual(transactionRecord('t-1'));
  expect(contentHash).toMatch(/^[\w-]{43}$/);
  expect(items?.[0]).toMatchObject({ key: 't-1', hash: contentHash });
});

const base = transactionRecord('t-1');
const { source, destination } = base.transaction;
const tolerated: readonly [string, unknown, Partial<Transaction>][] = [
  ['id-alias', { ...base, transaction_id: undefined, id: 'x-9' }, { transactionId: 'x-9' }],
  [
    'vault-id-alias',
    withDetails({ source: { ...source, source_id: undefined, vault_id: 'v-9' } }),
    { sourceId: 'v-9' },
  ],
  [
    'stakepool',
    withDetails({ destination: { ...destination, destination_type: 'stakepool' } }),
    { destinationType: 'stake pool' },
  ],
  ['changepool', withDetails({ transaction_type: 'changepool' }), { transactionType: 'change pool' }],
  ['amount-number', withDetails({ amount: 1.5 }), { amount: '1.5' as Transaction['amount'] }],
  ['amount-empty', withDetails({ fee: '' }), { fee: null }],
  ['amount-form', withDetails({ fee: ' 007 ' }), { fee: '7' as Transaction['fee'] }],
  [
    'transaction-flat',
    { ...base, transaction: undefined, ...base.transaction },
    { assetId: 'BTC', sourceId: 'v-1' },
  ],
  ['transaction-missing', { ...base, transaction: null }, { assetId: null, amount: null, sourceType: null }],
  ['source-unreadable', withDetails({ source: 'v-1' }), { sourceId: null, destinationId: 'w-1' }],
  ['destination-unreadable', withDetails({ destination: [] }), { sourceId: 'v-1', destinationId: null }],
  ['text-number', withDetails({ network_id: 1 }), { networkId: '1' }],
  ['text-boolean', withDetails({ note: true }), { note: 'true' }],
  ['text-structured', withDetails({ note: { a: 1 } }), { note: null }],
  ['text-unstorable', withDetails({ note: 'a\u0000b\ud800' }), { note: 'a\\u0000b\\ud800' }],
  ['timestamp-unreadable', { ...base, timestamp: '2024-02-30T00:00:00Z' }, { sourceTimestamp: null }],
  [
    'timestamp-without-offset',
    { ...base, timestamp: '2024-02-29T00:00:00.5' },
    { sourceTimestamp: '2024-02-29T00:00:00.5Z' },
  ],
];
test.each(tolerated)('%s is tolerated and counted', (deviation, record, expected) => {
  const { items, deviations } = readOne(record);
  expect(recordOf(items?.[0])).toMatchObject(expected);
  expect(deviations).toEqual({ [deviation]: 1 });
});

const undecodable: readonly [string, unknown, string, string | null][] = [
  ['no object', 'text', 'the record is not an object', null],
  ['null', null, 'the record is not an object', null],
  ['no id', { ...base, transaction_id: '' }, 'the record has no transaction_id', null],
  ['no status', { ...base, status: undefined }, 'the record has no status', 't-1'],
  ['an empty status', { ...base, status: '' }, 'the record has no status', 't-1'],
  ['details that are a list', { ...base, transaction: [] }, 'transaction is not an object', 't-1'],
  ['NaN', withDetails({ amount: 'NaN' }), 'amount is not an amount: "NaN"', 't-1'],
  ['Infinity', withDetails({ fee: '-Infinity' }), 'fee is not an amount: "-Infinity"', 't-1'],
  ['words', withDetails({ amount: '1,000.00' }), 'amount is not an amount: "1,000.00"', 't-1'],
  [
    '201 digits',
    withDetails({ amount: '9'.repeat(201) }),
    `amount is not an amount: "${'9'.repeat(40)}…"`,
    't-1',
  ],
  [
    '201 digits after the point',
    withDetails({ fee: `0.${'9'.repeat(201)}` }),
    `fee is not an amount: "0.${'9'.repeat(38)}…"`,
    't-1',
  ],
  ['a truth', withDetails({ amount: true }), 'amount is not decimal text', 't-1'],
  [
    'U+0000 in the id',
    { ...base, transaction_id: 'a\u0000' },
    'transaction_id holds U+0000 or a lone surrogate',
    null,
  ],
  [
    'half a pair in the status',
    { ...base, status: '\udc00' },
    'status holds U+0000 or a lone surrogate',
    't-1',
  ],
  [
    'U+0000 in the asset',
    withDetails({ asset_id: '\u0000' }),
    'asset_id holds U+0000 or a lone surrogate',
    't-1',
  ],
  [
    'U+0000 in the type',
    withDetails({ transaction_type: '\u0000' }),
    'transaction_type holds U+0000 or a lone surrogate',
    't-1',
  ],
];
test.each(undecodable)(
  '%s is set aside with the reason, and its neighbours are read',
  (_, record, reason, key) => {
    const { items } = read(
      JSON.stringify({ transactions: [transactionRecord('before'), record, transactionRecord('after')] }),
    );
    expect(items?.map((item) => item.kind)).toEqual(['record', 'undecodable', 'record']);
    const item = items?.[1];
    expect(item).toMatchObject({ kind: 'undecodable', reason });
    expect(item?.key).toBe(key ?? item?.hash);
  },
);

test('a record nested too deeply is set aside; what is above the depth is shown', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const text = JSON.stringify({ transactions: [base, { ...base, extra: 'DEEP' }, base, 'DEEP'] });
  const { items } = read(text.replaceAll('"DEEP"', deep));
  expect(items?.map((item) => item.kind)).toEqual(['record', 'undecodable', 'record', 'undecodable']);
  expect(items?.[1]).toMatchObject({
    key: 't-1',
    reason: 'the record is nested deeper than 100 levels (CUSTODY_RECORD_DEPTH)',
  });
});

test('unknown fields, values and numbers stay in raw as they came', () => {
  const text = JSON.stringify(base).replace(
    '"status"',
    '"new":{"n":0.1000000000000000055511151231257827,"big":12345678901234567890,"e":1E400},"status"',
  );
  const { items } = read(`{"transactions":[${text}]}`);
  expect(recordOf(items?.[0]).raw).toBe(text);
  const unknown = readOne(withDetails({ transaction_type: 'teleport' }));
  expect(recordOf(unknown.items?.[0]).transactionType).toBe('teleport');
});

test('keys that are special to JavaScript or twice in an object neither pollute nor are lost', () => {
  const text = `{"transaction_id":"t","status":"failed","__proto__":{"polluted":true},"constructor":1,"a":1,"a":2}`;
  const { items } = read(`{"transactions":[${text}]}`);
  expect(recordOf(items?.[0]).raw).toBe(
    `{"transaction_id":"t","status":"failed","__proto__":{"polluted":true},"constructor":1,"a":2}`,
  );
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

test('a list without its envelope, one record in it, or the record alone is found', () => {
  const record = JSON.stringify(base);
  expect(read(`[${record}]`)).toMatchObject({ items: [{ key: 't-1' }], deviations: { 'list-bare': 1 } });
  expect(read(`{"transactions":${record}}`)).toMatchObject({
    items: [{ key: 't-1' }],
    deviations: { 'list-single': 1 },
  });
  expect(read(record)).toMatchObject({ items: [{ key: 't-1' }], deviations: { 'record-bare': 1 } });
  for (const text of ['{}', '"text"', 'null', '{"transactions":"none"}', '{"data":[]}'])
    expect(read(text).items).toBeNull();
});

test('any JSON at all is read without a fault, and every amount is what the text said', () => {
  const field = fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' }), fc.constant(undefined));
  const record = fc.record({
    transaction_id: field,
    id: field,
    timestamp: field,
    status: field,
    transaction: fc.oneof(
      field,
      fc.record({
        amount: field,
        fee: field,
        asset_id: field,
        source: field,
        destination: field,
        note: field,
      }),
    ),
  });
  fc.assert(
    fc.property(fc.array(fc.oneof(record, fc.jsonValue())), (records) => {
      const { items } = read(JSON.stringify({ transactions: records }));
      expect(items).toHaveLength(records.length);
      for (const item of items ?? []) {
        expect(item.hash).toMatch(/^[\w-]{43}$/);
        const raw = item.kind === 'record' ? item.record.raw : item.raw;
        expect(() => JSON.parse(raw)).not.toThrow();
        expect(JSON.stringify(JSON.parse(raw))).not.toMatch(/(?<!\\)(\\\\)*\\u(0000|d[89a-f])/);
      }
    }),
  );
});
