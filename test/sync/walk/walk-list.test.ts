import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Page } from '../../../src/domain/page.ts';
import { createKeySet } from '../../../src/sync/run/key-set.ts';
import type { WalkState } from '../../../src/sync/walk/state.ts';
import { type WalkOptions, walkList } from '../../../src/sync/walk/walk-list.ts';
import { sized } from '../../support/form.ts';
import { type Change, createModelList, type ModelOptions, pagesAhead } from './model-list.ts';

type Model = ReturnType<typeof createModelList>;

function walk(model: Model, overrides: Partial<WalkOptions<string>> = {}) {
  return walkList({
    read: model.read,
    paging: 'documented',
    limit: 20,
    ahead: pagesAhead(0),
    expectedLength: null,
    maxPages: 1_000,
    onPage: model.onPage,
    met: createKeySet(),
    recheckMs: 0,
    signal: new AbortController().signal,
    ...overrides,
  });
}

function modelOf(options: ModelOptions) {
  return createModelList(options);
}

describe('a list that stands still', () => {
  test.each([
    [0, 3],
    [1, 5],
    [19, 5],
    [20, 7],
    [100, 13],
    [1000, 62],
  ])('of %i records is verified within %i requests', async (length, atMost) => {
    const model = modelOf({ length });
    const verdict = await walk(model);
    expect(verdict).toMatchObject({ verified: true, doubts: [] });
    expect(model.missed()).toEqual([]);
    expect(model.requests).toBeLessThanOrEqual(atMost);
  });

  test('read ahead takes the same pages', async () => {
    const model = modelOf({ length: 1000 });
    const verdict = await walk(model, { ahead: pagesAhead(3) });
    expect(verdict).toMatchObject({ verified: true, evidence: { restarts: 0, searches: 0 } });
    expect(model.missed()).toEqual([]);
  });
});

const change = (maxCount: number, move: 'to-head' | 'to-tail'): fc.Arbitrary<Change> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constant<Change>({ kind: 'none' }) },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('insert' as const),
        at: fc.constantFrom(0, 0, 0, 1_000_003),
        count: fc.integer({ min: 1, max: maxCount }),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('insert' as const),
        at: fc.nat(),
        count: fc.integer({ min: 1, max: maxCount }),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('remove' as const),
        at: fc.nat(),
        count: fc.integer({ min: 1, max: maxCount }),
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant(move), at: fc.nat() }) },
  );

/** In one list, records that change move to one end only, as in a list ordered by last update. */
const scenario = fc.constantFrom<'to-head' | 'to-tail'>('to-head', 'to-tail').chain((move) =>
  fc.record({
    length: fc.integer({ min: 0, max: 160 }),
    limit: fc.integer({ min: 2, max: 40 }),
    clamps: fc.array(fc.integer({ min: 2, max: 40 }), { maxLength: 3 }),
    ahead: fc.integer({ min: 0, max: 3 }),
    changes: fc.array(change(25, move), { maxLength: 60 }),
    empties: fc.array(fc.integer({ min: 2, max: 50 }), { maxLength: 2 }),
  }),
);

/** Stopped before the page of the head that shows r21, which moved there. */
const stoppedInTheHead = {
  length: 33,
  limit: 21,
  clamps: [11, 21, 15],
  ahead: 2,
  changes: [
    { kind: 'insert' as const, at: 10_581_590, count: 16 },
    { kind: 'to-head' as const, at: 184_354_737 },
    { kind: 'insert' as const, at: 0, count: 1 },
    { kind: 'remove' as const, at: 134_287_643, count: 5 },
    { kind: 'insert' as const, at: 0, count: 10 },
  ],
  empties: [5],
};

function modelFor({
  length,
  clamps,
  changes,
  empties,
}: typeof scenario extends fc.Arbitrary<infer T> ? T : never) {
  return modelOf({
    length,
    change: (request) => changes[request - 2] ?? { kind: 'none' },
    clamp: (request) => (clamps.length === 0 ? 1_000 : (clamps[request % clamps.length] ?? 1_000)),
    falseEmpty: (request) => empties.includes(request),
  });
}

describe('a list that changes while it is read', () => {
  test('misses nothing when the walk says it is verified', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async (given) => {
        const model = modelFor(given);
        const verdict = await walk(model, { limit: given.limit, ahead: pagesAhead(given.ahead) });
        if (verdict.verified) expect(model.missed()).toEqual([]);
      }),
      { numRuns: sized({ short: 300, long: 10_000 }) },
    );
  });

  test('is verified by the next walk once it stands still', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async (given) => {
        // A page cut down to the overlap itself shows nothing new: such a list is read, and not verified.
        const clamps = given.clamps.map((clamp) => Math.max(6, clamp));
        const model = modelFor({ ...given, clamps, empties: [] });
        await walk(model, { limit: given.limit, ahead: pagesAhead(given.ahead) });
        while (model.requests < 62) await model.read({ offset: 0, limit: 1 });
        const verdict = await walk(model, { limit: given.limit, ahead: pagesAhead(given.ahead) });
        expect(verdict.doubts).toEqual([]);
        expect(model.missed()).toEqual([]);
      }),
      { numRuns: sized({ short: 50, long: 1_500 }) },
    );
  });

  test('is resumed after a stop at any page without missing a record', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, fc.integer({ min: 1, max: 12 }), async (given, stopAfter) => {
        const model = modelFor(given);
        let resume: WalkState | null = null;
        let pages = 0;
        const onPage = async (page: Page<string>, position: WalkState | null) => {
          if (pages++ === stopAfter) throw new Error('stopped');
          await model.onPage(page);
          resume = JSON.parse(JSON.stringify(position));
        };
        const options = { limit: given.limit, ahead: pagesAhead(given.ahead), onPage };
        const verdict = await walk(model, options).catch(() => walk(model, { ...options, resume }));
        if (verdict.verified) expect(model.missed()).toEqual([]);
      }),
      { numRuns: sized({ short: 200, long: 5_000 }), examples: [[stoppedInTheHead, 8]] },
    );
  });
});

describe('a list that misbehaves', () => {
  test('whose order differs at each request is read until nothing is new, and not verified', async () => {
    const model = modelOf({ length: 120, shuffled: true });
    const verdict = await walk(model);
    expect(verdict.verified).toBe(false);
    expect(verdict.doubts.join()).toContain('order');
    expect(model.missed()).toEqual([]);
  });

  test('that ignores the offset ends in few requests, not verified', async () => {
    const model = modelOf({ length: 120, ignoreOffset: true });
    const verdict = await walk(model);
    expect(verdict.verified).toBe(false);
    expect(model.requests).toBeLessThan(10);
  });

  test('that ignores the offset where paging is not documented was whole', async () => {
    const model = modelOf({ length: 30, ignoreOffset: true });
    expect(await walk(model, { paging: 'unknown' })).toMatchObject({ verified: true, end: 'whole' });
    expect(model.requests).toBe(3);
    expect(model.missed()).toEqual([]);
  });

  test('that answers empty now and then is not taken to have ended', async () => {
    const model = modelOf({ length: 200, falseEmpty: (request) => request % 4 === 0 });
    await walk(model, { ahead: pagesAhead(2) });
    expect(model.missed()).toEqual([]);
  });
});
