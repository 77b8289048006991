// Releases resources in reverse order of their acquisition, under a deadline.
import type { Logger } from './logger.ts';
import { Late, within } from './waiting.ts';

export type Release = () => Promise<void> | void;

export interface Releasers {
  /** Adds a release function. It is called before those that were added earlier. */
  add(name: string, release: Release): void;
  /** Calls every release function once; rejects with the first error after all have been called. */
  releaseAll(deadlineMs: number): Promise<void>;
}

export function createReleasers(logger: Logger): Releasers {
  const stack: { readonly name: string; readonly release: Release }[] = [];
  return {
    add(name, release) {
      stack.push({ name, release });
    },
    async releaseAll(deadlineMs) {
      const deadline = performance.now() + deadlineMs;
      const errors: unknown[] = [];
      for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
        const { name, release } = entry;
        const leftMs = Math.max(0, deadline - performance.now());
        try {
          await within(leftMs, Promise.resolve().then(release));
        } catch (error) {
          if (error instanceof Late) {
            logger.warn({ released: name }, 'release outlasted the deadline');
          } else {
            errors.push(error);
            logger.warn({ released: name, err: error }, 'release failed');
          }
        }
      }
      if (errors.length > 0) throw errors[0];
    },
  };
}
