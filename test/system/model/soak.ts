// The same property as the model test for as long as told (SOAK_SECONDS, by default ten minutes), with fresh
// seeds, longer lists, faults and stops: npm run test:soak
import { beforeAll, expect, test } from 'vitest';
import { type Bench, openBench } from './account.ts';
import { numberFrom, playInterleavings } from './interleavings.ts';
import { plans, usualPlans } from './plan.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});

const seconds = numberFrom(process.env, 'SOAK_SECONDS') ?? 600;
const firstSeed = numberFrom(process.env, 'SOAK_SEED') ?? Date.now() % 1_000_000_000;
const size = { maxLength: 120, maxSteps: 6, maxDuring: 12, maxRequest: 30, faults: true };
const perSeed = 20;

const orders = ['head', 'tail', 'updated-first'] as const;

test.concurrent.each([
  ...orders.map((order) => ({ what: order, plans: plans([order], size) })),
  { what: 'as usual', plans: usualPlans(orders, size) },
])(
  'soak: $what',
  async ({ what, plans }) => {
    const until = performance.now() + seconds * 1000;
    let played = 0;
    for (let seed = firstSeed; performance.now() < until; seed += 1)
      played += await playInterleavings(bench, { plans, count: perSeed, seed });
    process.stdout.write(`${what}: ${played} interleavings, seeds from ${firstSeed}\n`);
    expect(played).toBeGreaterThan(0);
  },
  seconds * 1000 + 300_000,
);
