// The whole list in one answer: every interleaving of the readings with the changes of a small list, with no
// help from what the walk met before, and lists that grow at nearly every request.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { WalkState } from '../../../../src/sync/walk/state.ts';
import { answerWalk, newWalk, requestOf, verdictOf } from '../../../../src/sync/walk/walk.ts';
import { sized } from '../../../support/form.ts';
import { explore, scriptOf } from './explore.ts';
import { randomOf } from './random-world.ts';

/** A walk that has met nothing, and would end in doubt if no answer shows the whole list. */
const doubtful: WalkState = {
  ...newWalk(),
  doubts: ['head-unsteady'],
  phase: {
    name: 'whole',
    otherwise: { name: 'ended', end: 'unconfirmed' },
    last: '',
    lengths: [],
    readings: 0,
  },
};

const disturbances = sized({ short: 2, long: 3 });

test.each([null, 2, 3])(
  `pages cut to %s and ${disturbances} disturbances: what is verified was met, whatever moved where`,
  { timeout: 600_000 },
  (clamp) => {
    let verified = 0;
    for (const length of [0, 1, 2, 3, 4]) {
      const { longest } = explore(
        { length, limit: 9, clamp },
        disturbances,
        ({ verdict, missed, last }) => {
          if (!verdict.verified) return;
          verified += 1;
          if (missed !== '') throw new Error(`verified without ${missed}\n${scriptOf(last)}`);
        },
        doubtful,
      );
      expect(longest).toBeLessThanOrEqual(8);
    }
    // Two growths between three readings are enough.
    if (clamp === null) expect(verified).toBeGreaterThan(0);
  },
);

interface Growing {
  readonly length: number;
  /** How many of ten requests find a record more, and how many of them one less. */
  readonly inserts: number;
  readonly removals: number;
  readonly isAtHead: boolean;
  readonly seed: number;
}

const limit = 200;

function walkGrowing({ length, inserts, removals, isAtHead, seed: from }: Growing) {
  const random = randomOf(from);
  const first = Array.from({ length }, (_, index) => `r${index}`);
  let keys: readonly string[] = first;
  const removed = new Set<string>();
  const met = new Set<string>();
  const rules = { paging: 'documented', limit, expectedLength: null, maxPages: 5_000 } as const;
  let walk = newWalk();
  let requests = 0;
  for (let request = requestOf(walk); request !== null; request = requestOf(walk)) {
    requests += 1;
    if (random() * 10 < inserts) {
      // In front of the last record: a list that grows behind it never shows where it ends.
      const at = isAtHead ? 0 : Math.floor(random() * keys.length);
      keys = [...keys.slice(0, at), `n${requests}`, ...keys.slice(at)];
    }
    if (random() * 10 < removals) {
      const gone = keys[Math.floor(random() * (keys.length - 1))];
      if (gone !== undefined) removed.add(gone);
      keys = keys.filter((key) => key !== gone);
    }
    const page = keys.slice(request.offset, request.offset + limit);
    walk = answerWalk(walk, { rules, met }, { keys: page, hasUndecodable: false, isRefused: false }).state;
    for (const key of page) met.add(key);
  }
  const missed = first.filter((key) => !removed.has(key) && !met.has(key));
  return { verified: verdictOf(walk).verified, missed, requests };
}

const growing: fc.Arbitrary<Growing> = fc.record({
  length: fc.integer({ min: 2, max: 60 }),
  inserts: fc.integer({ min: 5, max: 10 }),
  removals: fc.constantFrom(0, 0, 1, 3),
  isAtHead: fc.boolean(),
  seed: fc.nat(),
});

const seed = Number(process.env['SEED'] ?? 9);
const lists = sized({ short: 200, long: 2_000 });

test(`of ${lists} short lists that grow at nearly every request at least nine of ten are verified, in few requests`, () => {
  const walks = fc
    .sample(growing, { numRuns: lists, seed })
    .map((world) => ({ world, ...walkGrowing(world) }));
  const verified = walks.filter((walk) => walk.verified);
  expect({ seed, claimed: verified.filter(({ missed }) => missed.length > 0) }).toEqual({
    seed,
    claimed: [],
  });
  expect({ seed, isUsual: verified.length / lists >= 0.9 }).toEqual({ seed, isUsual: true });
  const median = walks.map(({ requests }) => requests).sort((a, b) => a - b)[lists >> 1];
  expect(median).toBeLessThanOrEqual(90);
});
