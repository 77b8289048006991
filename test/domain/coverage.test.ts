import { expect, test } from 'vitest';
import { type Coverage, coverageInWords, notCovered, sweepInWords } from '../../src/domain/doubts.ts';

const coverage = (more: Partial<Coverage> = {}): Coverage => ({
  met: 3_905,
  listLength: 5_000,
  listShown: null,
  isResumed: false,
  ...more,
});

test.each([
  [coverage(), 'read 3,905 of 5,000 records'],
  [coverage({ met: 1, listLength: 1 }), 'read 1 of 1 record'],
  [coverage({ met: 0, listLength: 0 }), 'read 0 of 0 records'],
  [coverage({ isResumed: true }), 'read 3,905 of 5,000 records since it was resumed'],
  [coverage({ met: 5_001 }), 'read 5,001 records of a list that ended at 5,000'],
  [coverage({ listLength: null, listShown: 4_000 }), 'read 3,905 of at least 4,000 records'],
  [
    coverage({ listLength: null, listShown: 3_905 }),
    'read 3,905 records of a list whose length is not known',
  ],
  [coverage({ listLength: null }), 'read 3,905 records of a list whose length is not known'],
])('%j is told as %s', (known, words) => {
  expect(coverageInWords(known)).toBe(words);
});

test('what several doubts leave open in the same words is said once', () => {
  expect(notCovered(['too-many-requests', 'end-unsteady', 'undecodable'])).toEqual([
    'what stands behind the last place read',
    'the records in sync.quarantine',
  ]);
  expect(notCovered([])).toEqual([]);
});

test('one of two lists that is empty is not said to be all that was read', () => {
  const claim = {
    verified: false,
    coverage: coverage({ met: 5, listLength: 5 }),
    doubts: ['empty-once'],
  } as const;
  expect(sweepInWords(claim)).toMatch(
    /read 5 of 5 records; a list that was read is empty; .*not covered: that whole list/,
  );
});
