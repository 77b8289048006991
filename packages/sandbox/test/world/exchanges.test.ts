import { expect, test } from 'vitest';
import { idsOf, type Served, serve } from '../../../../test/support/served-sandbox.ts';
import { createSandbox } from '../../src/sandbox.ts';
import { listOrders } from '../../src/world/order-keys.ts';

const now = () => Date.UTC(2026, 0, 15, 12);

const steadyOrders = listOrders.filter((order) => order !== 'shuffled');

/** All ids in the order served, read in pages of 100 records. */
async function listed({ get }: Served): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const answer = await get(`/transactions?limit=100&offset=${ids.length}`);
    if (answer.status !== 200) return ids;
    ids.push(...idsOf(answer));
  }
}

/** The positions at which two lists differ. */
function differences(before: readonly string[], after: readonly string[]): number[] {
  return before.flatMap((id, position) => (after[position] === id ? [] : [position]));
}

test.each(steadyOrders)(
  '%s: two records exchanged by hand change places, and nothing else does',
  async (order) => {
    const served = await serve({ order });
    const { world } = served.sandbox;
    const before = await listed(served);
    const records = before.map((id) => world.transaction(id));
    world.exchange(99, 100);
    world.exchange(3, 250);
    const after = await listed(served);
    expect(differences(before, after)).toEqual([3, 99, 100, 250]);
    expect([after[3], after[99], after[100], after[250]]).toEqual(
      [250, 100, 99, 3].map((position) => before[position]),
    );
    expect(before.map((id) => world.transaction(id))).toEqual(records);
    expect(await listed(served)).toEqual(after);
    world.exchange(3, 250);
    expect(differences(before, await listed(served))).toEqual([99, 100]);
  },
);

test('ties change places at every n-th request for the list, the n-th included, and at no other request', async () => {
  const served = await serve({ exchangeTies: 3, transactions: 80 });
  const { get, sandbox } = served;
  const page = async (): Promise<string[]> => idsOf(await get('/transactions'));
  const first = await page();
  for (const path of ['/balances', '/vaults', `/transactions/${first[0]}`, '/transactions?status=x'])
    await get(path);
  expect(await page()).toEqual(first);
  const third = await page();
  const moved = differences(first, third);
  expect(moved).toHaveLength(2);
  expect((moved[1] ?? 0) - (moved[0] ?? 0)).toBe(1);
  expect(await page()).toEqual(third);
  await get('/transactions?status=completed');
  expect(sandbox.world.exchanges.made).toBe(1);
  expect(await page()).not.toEqual(third);
  expect(sandbox.world.exchanges.made).toBe(2);
});

test('where a time orders the list, only records that tie change places', () => {
  for (const order of ['by-time', 'by-asset'] as const) {
    const { world } = createSandbox({ now, order, transactions: 400, exchangeTies: 1, exchangeDistance: 50 });
    const ties = (): string[] =>
      [...world.transactions()].map((record) => {
        const day = Math.floor(record.createdAt / 86_400_000);
        return order === 'by-time' ? `${day}` : `${record.assetId} ${day}`;
      });
    const before = ties();
    const rows = [...world.lists.rows()];
    for (let i = 0; i < 500; i += 1) world.exchanges.requested();
    expect(world.exchanges.made).toBe(500);
    expect([...world.lists.rows()]).not.toEqual(rows);
    expect(ties()).toEqual(before);
  }
});

test('settings and positions that make no sense are refused by name', () => {
  expect(() => createSandbox({ exchangeTies: -1 })).toThrow(/exchangeTies/);
  expect(() => createSandbox({ exchangeDistance: 0 })).toThrow(/exchangeDistance/);
  expect(() => createSandbox({ tieSeconds: 0.5 })).toThrow(/tieSeconds/);
  expect(() => createSandbox({ order: 'shuffled', exchangeTies: 1 })).toThrow(/exchangeTies.*shuffled/);
  const { world } = createSandbox({ transactions: 10 });
  expect(() => world.exchanges.set({ exchangeTies: 1.5 })).toThrow(/exchangeTies/);
  for (const position of [-1, 10, 0.5]) expect(() => world.exchange(0, position)).toThrow(RangeError);
  expect(() => createSandbox({ order: 'shuffled' }).world.exchange(0, 1)).toThrow(/shuffled/);
  const empty = createSandbox({ transactions: 0, exchangeTies: 1 }).world;
  empty.exchanges.requested();
  expect(empty.exchanges.made).toBe(0);
});
