import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sized } from '../../../../test/support/form.ts';
import type { SandboxOptions } from '../../src/options.ts';
import type { Sandbox } from '../../src/sandbox.ts';
import { createSandbox } from '../../src/sandbox.ts';
import { isOpen, statuses } from '../../src/world/records.ts';
import { bookkeep, units } from './balances-from-transactions.ts';

const NOW = Date.UTC(2026, 0, 15, 12);

function sandboxOf(options: SandboxOptions): Sandbox {
  return createSandbox({ now: () => NOW, ...options });
}

function expectBooksToAgree({ world }: Sandbox): void {
  const books = bookkeep(world);
  let listed = 0;
  for (const type of ['warm', 'cold', 'all'] as const) {
    for (const balance of world.balances(type)) {
      const sums = books.get(`${type} ${balance.assetId}`);
      listed += 1;
      const label = `${type} ${balance.assetId}`;
      expect(sums, label).toEqual({
        total: units(balance.total),
        available: units(balance.available),
        processing: units(balance.processing),
        staking: units(balance.staking),
        claimable: units(balance.claimable),
      });
    }
  }
  // Nothing is booked that the balances do not list; what is listed without a booking was compared above.
  expect(listed).toBeGreaterThanOrEqual(books.size);
}

function expectNothingNegative({ world }: Sandbox): void {
  for (const type of ['warm', 'cold'] as const) {
    expect(JSON.stringify(world.balances(type))).not.toContain('"-');
  }
}

test('balances agree with the transactions for every seed, at the start and while the world evolves', () => {
  fc.assert(
    fc.property(
      fc.nat(),
      fc.integer({ min: 0, max: 400 }),
      fc.integer({ min: 0, max: 80 }),
      (seed, count, steps) => {
        const sandbox = sandboxOf({ seed, transactions: count, newPerMinute: 120 });
        expectBooksToAgree(sandbox);
        expectNothingNegative(sandbox);
        sandbox.advance(steps);
        expectBooksToAgree(sandbox);
        expectNothingNegative(sandbox);
      },
    ),
    { numRuns: sized({ short: 8, long: 100 }) },
  );
});

test('balances agree after transactions are inserted, altered and removed by hand', () => {
  fc.assert(
    fc.property(
      fc.nat(),
      fc.array(fc.tuple(fc.nat({ max: 5 }), fc.nat()), { maxLength: 40 }),
      (seed, actions) => {
        const sandbox = sandboxOf({ seed, transactions: 60 });
        const { world } = sandbox;
        for (const [action, pick] of actions) {
          const records = [...world.transactions()];
          const id = records[pick % Math.max(1, records.length)]?.transactionId;
          if (action === 0)
            world.insertTransaction('head', { amount: '12345678901234567890.000000000000000001' });
          if (action === 1) world.insertTransaction('tail');
          if (id === undefined) continue;
          if (action === 2) world.removeTransaction(id);
          if (action === 3) world.alterTransaction(id, { status: statuses[pick % statuses.length] ?? '' });
          if (action === 4) world.alterTransaction(id, { note: 'altered', amount: '7.25' });
          if (action === 5) sandbox.advance(1);
        }
        expectBooksToAgree(sandbox);
      },
    ),
    { numRuns: sized({ short: 8, long: 100 }) },
  );
});

test('the same seed makes the same world, another seed another one', () => {
  const shot = (seed: number): string => {
    const sandbox = sandboxOf({ seed, transactions: 500 });
    sandbox.advance(50);
    const { world } = sandbox;
    return JSON.stringify([
      [...world.transactions()],
      world.balances('all'),
      world.vaults(),
      world.whitelist(),
    ]);
  };
  expect(shot(7)).toBe(shot(7));
  expect(shot(7)).not.toBe(shot(8));
});

test('open transactions reach a settled status, and fee, hash and link appear as they progress', () => {
  const sandbox = sandboxOf({ seed: 11, transactions: 300, newPerMinute: 0 });
  const { world } = sandbox;
  const open = [...world.transactions()].filter((record) => isOpen(record.status));
  expect(open.length).toBeGreaterThan(0);
  const paths = new Map<string, string[]>(open.map((record) => [record.transactionId, [record.status]]));
  for (let step = 0; step < 3000 && world.openRows().length > 0; step += 1) {
    sandbox.advance();
    for (const [id, path] of paths) {
      const status = world.transaction(id)?.status ?? '';
      if (path.at(-1) !== status) path.push(status);
    }
  }
  expect(world.openRows()).toEqual([]);
  for (const path of paths.values()) {
    expect('pending>processing>confirming>completed').toContain(
      path.filter((s) => !ENDS.includes(s)).join('>'),
    );
    expect(isOpen(path.at(-1) ?? '')).toBe(false);
  }
  for (const record of world.transactions()) {
    const sent = record.status === 'completed' || record.status === 'failed';
    expect([record.fee !== '', record.txnHash !== '', record.blockexplorerLink !== '']).toEqual([
      sent,
      sent,
      sent,
    ]);
  }
  expectBooksToAgree(sandbox);
});

const ENDS = ['rejected', 'cancelled', 'failed'];

test('time brings transactions at the rate asked for, and new and renamed vaults and entries', () => {
  const sandbox = sandboxOf({ seed: 5, transactions: 10, newPerMinute: 90 });
  const { world } = sandbox;
  const before = { vaults: JSON.stringify(world.vaults()), whitelist: JSON.stringify(world.whitelist()) };
  sandbox.advance(1200);
  expect(world.transactionCount()).toBe(10 + 1800);
  expect(JSON.stringify(world.vaults())).not.toBe(before.vaults);
  expect(JSON.stringify(world.whitelist())).not.toBe(before.whitelist);
  expectBooksToAgree(sandbox);
});

test('a frozen world does not evolve, and start and stop drive the injected timer', () => {
  const frozen = sandboxOf({ transactions: 20, frozen: true });
  const before = JSON.stringify([...frozen.world.transactions()]);
  frozen.advance(100);
  expect(JSON.stringify([...frozen.world.transactions()])).toBe(before);

  let tick: (() => void) | undefined;
  const every = (_milliseconds: number, call: () => void): (() => void) => {
    tick = call;
    return () => {
      tick = undefined;
    };
  };
  const sandbox = sandboxOf({ transactions: 20, newPerMinute: 60, every });
  sandbox.start();
  tick?.();
  expect(sandbox.world.transactionCount()).toBe(21);
  sandbox.stop();
  expect(tick).toBeUndefined();
});

test('a withdrawal whose fee the vault cannot pay is not processed', () => {
  for (let seed = 0; seed < 10; seed += 1) {
    const sandbox = sandboxOf({ seed, transactions: 0, newPerMinute: 0 });
    const { world } = sandbox;
    const [vault] = world.vaults('warm');
    const id = vault?.vaultId ?? '';
    const common = { assetId: 'ETH', amount: '1' };
    const deposited = { ...common, transactionType: 'deposit', destinationType: 'vault', destinationId: id };
    world.insertTransaction('head', {
      ...deposited,
      status: 'completed',
      sourceType: 'external',
      sourceId: '',
    });
    const withdrawn = { ...common, transactionType: 'withdraw', sourceType: 'vault', sourceId: id };
    const { transactionId } = world.insertTransaction('head', { ...withdrawn, destinationType: 'whitelist' });
    sandbox.advance(2000);
    expect(['rejected', 'cancelled']).toContain(world.transaction(transactionId)?.status);
    expectNothingNegative(sandbox);
  }
});
