/** The orders by a time that leaves ties. */
import { expect, test } from 'vitest';
import { idsOf, serve } from '../../../../test/support/served-sandbox.ts';
import type { SandboxOptions } from '../../src/options.ts';
import { createSandbox } from '../../src/sandbox.ts';
import type { TransactionRecord } from '../../src/world/records.ts';
import type { World } from '../../src/world/world.ts';

const NOW = Date.UTC(2026, 0, 15, 12);
const DAY = 86_400_000;

function worldOf(options: SandboxOptions): World {
  return createSandbox({ transactions: 300, now: () => NOW, ...options }).world;
}

/** The list as it is served, first record first. */
function served(world: World): TransactionRecord[] {
  return [...world.transactions()].reverse();
}

function descends(numbers: readonly number[]): boolean {
  return numbers.every((number, index) => index === 0 || number <= (numbers[index - 1] ?? 0));
}

const times = (records: readonly TransactionRecord[], unit: number): number[] =>
  records.map(({ createdAt }) => Math.floor(createdAt / unit));

test('by-time serves the newest day first, and the records of one day in no order', async () => {
  const { sandbox, get } = await serve({ order: 'by-time', now: () => NOW });
  const records = idsOf(await get('/transactions?limit=300')).map((id) => sandbox.world.transaction(id));
  const known = records.filter((record) => record !== undefined);
  expect(known).toHaveLength(300);
  expect(descends(times(known, DAY))).toBe(true);
  expect(descends(times(known, 1))).toBe(false);
  expect(new Set(times(known, DAY)).size).toBeLessThan(100);
});

test('tieSeconds says which records tie', () => {
  const hours = served(worldOf({ order: 'by-time', tieSeconds: 3600, transactions: 20_000 }));
  expect(descends(times(hours, 3_600_000))).toBe(true);
  expect(descends(times(hours, 60_000))).toBe(false);
  const seconds = served(worldOf({ order: 'by-time', tieSeconds: 1 }));
  expect(descends(times(seconds, 1000))).toBe(true);
  const all = served(worldOf({ order: 'by-time', tieSeconds: 2 ** 31 }));
  expect(descends(times(all, DAY))).toBe(false);
});

test('by-asset serves asset by asset, the newest day first within each', () => {
  const records = served(worldOf({ order: 'by-asset', transactions: 2000 }));
  const assets = [...new Set(records.map(({ assetId }) => assetId))];
  expect(assets).toEqual([...assets].sort());
  expect(assets.length).toBeGreaterThan(20);
  expect(records.map(({ assetId }) => assets.indexOf(assetId))).toEqual(
    assets.flatMap((asset, index) => records.filter(({ assetId }) => assetId === asset).map(() => index)),
  );
  for (const asset of assets)
    expect(
      descends(
        times(
          records.filter(({ assetId }) => assetId === asset),
          DAY,
        ),
      ),
    ).toBe(true);
});

test('a new record takes an arbitrary place among those of its time, however many tie', () => {
  for (const order of ['by-time', 'by-asset'] as const) {
    const world = worldOf({ order, tieSeconds: 1, transactions: 50 });
    const ids = Array.from(
      { length: 3000 },
      () => world.insertTransaction('head', { assetId: 'BTC' }).transactionId,
    );
    expect(world.transactionCount()).toBe(3050);
    const known = new Set(ids);
    const listed = served(world).filter(({ transactionId }) => known.has(transactionId));
    expect(listed).toHaveLength(3000);
    expect(listed.map(({ transactionId }) => transactionId)).not.toEqual([...ids].reverse());
    expect(new Set(served(world).map(({ transactionId }) => transactionId)).size).toBe(3050);
  }
});

test('the time of a record decides its place, and moves it when it changes', () => {
  const world = worldOf({ order: 'by-time' });
  const idAt = (position: number): string => served(world).at(position)?.transactionId ?? '';
  const tail = world.insertTransaction('tail');
  expect(idAt(-1)).toBe(tail.transactionId);
  const later = world.insertTransaction('tail', { createdAt: NOW + 2 * DAY });
  expect(idAt(0)).toBe(later.transactionId);
  world.alterTransaction(tail.transactionId, { createdAt: NOW + 4 * DAY });
  expect([idAt(0), idAt(1)]).toEqual([tail.transactionId, later.transactionId]);
  const before = served(world).map(({ transactionId }) => transactionId);
  world.alterTransaction(before[40] ?? '', { status: 'failed', note: 'altered' });
  expect(served(world).map(({ transactionId }) => transactionId)).toEqual(before);
});

test('an asset that changes moves its record; one that no catalogue has comes last', () => {
  const world = worldOf({ order: 'by-asset' });
  const { transactionId } = served(world).at(0) ?? { transactionId: '' };
  world.alterTransaction(transactionId, { assetId: 'AAA-made-up' });
  expect(served(world).at(-1)?.transactionId).toBe(transactionId);
});
