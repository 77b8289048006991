import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sized } from '../../../../test/support/form.ts';
import { createSandbox } from '../../src/sandbox.ts';
import { permute32, shuffledIndex, unpermute32 } from '../../src/values/random.ts';
import { createQuirks } from '../../src/wire/quirks.ts';
import { TransactionWriter, writeTransaction } from '../../src/wire/transaction-writer.ts';
import type { RecordFilter } from '../../src/world/lists.ts';
import { Lists } from '../../src/world/lists.ts';
import type { ListOrder } from '../../src/world/order-keys.ts';
import { Parties } from '../../src/world/parties.ts';
import type { TransactionRecord } from '../../src/world/records.ts';
import { TransactionTable } from '../../src/world/transaction-table.ts';
import type { World } from '../../src/world/world.ts';

function page(world: World, filter: RecordFilter, order: ListOrder, offset = 0, limit = 1e6): string[] {
  return world.lists.page(filter, order, offset, limit, 1).map((row) => world.table.idOf(row));
}

test('filtered views equal a plain filter over all records, whatever happens in between', () => {
  fc.assert(
    fc.property(
      fc.nat(),
      fc.constantFrom<ListOrder>('newest-first', 'oldest-first', 'updated-first', 'by-time', 'by-asset'),
      fc.array(fc.tuple(fc.nat({ max: 5 }), fc.nat()), { maxLength: 40 }),
      (seed, order, actions) => {
        const sandbox = createSandbox({ seed, transactions: 120, order, newPerMinute: 600 });
        const { world } = sandbox;
        const filters: [RecordFilter, (record: TransactionRecord) => boolean][] = [
          [{ status: 'completed' }, (record) => record.status === 'completed'],
          [{ status: 'pending' }, (record) => record.status === 'pending'],
          [
            { transactionType: 'deposit', assetId: 'ETH' },
            (r) => r.transactionType === 'deposit' && r.assetId === 'ETH',
          ],
          [{ networkId: 'ETH' }, (record) => record.networkId === 'ETH'],
        ];
        for (const [action, pick] of actions) {
          const ids = page(world, {}, order);
          const id = ids[pick % ids.length] ?? '';
          if (action === 0) sandbox.advance(1);
          if (action === 1)
            world.insertTransaction(pick % 2 === 0 ? 'head' : 'tail', { status: 'completed' });
          if (action === 2) world.alterTransaction(id, { status: pick % 2 === 0 ? 'pending' : 'completed' });
          if (action === 3) world.alterTransaction(id, { networkId: 'ETH' });
          if (action === 4 && ids.length > 50) world.removeTransaction(id);
          if (action === 5) world.exchange(pick % 50, (pick * 7) % 50);
          const all = page(world, {}, order).map((known) => world.transaction(known));
          const [filter, matches] = filters[pick % filters.length] ?? [{}, () => true];
          const expected = all.filter((record) => record !== undefined && matches(record));
          expect(page(world, filter, order)).toEqual(expected.map((record) => record?.transactionId));
        }
      },
    ),
    { numRuns: sized({ short: 8, long: 100 }) },
  );
});

test('orders: newest and oldest mirror each other, updated-first brings changes to the head, shuffled differs', () => {
  const { world } = createSandbox({ transactions: 50, order: 'updated-first' });
  const newest = page(world, {}, 'newest-first');
  expect(page(world, {}, 'oldest-first')).toEqual([...newest].reverse());
  const last = newest.at(-1) ?? '';
  world.alterTransaction(last, { note: 'touched' });
  expect(page(world, {}, 'updated-first')[0]).toBe(last);
  const shuffled = (request: number): string[] =>
    world.lists.page({}, 'shuffled', 0, 50, request).map((row) => world.table.idOf(row));
  expect(shuffled(1)).not.toEqual(shuffled(2));
  expect([...shuffled(1)].sort()).toEqual([...newest].sort());
});

test('rows of a filled table that drew the same key are all listed, one after the other', () => {
  const table = new TransactionTable(1, 4, new Parties(1));
  const common = { type: 0, status: 0, asset: 0, source: 0, destination: 0, amount: 1n, fee: 0n, note: 0 };
  for (const key of [7, 5, 5, 5]) table.append({ ...common, createdAt: 0 }, key);
  const lists = new Lists(table, 4);
  lists.fill();
  expect([...lists.rows()].sort()).toEqual([0, 1, 2, 3]);
  expect([...lists.rows()].map((row) => table.columns.key[row])).toEqual([5, 6, 7, 8]);
});

test('permutations can be inverted and shuffles lose nothing', () => {
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 1, max: 200 }), (key, length) => {
      expect(unpermute32(permute32(length, key), key)).toBe(length);
      const places = Array.from({ length }, (_, index) => shuffledIndex(index, length, key));
      expect(new Set(places).size).toBe(length);
      expect(Math.max(...places)).toBe(length - 1);
    }),
  );
});

test('the fast way of writing a record equals the plain way', () => {
  const { world, quirks } = createSandbox({ seed: 21, transactions: 1500 });
  const writer = new TransactionWriter(world.table, quirks);
  for (const row of world.lists.rows()) {
    const plain = writeTransaction(world.table.record(row), 'T', createQuirks({}, 1));
    expect(writer.envelope([row], 'T').toString()).toBe(`{"transactions":[${plain}]}`);
  }
  const rows = [...world.lists.rows()];
  expect(JSON.parse(writer.envelope(rows, 'T').toString()).transactions).toHaveLength(1500);
  expect(writer.envelope([], 'T').toString()).toBe('{"transactions":[]}');
});
