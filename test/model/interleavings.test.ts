// The model test: random interleavings of a changing list with the engine's requests, over real HTTP and a real
// PostgreSQL. MODEL_SEED repeats a run, MODEL_RUNS sets its length; a failure prints the seed and the smallest plan found.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openSurroundings } from './account.ts';
import { plans } from './plan.ts';
import { play } from './play.ts';

const given = (name: string): number | null => {
  const text = process.env[name];
  return text === undefined || text === '' ? null : Number(text);
};

const size = { maxLength: 45, maxSteps: 3, maxDuring: 6, maxRequest: 14, faults: false };

test.each(['head', 'tail', 'updated-first'] as const)(
  'whatever happens to a list ordered by %s, the mirror comes to equal it and its history what was observed',
  async (order) => {
    const surroundings = await openSurroundings();
    const seed = given('MODEL_SEED');
    let played = 0;
    await fc.assert(
      fc.asyncProperty(plans(order, size), async (plan) => {
        played += 1;
        await play(surroundings, plan);
      }),
      { numRuns: given('MODEL_RUNS') ?? 170, ...(seed === null ? {} : { seed }), endOnFailure: false },
    );
    expect(played).toBeGreaterThan(0);
  },
  300_000,
);
