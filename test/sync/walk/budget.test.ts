// The budget of a walk lets every walk through that gets on: lists of small pages that move all the while
// they are read.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createKeySet } from '../../../src/sync/run/key-set.ts';
import { requestsInAdvance, requestsPerRecord } from '../../../src/sync/walk/budget.ts';
import { walkList } from '../../../src/sync/walk/walk-list.ts';
import { sized } from '../../support/form.ts';
import { type Change, createModelList, pagesAhead } from './model-list.ts';

interface Shifting {
  readonly length: number;
  readonly clamp: number;
  readonly ahead: number;
  /** One change for so many pages, with all that is read ahead of each. */
  readonly every: number;
  readonly changes: readonly { readonly kind: 'insert' | 'remove'; readonly at: number }[];
}

const shifting = fc.record<Shifting>({
  length: fc.integer({ min: 300, max: 900 }),
  clamp: fc.integer({ min: 2, max: 5 }),
  ahead: fc.constantFrom(0, 1, 3, 7),
  every: fc.integer({ min: 2, max: 20 }),
  changes: fc.array(
    fc.record({
      kind: fc.constantFrom('insert' as const, 'remove' as const),
      at: fc.constantFrom(0, 0, 7, 50),
    }),
    { minLength: 1, maxLength: 20 },
  ),
});

function walkShifting({ length, clamp, ahead, every, changes }: Shifting) {
  const span = every * (1 + ahead);
  const change = (request: number): Change => {
    const next = request % span === 0 ? changes[(request / span) % changes.length] : undefined;
    return next === undefined ? { kind: 'none' } : { ...next, count: 1 };
  };
  const model = createModelList({ length, clamp: () => clamp, change });
  const walked = walkList({
    read: model.read,
    paging: 'documented',
    limit: 200,
    ahead: pagesAhead(ahead),
    expectedLength: length,
    maxPages: 1_000 + length,
    onPage: model.onPage,
    met: createKeySet(),
    recheckMs: 0,
    signal: new AbortController().signal,
  });
  return walked.then((verdict) => ({ model, verdict }));
}

test('small pages of a list that keeps moving do not use up what a walk may ask', async () => {
  await fc.assert(
    fc.asyncProperty(shifting, async (given) => {
      // The least pages under the fastest changes have a test of their own below.
      fc.pre(given.clamp > 2 || given.every > 2);
      const { verdict } = await walkShifting(given);
      expect(verdict.doubts).not.toContain('too-many-requests');
    }),
    { numRuns: sized({ short: 30, long: 300 }) },
  );
});

test('pages of two of a list that grows at its head with each second page may use it up, and nothing is verified', async () => {
  const insert = { kind: 'insert' as const, at: 0 };
  const changes = [insert, insert, insert, insert, insert, { kind: 'remove' as const, at: 0 }];
  const { model, verdict } = await walkShifting({ length: 300, clamp: 2, ahead: 0, every: 2, changes });
  expect(verdict).toMatchObject({ verified: false, doubts: ['too-many-requests'] });
  expect(model.requests).toBeLessThan(2 * (requestsInAdvance + requestsPerRecord * model.seen.size));
});

test('pages that are read ahead in vain, because the list grew, cost a walk nothing of its budget', async () => {
  const given = {
    length: 1_500,
    clamp: 2,
    ahead: 3,
    every: 2,
    changes: [{ kind: 'insert' as const, at: 0 }],
  };
  const { model, verdict } = await walkShifting(given);
  expect(verdict.doubts).not.toContain('too-many-requests');
  expect(model.missed()).toEqual([]);
});

test('a list that is added to just where the walk stands, and taken from before it, does not hold the walk for ever', async () => {
  const changes = [
    { kind: 'insert' as const, at: 50 },
    { kind: 'remove' as const, at: 7 },
  ];
  const { model, verdict } = await walkShifting({ length: 300, clamp: 3, ahead: 1, every: 2, changes });
  expect(verdict.verified).toBe(false);
  expect(model.requests).toBeLessThan(2 * (requestsInAdvance + requestsPerRecord * model.seen.size));
});
