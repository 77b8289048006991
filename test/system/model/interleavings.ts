// Plays random plans of one kind until told to stop, and reports the smallest counterexample that a bounded
// time finds.
import fc from 'fast-check';
import type { Bench } from './account.ts';
import type { Plan } from './plan.ts';
import { play } from './play.ts';

export interface InterleavingsOptions {
  readonly plans: fc.Arbitrary<Plan>;
  readonly count: number;
  /** Null takes a fresh one; a failure prints it. */
  readonly seed: number | null;
}

/** Shrinking plays the plan anew each time; a smaller counterexample is not worth more. */
const maxShrinkMs = 30_000;

/**
 * @returns interleavings played
 * @throws the counterexample with its seed
 */
export async function playInterleavings(
  bench: Bench,
  { plans, count, seed }: InterleavingsOptions,
): Promise<number> {
  let played = 0;
  let failedAt: number | null = null;
  const property = fc.asyncProperty(plans, async (plan) => {
    // What is not played for want of time counts as no counterexample: the smallest one found stays.
    if (failedAt !== null && performance.now() - failedAt > maxShrinkMs) return;
    played += 1;
    try {
      await play(bench, plan);
    } catch (error) {
      failedAt ??= performance.now();
      throw error;
    }
  });
  await fc.assert(property, { numRuns: count, ...(seed === null ? {} : { seed }) });
  return played;
}

/** A number from the environment of a test run; null when it is not set. */
export function numberFrom(env: Readonly<Record<string, string | undefined>>, name: string): number | null {
  const text = env[name];
  return text === undefined || text === '' ? null : Number(text);
}
