// Answers with bytes that are not UTF-8: the records that hold them are set aside, their neighbours are read.
import { expect, test } from 'vitest';
import { clientOf, errorOf, newCall, serve } from '../../support/custody-service.ts';
import { transactionRecord } from '../../support/wire-records.ts';

/** The text with `<ff>` and the like as single bytes. */
function bytesOf(text: string): Buffer {
  const parts = text.split(/<([0-9a-f]{2})>/);
  return Buffer.concat(parts.map((part, index) => Buffer.from(part, index % 2 === 0 ? 'utf8' : 'hex')));
}

async function read(...records: readonly unknown[]) {
  const body = bytesOf(JSON.stringify({ transactions: records }));
  const service = await serve((_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(body),
  );
  const { client, tolerated } = clientOf(service, { retries: 0 });
  const { items } = await client.transactions({}, newCall());
  return { items, tolerated: await tolerated() };
}

const reason = 'the record holds bytes that are not UTF-8';

test('records with bytes that are not UTF-8 are set aside, next to those that can be read', async () => {
  const { items, tolerated } = await read(
    transactionRecord('before'),
    transactionRecord('a<ff>'),
    { ...transactionRecord('t-1'), unknown: [{ deep: '<c3>(' }] },
    { ...transactionRecord('t-2'), 'na<80>me': 1.5 },
    { ...transactionRecord('t-3'), status: 'comp<e2><82>leted' },
    transactionRecord('after'),
  );
  expect(items.map((item) => [item.kind, item.kind === 'record' ? item.key : item.reason])).toEqual([
    ['record', 'before'],
    ...Array(4).fill(['undecodable', reason]),
    ['record', 'after'],
  ]);
  // The id names a record where only another text is spoilt.
  expect(items.slice(2, 5).map(({ key }) => key)).toEqual(['t-1', 't-2', 't-3']);
  const raws = items.map((item) => (item.kind === 'record' ? '' : item.raw));
  expect(raws[1]).toContain('"transaction_id":"a\ufffd"');
  expect(raws[2]).toContain('{"deep":"\ufffd("}');
  expect(raws[3]).toContain('"na\ufffdme":1.5');
  expect(tolerated).toEqual({ 'invalid-utf8': 1 });
});

test('the character that stands for such bytes is one like any other where all bytes are UTF-8', async () => {
  const { items } = await read(transactionRecord('a\ufffd'));
  expect(items).toMatchObject([{ kind: 'record', key: 'a\ufffd' }]);
});

test('the key of a spoilt record does not depend on what else stands on its page', async () => {
  const alone = await read({ id: 'a<ff>', b: 1 });
  const among = await read({ id: '\ue000\ue001' }, { b: 1, id: 'a<ff>' }, { id: '\ue002<ff>' });
  expect(among.items[1]?.key).toBe(alone.items[0]?.key);
});

test('bytes outside of any text are no answer', async () => {
  const body = bytesOf('{"transactions":[<ff>]}');
  const service = await serve((_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(body),
  );
  const { client } = clientOf(service, { retries: 0 });
  expect((await errorOf(client.transactions({}, newCall()))).fault).toMatchObject({ code: 'BAD-BODY' });
});

test('an error is understood, and its words shown, although a byte of them is no UTF-8', async () => {
  const service = await serve((_, response) =>
    response.writeHead(400).end(bytesOf('{"error_code":"TXN-03","error_message":"d<e9>but"}')),
  );
  const { fault, message } = await errorOf(clientOf(service).client.transactions({}, newCall()));
  expect(fault.code).toBe('TXN-03');
  expect(message).toContain('d\ufffdbut');
});

test('a byte order mark is left out', async () => {
  const body = bytesOf(`\ufeff${JSON.stringify({ transactions: [transactionRecord('t-1')] })}`);
  const service = await serve((_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(body),
  );
  expect((await clientOf(service).client.transactions({}, newCall())).items).toHaveLength(1);
});
