// The model test: random interleavings of a changing list with the engine's requests, over real HTTP and a real
// PostgreSQL. MODEL_SEED repeats a run, MODEL_RUNS sets its length; a failure prints the seed and the smallest plan found.
import { beforeAll, expect, test } from 'vitest';
import { openSurroundings, type Surroundings } from './account.ts';
import { numberFrom, playInterleavings } from './interleavings.ts';

let surroundings: Surroundings;
beforeAll(async () => {
  surroundings = await openSurroundings();
});

const size = { maxLength: 40, maxSteps: 3, maxDuring: 6, maxRequest: 14 };
const count = numberFrom(process.env, 'MODEL_RUNS') ?? 130;
const seed = numberFrom(process.env, 'MODEL_SEED');

// Side by side: each waits for its answers most of the time.
test.concurrent.each([
  { orders: ['head'], faults: false, what: 'a list that grows at its head' },
  { orders: ['tail'], faults: false, what: 'a list that grows at its tail' },
  { orders: ['updated-first'], faults: false, what: 'a list ordered by the last change' },
  { orders: ['head', 'tail', 'updated-first'], faults: true, what: 'any list, with faults and stops' },
] as const)(
  'the mirror comes to equal $what, and its history what was observed',
  async ({ orders, faults }) => {
    const options = { orders, size: { ...size, faults }, count, seed };
    expect(await playInterleavings(surroundings, options)).toBe(count);
  },
  300_000,
);
