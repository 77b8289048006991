// Walks that once missed a record, gave up, or read far too much, as a review found them.
import { describe, expect, test } from 'vitest';
import { CustodyError } from '../../../src/domain/errors.ts';
import { createKeySet } from '../../../src/sync/run/key-set.ts';
import type { WalkRules, WalkState } from '../../../src/sync/walk/state.ts';
import {
  answerWalk,
  newWalk,
  requestOf,
  resumeWalk,
  verdictOf,
  walkPositionFromJson,
  walkPositionToJson,
} from '../../../src/sync/walk/walk.ts';
import { walkList } from '../../../src/sync/walk/walk-list.ts';

type Keys = readonly string[];

interface Scenario {
  readonly length: number;
  readonly limit: number;
  /** The list before an answer, by its number from 1. */
  readonly change?: (request: number, keys: Keys) => Keys;
  readonly clamp?: (request: number) => number;
  /** Stops after so many answers, and goes on from the stored position. */
  readonly stopAfter?: number;
}

const named = (length: number): Keys => Array.from({ length }, (_, index) => `r${index}`);

function play({ length, limit, change, clamp = () => limit, stopAfter }: Scenario) {
  const rules: WalkRules = { paging: 'documented', limit, expectedLength: null, maxPages: 10_000 };
  const first = named(length);
  let keys = first;
  const left = new Set<string>();
  const everMet = new Set<string>();
  let met = createKeySet();
  let walk: WalkState = newWalk();
  let requests = 0;
  for (let request = requestOf(walk); request !== null; request = requestOf(walk)) {
    requests += 1;
    const before = keys;
    keys = change?.(requests, keys) ?? keys;
    const present = new Set(keys);
    for (const key of before) if (!present.has(key)) left.add(key);
    const page = keys.slice(request.offset, request.offset + Math.min(limit, clamp(requests)));
    walk = answerWalk(walk, { rules, met }, { keys: page, hasUndecodable: false, isRefused: false }).state;
    for (const key of page) {
      met.add(key);
      everMet.add(key);
    }
    if (requests !== stopAfter) continue;
    met = createKeySet();
    const stored = walkPositionFromJson(JSON.parse(JSON.stringify(walkPositionToJson(walk))));
    expect(stored).not.toBeNull();
    if (stored !== null) walk = resumeWalk(stored, { rules, met });
  }
  const missed = first.filter((key) => !left.has(key) && !everMet.has(key));
  return { ...verdictOf(walk), requests, missed };
}

test('a search that meets records beyond a gap does not take them for walked', () => {
  for (let at = 45; at <= 58; at += 1) {
    const change = (request: number, keys: Keys) =>
      request === at ? keys.filter((_, place) => place < 1_100 || place >= 1_300) : keys;
    const { verified, missed } = play({ length: 1_500, limit: 30, change });
    expect({ at, verified, missed }).toEqual({ at, verified: true, missed: [] });
  }
});

test('a record that jumps to the head again while the head is read is met', () => {
  const to = (place: 'head' | 'tail', key: string) => (keys: Keys) => {
    const others = keys.filter((other) => other !== key);
    return place === 'head' ? [key, ...others] : [...others, key];
  };
  const exchange = (a: string, b: string) => (keys: Keys) =>
    keys.map((key) => (key === a ? b : key === b ? a : key));
  const steps: Readonly<Record<number, (keys: Keys) => Keys>> = {
    5: to('head', 'r22'),
    11: to('head', 'r26'),
    15: to('head', 'r42'),
    17: to('head', 'r25'),
    19: to('head', 'r41'),
    21: to('tail', 'r48'),
    27: exchange('r50', 'r54'),
    28: exchange('r17', 'r18'),
    29: to('head', 'r48'),
    34: (keys) => keys.filter((key) => key !== 'r11'),
    40: (keys) => [...keys.slice(0, 34), 'n40', ...keys.slice(34)],
    41: (keys) => ['n41', ...keys],
    49: to('head', 'r22'),
  };
  const change = (request: number, keys: Keys) => steps[request]?.(keys) ?? keys;
  const { verified, missed } = play({ length: 65, limit: 8, clamp: () => 4, change });
  expect({ missed: verified ? missed : [] }).toEqual({ missed: [] });
});

