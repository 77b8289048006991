// The model test: random interleavings of a changing list with the engine's requests, over real HTTP and a
// real PostgreSQL. MODEL_SEED repeats a run, MODEL_RUNS sets its length; a failure prints the seed and the
// smallest plan found.
import { beforeAll, expect, test } from 'vitest';
import { sized } from '../../support/form.ts';
import { type Bench, openBench } from './account.ts';
import { numberFrom, playInterleavings } from './interleavings.ts';
import { plans, usualPlans } from './plan.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});

const size = { maxLength: 40, maxSteps: 3, maxDuring: 6, maxRequest: 14, faults: false };
const count = sized({ short: 1, long: 60 }, 'MODEL_RUNS');
const seed = numberFrom(process.env, 'MODEL_SEED');
const anyOrder = ['head', 'tail', 'updated-first'] as const;

// Side by side: each waits for its answers most of the time.
test.concurrent.each([
  { what: 'a list that grows at its head', plans: plans(['head'], size) },
  { what: 'a list that grows at its tail', plans: plans(['tail'], size) },
  { what: 'a list ordered by the last change', plans: plans(['updated-first'], size) },
  { what: 'any list, with faults and stops', plans: plans(anyOrder, { ...size, faults: true }) },
  {
    what: 'a list that changes as usual, by cycles alone',
    plans: usualPlans(anyOrder, { ...size, faults: true }),
  },
])(
  'the mirror in the end equals $what, and its history what was observed',
  async ({ plans }) => {
    expect(await playInterleavings(bench, { plans, count, seed })).toBe(count);
  },
  900_000,
);
