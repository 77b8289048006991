// The same property as the model test for as long as told (SOAK_SECONDS, by default ten minutes), with fresh seeds,
// longer lists, faults and stops: npm run test:soak
import { beforeAll, expect, test } from 'vitest';
import { openSurroundings, type Surroundings } from './account.ts';
import { numberFrom, playInterleavings } from './interleavings.ts';

let surroundings: Surroundings;
beforeAll(async () => {
  surroundings = await openSurroundings();
});

const seconds = numberFrom(process.env, 'SOAK_SECONDS') ?? 600;
const firstSeed = numberFrom(process.env, 'SOAK_SEED') ?? Date.now() % 1_000_000_000;
const size = { maxLength: 120, maxSteps: 6, maxDuring: 12, maxRequest: 30, faults: true };
const perSeed = 20;

test.concurrent.each(['head', 'tail', 'updated-first'] as const)(
  'soak: %s',
  async (order) => {
    const until = performance.now() + seconds * 1000;
    let played = 0;
    for (let seed = firstSeed; performance.now() < until; seed += 1)
      played += await playInterleavings(surroundings, { orders: [order], size, count: perSeed, seed });
    process.stdout.write(`${order}: ${played} interleavings, seeds from ${firstSeed}\n`);
    expect(played).toBeGreaterThan(0);
  },
  seconds * 1000 + 300_000,
);
