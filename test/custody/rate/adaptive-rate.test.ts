import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AdaptiveRate, type Reply, TokenBucket } from '../../../src/custody/rate/adaptive-rate.ts';
import { sampled } from '../../support/form.ts';
import {
  fixedWindow,
  type Limit,
  seededRandom,
  simulate,
  slidingWindow,
  summary,
  tokenBucket,
} from './limited-service.ts';

const holds = { minBackoffMs: 500, maxBackoffMs: 30_000 };
const accepted: Reply = { outcome: 'accepted', waitMs: null };
const refused: Reply = { outcome: 'refused', waitMs: null };

test('a given rate keeps the distance between requests, and makes up for a late timer only a little', () => {
  const controller = new TokenBucket({ rate: 10, ...holds });
  expect(controller.delayMs(0)).toBe(0);
  controller.grant(0);
  expect(controller.delayMs(0)).toBeGreaterThan(70);
  controller.grant(100);
  expect(controller.delayMs(100)).toBeCloseTo(100, -2);
  // After an idle hour nothing was saved up.
  controller.grant(3_600_000);
  expect(controller.delayMs(3_600_000)).toBeGreaterThan(70);
});

test('without a rate nothing waits until the service refuses; then one request alone asks whether it is over', () => {
  const controller = new TokenBucket({ rate: null, ...holds });
  const first = controller.grant(0);
  const second = controller.grant(0);
  expect(controller.delayMs(0)).toBe(0);
  controller.answered(10, first, refused);
  expect(controller.delayMs(10)).toBe(500);
  controller.answered(20, second, refused);
  expect(controller.delayMs(20)).toBe(490);
  const probe = controller.grant(510);
  expect(controller.delayMs(510)).toBe(Number.POSITIVE_INFINITY);
  controller.answered(520, probe, refused);
  expect(controller.delayMs(520)).toBeCloseTo(700);
  const again = controller.grant(1220);
  controller.answered(1230, again, accepted);
  expect(controller.delayMs(1230)).toBe(0);
});

test('a wait that the service asks for is kept, also after an answer that is no refusal', () => {
  for (const outcome of ['refused', 'unknown'] as const) {
    const controller = new AdaptiveRate({ rate: null, ...holds });
    controller.answered(0, controller.grant(0), { outcome, waitMs: 7000 });
    expect(controller.delayMs(0)).toBe(7000);
    expect(controller.delayMs(7000)).toBe(0);
  }
});

test('no wait after refusals exceeds its bound', () => {
  const controller = new TokenBucket({ rate: null, ...holds });
  let now = 0;
  for (let count = 0; count < 100; count += 1) {
    now += controller.delayMs(now);
    controller.answered(now, controller.grant(now), refused);
    expect(controller.delayMs(now)).toBeLessThanOrEqual(30_000);
  }
});

const second = 1000;
const limits: readonly [string, (rate: number) => Limit][] = [
  ['so many in each second', (rate) => fixedWindow(rate, second)],
  ['so many in any second', (rate) => slidingWindow(rate, second)],
  ['a bucket of a second', (rate) => tokenBucket(rate, rate)],
  ['a bucket of ten seconds', (rate) => tokenBucket(rate, 10 * rate)],
  ['so many in each ten seconds', (rate) => fixedWindow(10 * rate, 10 * second)],
];
const rates = [2, 5, 10, 50, 200];
test.each(limits.flatMap(([name, limit]) => rates.map((rate) => [name, rate, limit] as const)))(
  '%s, %d a second: after a minute nine tenths are used and one percent is refused at most',
  (_, rate, limit) => {
    for (const seed of sampled([1, 2, 3], { every: 3 })) {
      const { answers } = simulate({
        limit: limit(rate),
        random: seededRandom(seed),
        seconds: 300,
        latencyMs: Math.min(60, 2000 / rate),
      });
      const { perSecond, refusedShare } = summary(answers, 60, 300);
      expect(perSecond / rate).toBeGreaterThanOrEqual(0.9);
      expect(refusedShare).toBeLessThanOrEqual(0.01);
    }
  },
);

const longWindows = [5, 10, 20, 60].flatMap((seconds) => [2, 10, 50].map((rate) => [rate, seconds] as const));
test.each(longWindows)(
  '%d a second, counted over %d seconds from the first request: settled from the second minute on',
  (rate, seconds) => {
    for (const limit of [fixedWindow, slidingWindow]) {
      const { answers } = simulate({
        limit: limit(rate * seconds, seconds * second),
        random: seededRandom(1),
        seconds: 900,
      });
      for (const [from, to, mostRefused] of [
        [60, 300, 0.03],
        [300, 900, 0.01],
      ] as const) {
        const { perSecond, refusedShare } = summary(answers, from, to);
        expect(perSecond / rate).toBeGreaterThanOrEqual(0.9);
        expect(refusedShare).toBeLessThanOrEqual(mostRefused);
      }
    }
  },
);

test.each(longWindows)(
  '%d a second, counted over %d seconds and met in the middle: nothing is left unused, and it settles',
  (rate, seconds) => {
    for (const phase of sampled([0.1, 0.3, 0.5, 0.7, 0.9], { every: 3, from: 2 })) {
      for (const told of [false, true]) {
        const windowMs = seconds * second;
        const counted = fixedWindow(rate * seconds, windowMs);
        const begunBefore = phase * windowMs;
        const untilEnd = (now: number) => windowMs - ((now + begunBefore) % windowMs);
        const { answers } = simulate({
          limit: (now) => counted(now + begunBefore),
          random: seededRandom(1),
          seconds: 900,
          ...(told ? { retryAfterMs: (now: number) => Math.ceil(untilEnd(now) / second) * second } : {}),
        });
        expect(summary(answers, 0, 300).perSecond / rate).toBeGreaterThanOrEqual(0.9);
        expect(summary(answers, 300, 900).perSecond / rate).toBeGreaterThanOrEqual(0.9);
        expect(summary(answers, 300, 900).refusedShare).toBeLessThanOrEqual(0.015);
      }
    }
  },
);

