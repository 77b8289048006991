// Random interleavings of walks with larger lists, each order with the life that it has, without I/O. The
// seed is the same at every run unless SEED gives another; fast-check prints it with a counterexample.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { requestsInAdvance, requestsPerRecord } from '../../../../src/sync/walk/budget.ts';
import { sized } from '../../../support/form.ts';
import { isHidden, walkRandomly } from './random-walk.ts';
import { orders, type RandomWorld } from './random-world.ts';

const worlds: fc.Arbitrary<RandomWorld> = fc.record({
  order: fc.constantFrom(...orders),
  length: fc.integer({ min: 0, max: 70 }),
  limit: fc.integer({ min: 2, max: 20 }),
  clamp: fc.oneof(
    { weight: 3, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.integer({ min: 2, max: 10 }) },
  ),
  ahead: fc.integer({ min: 0, max: 3 }),
  every: fc.integer({ min: 1, max: 6 }),
  restFrom: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.constant(1_000_000)),
  seed: fc.nat(),
});

const seed = Number(process.env['SEED'] ?? 9);

/** Records move to the middle of what was read: beyond the promise. */
const beyondPromise = 'by-asset-updated';

const walks = sized({ short: 500, long: 20_000 });

test(`${walks} random walks miss nothing that stayed when they are verified, end complete at rest, and are bounded`, {
  timeout: 600_000,
}, () => {
  fc.assert(
    fc.property(worlds, (world) => {
      const walked = walkRandomly(world);
      const { verdict, missed, requests, requestsAtRest } = walked;
      const most = requestsInAdvance + requestsPerRecord * walked.metInOrder.length;
      expect(requests / (1 + world.ahead)).toBeLessThanOrEqual(most + 1);
      if (missed.length === 0 || isHidden(walked, world.ahead)) return;
      if (world.order !== beyondPromise)
        expect({ verified: verdict.verified, missed }).toMatchObject({ verified: false });
      // Some requests at rest: the last ones of a walk may come too late for what changed before them.
      if (requestsAtRest !== null && requestsAtRest > 3) expect(missed).toEqual([]);
    }),
    { numRuns: walks, seed },
  );
});

const large = { length: 10_000, limit: 200, clamp: null, ahead: 0, every: 3, restFrom: 1_000_000 };
/** Each page once, and the answer that says that nothing follows. */
const leastRequests = Math.ceil(large.length / large.limit) + 1;

test('ordinary life leaves at least 95 of 100 sweeps of 10,000 records verified, at 1.3 times the requests at most', {
  timeout: 600_000,
}, () => {
  const lives = ['head', 'tail', 'updated-first', 'updated-last', 'ties'] as const;
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const sweeps = lives.flatMap((order) =>
        [0, 1, 2, 3].map((more) => walkRandomly({ ...large, order, seed: seed + more })),
      );
      const verified = sweeps.filter(({ verdict }) => verdict.verified);
      expect(verified.filter(({ missed }) => missed.length > 0)).toEqual([]);
      expect(verified.length / sweeps.length).toBeGreaterThanOrEqual(0.95);
      const requests = sweeps.reduce((sum, sweep) => sum + sweep.requests, 0) / sweeps.length;
      expect(requests / leastRequests).toBeLessThanOrEqual(1.3);
    }),
    { numRuns: sized({ short: 1, long: 5 }), seed },
  );
});

const huge = { ...large, length: 100_000 };
const requestsAtRest = 518;

test('100,000 records that nobody changes take 518 requests', () => {
  const { verdict, requests } = walkRandomly({ ...huge, order: 'head', every: 1, restFrom: 1, seed: 1 });
  expect({ verified: verdict.verified, requests }).toEqual({ verified: true, requests: requestsAtRest });
});

test('100,000 records of which ties are exchanged at every tenth request take twice that at most', {
  timeout: 600_000,
}, () => {
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const walked = walkRandomly({ ...huge, order: 'exchanges', every: 10, seed });
      expect(walked.verdict.verified || walked.missed.length === 0).toBe(true);
      expect(walked.requests).toBeLessThanOrEqual(2 * requestsAtRest);
    }),
    { numRuns: sized({ short: 1, long: 2 }), seed },
  );
});
