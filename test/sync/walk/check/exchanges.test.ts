// Every single exchange of two records up to a page apart, before each request of a walk over pages of a
// usual overlap: the walk of an earlier version called 633 of some 40,000 such walks verified although a
// record was not met.
import { expect, test } from 'vitest';
import { answerWalk, newWalk, requestOf, verdictOf } from '../../../../src/sync/walk/walk.ts';
import { sized } from '../../../support/form.ts';

const length = 130;
const limit = 60;
const rules = { paging: 'documented', limit, expectedLength: null, maxPages: 100 } as const;
const first = Array.from({ length }, (_, index) => `r${index}`);

/** Between the first records of the pairs that are tried. */
const step = sized({ short: 9, long: 1 });

function walkWithExchange(at: number, a: number, b: number) {
  let keys = first;
  let walk = newWalk();
  let requests = 0;
  const met = new Set<string>();
  for (let request = requestOf(walk); request !== null; request = requestOf(walk)) {
    requests += 1;
    if (requests === at) keys = keys.with(a, first[b] ?? '').with(b, first[a] ?? '');
    const page = keys.slice(request.offset, request.offset + limit);
    walk = answerWalk(walk, { rules, met }, { keys: page, hasUndecodable: false, isRefused: false }).state;
    for (const key of page) met.add(key);
  }
  return { verified: verdictOf(walk).verified, requests, missed: first.filter((key) => !met.has(key)) };
}

test.each([3, 4, 5, 6])(
  'an exchange of any two records before request %i costs at most four requests and no record',
  { timeout: 120_000 },
  (at) => {
    for (let a = 0; a < length; a += step)
      for (let b = a + 1; b < Math.min(length, a + limit + 1); b += 1) {
        const { verified, requests, missed } = walkWithExchange(at, a, b);
        expect({ a, b, verified, missed }).toEqual({ a, b, verified: true, missed: [] });
        expect(requests).toBeLessThanOrEqual(8 + 4);
      }
  },
);
