import { describe, expect, test } from 'vitest';
import {
  createGrowthObserver,
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

function keeper(): FactKeeper {
  const known = new Map<string, string>();
  return {
    known,
    learn: ({ fact, value }) => void known.set(fact, value),
    forget: (name) => void known.delete(name),
    save: async () => undefined,
    reload: async () => undefined,
  };
}

describe('the growing end', () => {
  test('is believed at once on several records, and on the second observation of few', () => {
    const sure = keeper();
    learnGrowth(sure, { end: 'head', records: 3 });
    expect(growingEnd(sure)).toBe('head');
    const unsure = keeper();
    learnGrowth(unsure, { end: 'tail', records: 1 });
    expect(growingEnd(unsure)).toBeNull();
    learnGrowth(unsure, { end: 'tail', records: 1 });
    expect(growingEnd(unsure)).toBe('tail');
  });

  const observations = (facts: FactKeeper, end: 'head' | 'tail') => {
    for (let seen = 1; seen <= 10_000; seen += 1) {
      learnGrowth(facts, { end, records: 50 });
      if (growingEnd(facts) === end) return seen;
    }
    throw new Error('it was never believed again');
  };

  test('is unlearned by the first contradiction, and each one doubles what it takes to be believed again', () => {
    const facts = keeper();
    learnGrowth(facts, { end: 'head', records: 5 });
    learnGrowth(facts, { end: 'among', records: 1 });
    expect(growingEnd(facts)).toBeNull();
    expect(isGrowingEndUnknown(facts)).toBe(false);
    expect(observations(facts, 'head')).toBe(4);
    learnGrowth(facts, { end: 'tail', records: 50 });
    expect(growingEnd(facts)).toBeNull();
    expect(observations(facts, 'tail')).toBe(8);
    learnGrowth(facts, { end: 'among', records: 1 });
    expect(observations(facts, 'head')).toBe(16);
  });

  test('is not believed again while records stand elsewhere in between, as in a list in groups', () => {
    const facts = keeper();
    learnGrowth(facts, { end: 'head', records: 5 });
    for (let round = 0; round < 20; round += 1) {
      learnGrowth(facts, { end: 'among', records: 1 });
      for (let seen = 0; seen < 3; seen += 1) learnGrowth(facts, { end: 'head', records: 9 });
      expect(growingEnd(facts)).toBeNull();
    }
  });

  test('stays when a sweep met nothing new', () => {
    const facts = keeper();
    learnGrowth(facts, { end: 'head', records: 5 });
    learnGrowth(facts, null);
    expect(growingEnd(facts)).toBe('head');
  });
});
