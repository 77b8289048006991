import { describe, expect, test } from 'vitest';
import {
  createGrowthObserver,
  type GrowthObservation,
  growingEnd,
  isGrowingEndUnknown,
  learnGrowth,
  maxObserved,
} from '../../../src/sync/learned/growing-end-learned.ts';
import type { FactKeeper } from '../../../src/sync/run/fact-keeper.ts';

function observe(
  pages: readonly (readonly string[])[],
  inserted: readonly string[],
  changed: readonly string[] = [],
) {
  const observer = createGrowthObserver();
  observer.begin();
  for (const keys of pages) {
    const here = (among: readonly string[]) => keys.filter((key) => among.includes(key));
    observer.page(keys, here(inserted), here(changed));
  }
  return observer.observation();
}

describe('where new records stood', () => {
  test.each([
    [
      'head',
      [
        ['n1', 'n2', 'a'],
        ['a', 'b'],
      ],
      ['n1', 'n2'],
      2,
    ],
    [
      'tail',
      [
        ['a', 'b'],
        ['b', 'n1'],
        ['n1', 'n2'],
      ],
      ['n1', 'n2'],
      2,
    ],
    ['among', [['a', 'n1', 'b']], ['n1'], 1],
    ['among', [['n1', 'a', 'b', 'n2', 'c']], ['n1', 'n2'], 2],
    [
      'among',
      [
        ['n1', 'a', 'b'],
        ['b', 'n2'],
      ],
      ['n1', 'n2'],
      2,
    ],
    [
      'head',
      [
        ['n1', 'n2'],
        ['n2', 'n3'],
        ['n3', 'a'],
      ],
      ['n1', 'n2', 'n3'],
      3,
    ],
  ] as const)('is the %s of %j', (end, pages, inserted, records) => {
    expect(observe(pages, inserted)).toEqual({ end, records });
  });

  test('is not disturbed by changed records, which may have moved', () => {
    expect(observe([['c', 'n1', 'c2', 'n2', 'a']], ['n1', 'n2'], ['c', 'c2'])).toEqual({
      end: 'head',
      records: 2,
    });
  });

  test('is unknown when nothing is new, or nothing is known', () => {
    expect(observe([['a', 'b']], [])).toBeNull();
    expect(observe([['n1', 'n2']], ['n1', 'n2'])).toBeNull();
  });

  test.each(['new', 'changed'])('is not looked for any more among too many %s ones', (kind) => {
    const observer = createGrowthObserver();
    const many = Array.from({ length: maxObserved + 1 }, (_, index) => `m${index}`);
    observer.begin();
    observer.page(['n1', 'a', 'b'], ['n1'], []);
    observer.page(many, kind === 'new' ? many : [], kind === 'changed' ? many : []);
    observer.begin();
    observer.page(['n2', 'a', 'b'], ['n2'], []);
    expect(observer.observation()).toBeNull();
  });

  test('is counted from the start when the walk starts over', () => {
    const observer = createGrowthObserver();
    observer.begin();
    observer.page(['a', 'b'], [], []);
    observer.begin();
    observer.page(['n1', 'a', 'b'], ['n1'], []);
    expect(observer.observation()).toEqual({ end: 'head', records: 1 });
  });
});

/** Learns from one observation a run. */
function learner() {
  const known = new Map<string, string>();
  const facts: FactKeeper = {
    known,
    learn: ({ fact, value }) => void known.set(fact, value),
    forget: (name) => void known.delete(name),
    save: async () => undefined,
    reload: async () => undefined,
  };
  let runs = 0;
  return {
    facts,
    learn(observation: GrowthObservation | null, isNewRun = true) {
      if (isNewRun) runs += 1;
      learnGrowth({ facts, run: { job: 'transactions', runId: String(runs), startedAt: 0 } }, observation);
      return growingEnd(facts);
    },
  };
}

describe('the growing end', () => {
  test('is believed at once on several records, and on few when three runs agree', () => {
    expect(learner().learn({ end: 'head', records: 3 })).toBe('head');
    const { facts, learn } = learner();
    const few = { end: 'tail', records: 1 } as const;
    const seen = [learn(few), learn(few), learn(few, false), isGrowingEndUnknown(facts), learn(few)];
    expect(seen).toEqual([null, null, null, true, 'tail']);
  });

  test('is unlearned by a contradiction, and believed again when three runs in a row agree', () => {
    const { facts, learn } = learner();
    learn({ end: 'head', records: 5 });
    for (let round = 0; round < 20; round += 1) {
      expect(learn({ end: round % 2 === 0 ? 'among' : 'tail', records: 1 })).toBeNull();
      expect(isGrowingEndUnknown(facts)).toBe(false);
      for (let run = 0; run < 2; run += 1) expect(learn({ end: 'head', records: 50 })).toBeNull();
      // As in a list in groups, which shows new records elsewhere in between.
      learn({ end: 'among', records: 1 });
      for (let run = 0; run < 2; run += 1) expect(learn({ end: 'head', records: 50 })).toBeNull();
      expect(learn({ end: 'head', records: 1 })).toBe('head');
    }
    expect(facts.known).toEqual(new Map([['transactions_grow_at', 'head']]));
  });

  test('stays when a sweep met nothing new', () => {
    const { learn } = learner();
    learn({ end: 'head', records: 5 });
    expect(learn(null)).toBe('head');
  });
});