describe('a list that stands still is read whole', () => {
  test.each([
    ['alternates between 200 and 5', (request: number) => (request % 2 === 0 ? 200 : 5)],
    ['alternates between 200 and 1', (request: number) => (request % 2 === 0 ? 200 : 1)],
    ['falls to 4 for good', (request: number) => (request < 20 ? 200 : 4)],
    ['falls to 4 for a while', (request: number) => (request < 10 || request > 70 ? 200 : 4)],
  ])('although the length of its pages %s', (_, clamp) => {
    expect(play({ length: 3_000, limit: 200, clamp }).missed).toEqual([]);
  });

  test('in few more requests when it is resumed', () => {
    const whole = play({ length: 10_000, limit: 200 });
    for (const stopAfter of [20, 40, 50]) {
      const resumed = play({ length: 10_000, limit: 200, stopAfter });
      expect(resumed).toMatchObject({ verified: true, missed: [] });
      expect(resumed.requests).toBeLessThanOrEqual(whole.requests + 3);
    }
  });

  test('although one key stands twice in it', () => {
    const twice = (_: number, keys: Keys) =>
      keys.includes('twin') ? keys : [...keys.slice(0, 50), 'twin', 'twin', ...keys.slice(50)];
    expect(play({ length: 300, limit: 50, change: twice })).toMatchObject({ verified: true, missed: [] });
  });
});

test('an exchange in a long list costs a few requests wherever it happens', () => {
  const usual = play({ length: 1_500, limit: 30 }).requests;
  for (let at = 4; at <= usual; at += 3)
    for (const [a, b] of [
      [at * 28, at * 28 + 15],
      [at * 28 - 20, at * 28 + 5],
    ] as const) {
      const change = (request: number, keys: Keys) => {
        const [first, second] = [keys[a], keys[b]];
        if (request !== at || first === undefined || second === undefined) return keys;
        return keys.with(a, second).with(b, first);
      };
      const { verified, missed, requests } = play({ length: 1_500, limit: 30, change });
      expect({ at, a, b, verified, missed }).toEqual({ at, a, b, verified: true, missed: [] });
      expect(requests).toBeLessThanOrEqual(usual + 12);
    }
});

test('a refusal in the middle of a list that is paged is a fault, and not its end', async () => {
  const keys = named(500);
  let requests = 0;
  const walk = walkList<string>({
    paging: 'unknown',
    limit: 50,
    ahead: null,
    expectedLength: null,
    maxPages: 1_000,
    met: createKeySet(),
    recheckMs: 0,
    signal: new AbortController().signal,
    onPage: async () => undefined,
    async read({ offset = 0 }) {
      requests += 1;
      if (requests === 8)
        throw new CustodyError('refused', {
          kind: 'permanent',
          code: 'ERR-00',
          endpoint: 'vaults',
          httpStatus: 400,
          retryAfterMs: null,
        });
      const items = keys
        .slice(offset, offset + 50)
        .map((key) => ({ kind: 'record' as const, key, hash: key, record: key }));
      return { items, beganAt: requests, arrivedAt: requests, sourceTimestamp: null };
    },
  });
  await expect(walk).rejects.toThrow('refused');
});

test.each([2, 3, 5])('a list that grows at its tail at every %i. request does not hold the walk', (every) => {
  const change = (request: number, keys: Keys) => (request % every === 0 ? [...keys, `n${request}`] : keys);
  const { requests, missed } = play({ length: 40, limit: 10, change });
  expect(requests).toBeLessThan(1_000);
  expect(missed).toEqual([]);
});

test('a list whose pages hold one record is read whole, and its doubt names the pages and not the order', () => {
  expect(play({ length: 20, limit: 10, clamp: () => 1 })).toMatchObject({
    missed: [],
    doubts: ['short-settled'],
  });
  expect(play({ length: 20, limit: 1 })).toMatchObject({ missed: [], doubts: ['short-settled'] });
});