test.each([
  [10, 60],
  [2, 60],
  [5, 10],
] as const)(
  '%d a second over %d seconds, used up by others at the start, is found all the same',
  (rate, seconds) => {
    for (const limit of [fixedWindow, slidingWindow]) {
      const inner = limit(rate * seconds, seconds * second);
      const usedUpFor = (seconds * second) / 2;
      const { answers } = simulate({
        limit: (now) => now > usedUpFor && inner(now - usedUpFor),
        random: seededRandom(1),
        seconds: 900,
      });
      const { perSecond, refusedShare } = summary(answers, 180, 900);
      expect(perSecond / rate).toBeGreaterThanOrEqual(0.9);
      expect(refusedShare).toBeLessThanOrEqual(0.015);
    }
  },
);

test('Retry-After of a whole second leaves nine tenths of the rate', () => {
  const limit = slidingWindow(10, second);
  const { answers } = simulate({ limit, retryAfterMs: () => 1000, random: seededRandom(1), seconds: 300 });
  const { perSecond, refusedShare } = summary(answers, 60, 300);
  expect(perSecond).toBeGreaterThanOrEqual(9);
  expect(refusedShare).toBeLessThanOrEqual(0.01);
});

test('eight seconds of refusals in each hundred, for another reason than the rate, cost no more than they last', () => {
  const limit: Limit = (now) => now % 100_000 >= 8_000;
  const { answers } = simulate({ limit, random: seededRandom(1), seconds: 3600 });
  const before = summary(answers, 10, 60).perSecond;
  expect(summary(answers, 3000, 3600).perSecond / before).toBeGreaterThanOrEqual(0.8);
});

test('the first request already obeys a rate learned earlier', () => {
  const { answers } = simulate({
    limit: slidingWindow(10, second),
    random: seededRandom(1),
    seconds: 60,
    learned: 9.5,
  });
  expect(summary(answers, 0, 60).refusedShare).toBeLessThanOrEqual(0.01);
});

test('a limit that changes is found again, lower or higher', () => {
  const [before, lower, higher] = [
    slidingWindow(20, second),
    slidingWindow(5, second),
    slidingWindow(40, second),
  ];
  const limit: Limit = (now) => (now < 120_000 ? before(now) : now < 240_000 ? lower(now) : higher(now));
  const { answers } = simulate({ limit, random: seededRandom(1), seconds: 1200 });
  expect(summary(answers, 60, 120).perSecond).toBeGreaterThanOrEqual(18);
  expect(summary(answers, 180, 240).perSecond).toBeGreaterThanOrEqual(4.5);
  expect(summary(answers, 180, 240).refusedShare).toBeLessThanOrEqual(0.01);
  expect(summary(answers, 900, 1200).perSecond).toBeGreaterThanOrEqual(36);
});

test('a refusal that was given up before a pause shows no limit', () => {
  const controller = new AdaptiveRate({ rate: null, ...holds });
  let now = 0;
  const ask = (times: number, outcome: Reply['outcome']) => {
    for (let asked = 0; asked < times; asked += 1) {
      now += 100 + controller.delayMs(now);
      controller.answered(now, controller.grant(now), { outcome, waitMs: null });
    }
  };
  ask(25, 'accepted');
  while (now < 60_000) ask(1, 'refused');
  ask(20, 'accepted');
  ask(3, 'refused');
  now += 300_000;
  ask(1, 'accepted');
  expect(controller.rate).toBeLessThan(1);
});

test('whatever happens, the rate stays a positive number and a wait ends', () => {
  const reply = fc.record({
    outcome: fc.constantFrom('accepted', 'refused', 'unknown'),
    waitMs: fc.option(fc.nat(100_000)),
  });
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(5000), fc.boolean(), reply)), (steps) => {
      const controller = new AdaptiveRate({ rate: null, ...holds });
      const flying: ReturnType<AdaptiveRate['grant']>[] = [];
      let now = 0;
      for (const [ms, send, answer] of steps) {
        now += ms;
        const delay = controller.delayMs(now);
        if (send && Number.isFinite(delay)) {
          now += Math.max(0, delay);
          flying.push(controller.grant(now));
        }
        const oldest = flying.shift();
        if (oldest !== undefined) controller.answered(now, oldest, answer);
        expect(controller.rate === null || (controller.rate > 0 && Number.isFinite(controller.rate))).toBe(
          true,
        );
        if (flying.length === 0) expect(controller.delayMs(now)).toBeLessThanOrEqual(150_000);
      }
    }),
    {
      // Requests that ask whether a refusal is over, before the turn that a very slow rate gives them.
      examples: [
        [
          [
            [0, true, { outcome: 'accepted', waitMs: 4741 }],
            [0, true, { outcome: 'refused', waitMs: 24_401 }],
            [0, true, { outcome: 'accepted', waitMs: 1 }],
            [0, true, { outcome: 'unknown', waitMs: 1 }],
            [0, true, { outcome: 'accepted', waitMs: 1 }],
            [0, true, { outcome: 'accepted', waitMs: 1 }],
            [0, true, { outcome: 'accepted', waitMs: null }],
          ],
        ],
      ],
    },
  );
});
