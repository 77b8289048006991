// The budget of a record: one that is too large goes to quarantine with its beginning and digest, and its
// neighbours are decoded.
import { expect, test } from 'vitest';
import { clientOf, errorOf, newCall, serve } from '../support/custody-service.ts';
import { sampled } from '../support/form.ts';
import { transactionRecord } from '../support/wire-records.ts';

const neighbour = (id: string) => JSON.stringify(transactionRecord(id));
const large = {
  'empty arrays': `[${'[],'.repeat(200_000)}[]]`,
  'empty objects': `{"transaction_id":"t-9","x":[${'{},'.repeat(200_000)}{}]}`,
  members: `{${Array.from({ length: 100_000 }, (_, index) => `"m${index}":1`).join(',')}}`,
  'long text': JSON.stringify({ transaction_id: 't-9', note: 'x'.repeat(2_000_000) }),
  'quotes and brackets in text': JSON.stringify({ transaction_id: 't-9', note: '"]},\\'.repeat(400_000) }),
  'few bytes, many members': `{"transaction_id":"t-9","x":[${'0,'.repeat(20_000)}0]}`,
};

async function answered(body: string, recordBudget = {}) {
  const service = await serve((_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(body),
  );
  return clientOf(service, { retries: 0, ...recordBudget }).client;
}

test('a record counts by the bytes that came, whatever its characters', async () => {
  // Escaped, it would be longer than a MiB.
  const note = 'x'.repeat(490_000) + '\u4e2d'.repeat(110_000);
  const text = JSON.stringify({ ...transactionRecord('t-9'), note });
  const { items } = await (await answered(`{"transactions":[${text}]}`)).transactions({}, newCall());
  expect(items.map(({ kind }) => kind)).toEqual(['record']);
  // It is stored as it was, in whatever form its text is.
  const [item] = items;
  expect(item?.kind === 'record' && JSON.parse(item.record.raw).note === note).toBe(true);
});

test.each(sampled(Object.entries(large), { every: 2 }))(
  'a record of %s goes to quarantine, its neighbours are read',
  async (_, text) => {
    for (const envelope of ['{"transactions":[*]}', '[*]']) {
      const body = envelope.replace('*', () => [neighbour('t-1'), text, neighbour('t-2')].join(' ,\n'));
      const client = await answered(body);
      const { items } = await client.transactions({}, newCall());
      expect(items.map(({ kind }) => kind)).toEqual(['record', 'undecodable', 'record']);
      const [, item] = items;
      if (item?.kind !== 'undecodable') throw new Error('it was decoded');
      expect(item.reason).toMatch(/CUSTODY_RECORD_(BYTES|MEMBERS)/);
      expect(JSON.parse(item.raw)).toMatchObject({ sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
      expect(item.raw.length).toBeLessThan(10_000);
      const again = await client.transactions({}, newCall());
      expect(again.items[1]?.key).toBe(item.key);
    }
  },
);

test('a record that is nested deeper than its budget goes to quarantine, its neighbours are read', async () => {
  // The depth alone goes beyond it: how many levels overflow the stack depends on the version of Node.js.
  const recordBudget = { bytes: 1_000_000, members: 1_000_000, depth: 20 };
  const nested = (levels: number) =>
    neighbour('t-2').replace(/}$/, `,"x":${'['.repeat(levels)}${']'.repeat(levels)}}`);
  const filling = neighbour('t-4').replace(/}$/, `,"y":"${'y'.repeat(900_000)}"}`);
  for (const others of [[], [filling, filling]]) {
    const body = (levels: number) =>
      `{"transactions":[${[neighbour('t-1'), nested(levels), neighbour('t-3'), ...others]}]}`;
    const readRecords = ['record', ...others.map(() => 'record')];
    const allowed = await (await answered(body(20), { recordBudget })).transactions({}, newCall());
    expect(allowed.items.map(({ kind }) => kind)).toEqual(['record', 'record', ...readRecords]);
    for (const levels of [21, 9_000, 400_000]) {
      const { items } = await (await answered(body(levels), { recordBudget })).transactions({}, newCall());
      expect(items.map(({ kind }) => kind)).toEqual(['record', 'undecodable', ...readRecords]);
      expect(items[1]).toMatchObject({ key: 't-2', reason: expect.stringContaining('CUSTODY_RECORD_DEPTH') });
    }
  }
});

const single = {
  ...Object.fromEntries(Object.entries(large).filter(([, text]) => text.startsWith('{'))),
  'many parts within the budget': `{"transaction_id":"t-9","x":[${`${neighbour('t-1')},`.repeat(5_000)}{}]}`,
};

test.each(sampled(Object.entries(single), { every: 2 }))(
  'one record of %s in the place of a list, or of the whole answer, goes there too',
  async (_, text) => {
    const id = `{"transaction_id":"t-9","vault_id":"t-9",${text.slice(1)}`;
    const read = [
      ['{"transactions":*}', 'transactions'],
      ['{"x":1,"vault":*}', 'vault'],
      ['*', 'vault'],
      ['*', 'transaction'],
    ] as const;
    for (const [envelope, operation] of read) {
      const client = await answered(envelope.replace('*', () => id));
      const ask = () =>
        operation === 'transactions'
          ? client.transactions({}, newCall())
          : client[operation]('t-9', newCall());
      const { items } = await ask();
      expect(items.map(({ kind }) => kind)).toEqual(['undecodable']);
      expect(items[0]).toMatchObject({ reason: expect.stringMatching(/CUSTODY_RECORD_(BYTES|MEMBERS)/) });
      expect((await ask()).items[0]?.key).toBe(items[0]?.key);
    }
  },
);

test('an answer of more than 700,000 members is refused, unless a record may have as many', async () => {
  const body = `{"transactions":[{"transaction_id":"t-1","x":[${'[],'.repeat(500_000)}[]]}]}`;
  const { fault, message } = await errorOf((await answered(body)).transactions({}, newCall()));
  expect(fault).toMatchObject({ kind: 'permanent', code: 'BODY-TOO-LARGE' });
  expect(message).toContain('the answer holds more than 700000 members');
  const recordBudget = { bytes: 1_000_000, members: 2_000_000, depth: 100 };
  const { items } = await (await answered(body, { recordBudget })).transactions({}, newCall());
  expect(items).toMatchObject([{ reason: expect.stringContaining('CUSTODY_RECORD_BYTES') }]);
});
