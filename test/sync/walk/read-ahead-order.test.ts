// Pages that are read ahead are answered in any order: one may be older than the page in front of it.
import { expect, test } from 'vitest';
import type { Page, PageRequest } from '../../../src/domain/page.ts';
import { createKeySet } from '../../../src/sync/run/key-set.ts';
import { walkList } from '../../../src/sync/walk/walk-list.ts';
import { randomOf } from './check/random-world.ts';
import { pagesAhead } from './model-list.ts';

const length = 2_000;
const limit = 50;
/** Each page once, and the usual requests for the order, the end and the head. */
const requestsAtRest = 47;

interface Pending {
  readonly offset: number;
  readonly answer: () => void;
}

/**
 * Answers what is asked for at one time in random order. From so many answers on, one record is removed from
 * a page that was overtaken by a later one.
 */
function walkOutOfOrder(seed: number, removeFrom: number) {
  const random = randomOf(seed);
  let keys = Array.from({ length }, (_, index) => `r${index}`);
  const met = createKeySet();
  const pending: Pending[] = [];
  let answers = 0;
  let furthest = 0;

  function answerOne(): void {
    const overtaken = pending.find(({ offset }) => offset > 0 && offset < furthest);
    if (answers >= removeFrom && overtaken !== undefined && keys.length === length) {
      const place = overtaken.offset + Math.floor(limit / 2);
      keys = keys.filter((_, index) => index !== place);
    }
    const [one] = pending.splice(Math.floor(random() * pending.length), 1);
    answers += 1;
    furthest = Math.max(furthest, one?.offset ?? 0);
    one?.answer();
    if (pending.length > 0) setImmediate(answerOne);
  }

  const read = ({ offset = 0 }: PageRequest) =>
    new Promise<Page<string>>((resolve) => {
      if (pending.length === 0) setImmediate(answerOne);
      const answer = () => {
        const page = keys.slice(offset, offset + limit);
        const items = page.map((key) => ({ kind: 'record' as const, key, hash: key, record: key }));
        resolve({ items, beganAt: answers, arrivedAt: answers, sourceTimestamp: null });
      };
      pending.push({ offset, answer });
    });
  return walkList<string>({
    read,
    paging: 'documented',
    limit,
    ahead: pagesAhead(3),
    expectedLength: length,
    maxPages: 1_000,
    onPage: async () => undefined,
    met,
    recheckMs: 0,
    signal: new AbortController().signal,
  }).then((verdict) => ({
    verdict,
    answers,
    isRemoved: keys.length < length,
    missed: keys.filter((key) => !met.has(key)),
  }));
}

test('a list at rest whose pages are answered in any order is verified', async () => {
  const { verdict, answers, missed } = await walkOutOfOrder(1, Number.POSITIVE_INFINITY);
  expect({ verified: verdict.verified, missed, answers }).toEqual({
    verified: true,
    missed: [],
    answers: requestsAtRest,
  });
});

test('a record removed from a page that a later one overtook costs some requests, and not the list once more', async () => {
  for (let seed = 1; seed <= 40; seed += 1) {
    const { verdict, answers, isRemoved, missed } = await walkOutOfOrder(seed, 10 + (seed % 20));
    const { verified, evidence } = verdict;
    expect({ seed, verified, missed, isRemoved, grew: evidence.grew }).toEqual({
      seed,
      verified: true,
      missed: [],
      isRemoved: true,
      grew: 0,
    });
    // What was read ahead in vain, twice at most, and the page asked for again.
    expect(answers).toBeLessThanOrEqual(requestsAtRest + 12);
  }
});
