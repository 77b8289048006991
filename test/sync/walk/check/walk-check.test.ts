// Explores the walk exhaustively on small lists: every interleaving with so many disturbances, for each
// setting. What a walk claims in each end is held against the list. `npm run check:walk` prints what was
// covered; DEPTH explores more.
import { expect, test } from 'vitest';
import { requestsInAdvance, requestsPerRecord } from '../../../../src/sync/walk/budget.ts';
import { sized } from '../../../support/form.ts';
import { type Coverage, type Ending, explore, scriptOf } from './explore.ts';
import { hasMoveBeyondPromise, isHidden } from './hidden.ts';
import { looksAtRest } from './quiet.ts';
import type { Setting } from './world.ts';

/** Disturbances explored on top of those that CI explores. */
const deeper = Number(process.env['DEPTH'] ?? 0);

const isPrinted = process.env['CHECK_WALK'] === 'print';

/** Page limits of two and three, asked for or cut silently from more. */
const pages = [
  { limit: 2, clamp: null },
  { limit: 3, clamp: null },
  { limit: 5, clamp: 2 },
  { limit: 5, clamp: 3 },
] as const;
/** Of longer lists `npm test` explores a single disturbance. */
const disturbancesFor = (length: number) =>
  length <= 1 ? sized({ short: 2, long: 3 }) : length <= 2 ? 2 : sized({ short: 1, long: 2 });
const whole: readonly Pick<Setting, 'length' | 'window'>[] = [0, 1, 2, 3, 4, 5, 6].map((length) => ({
  length,
}));
/** Lists that the service cuts: an arrival at the head is a removal at the tail. */
const cut = [2, 3, 4].map((window) => ({ length: window + 1, window }));
const settings = [...whole, ...cut].flatMap((list) =>
  pages.map((page) => ({
    ...page,
    ...list,
    what: `${list.length} records${list.window === undefined ? '' : `, ${list.window} shown`}`,
    disturbances: disturbancesFor(list.length) + deeper,
  })),
);

/**
 * Requests after the last disturbance: twice the list's pages, once more for its head, and the searches of
 * one disturbance.
 */
const mostRequestsAtRest = ({ length, limit, clamp }: Setting) =>
  20 + 6 * Math.ceil((length + 3) / (Math.min(limit, clamp ?? limit) - 1));

interface Covered extends Coverage {
  verified: number;
  hidden: number;
}

function check(setting: Setting, disturbances: number): Covered {
  const counts = { verified: 0, hidden: 0 };
  const coverage = explore(setting, disturbances, (ending) => {
    if (ending.verdict.verified) counts.verified += 1;
    if (ending.missed === '') return;
    if (isUntold(ending)) counts.hidden += 1;
    else if (ending.verdict.verified) fail('verified, although a record that stayed was not met', ending);
    else fail('ended without a record that stayed, although the list stood still', ending);
  });
  return { ...coverage, ...counts };
}

/**
 * What the promise leaves out: answers of a list at rest, hidden moments, and moves to the middle of what was
 * read.
 */
function isUntold({ last, missed }: Ending): boolean {
  return looksAtRest(last) || isHidden(last, missed) || hasMoveBeyondPromise(last);
}

function fail(what: string, { last, missed, verdict }: Ending): never {
  throw new Error(`${what}: ${missed} (${verdict.doubts.join() || 'no doubt'})\n${scriptOf(last)}`);
}

test.each(settings)(
  'lists of $what, pages of $limit cut to $clamp, $disturbances disturbances',
  { timeout: 3_600_000 },
  (setting) => {
    const began = performance.now();
    if (isPrinted) process.stdout.write(`exploring lists of ${setting.length} …\n`);
    const covered = check(setting, setting.disturbances);
    expect(covered.longest).toBeLessThanOrEqual(mostRequestsAtRest(setting));
    expect(covered.longest).toBeLessThan(requestsInAdvance + requestsPerRecord * setting.length);
    // The greater part of what befalls a list does not keep a walk from being verified.
    expect(covered.verified / covered.endings).toBeGreaterThan(0.9);
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    if (isPrinted)
      process.stdout.write(
        `${setting.what}, pages of ${setting.limit}${setting.clamp === null ? '' : ` cut to ${setting.clamp}`}, ${covered.depth} disturbances: ${covered.states.toLocaleString('en')} states, ${covered.endings.toLocaleString('en')} ends, ${covered.hidden} beyond any reading, at most ${covered.longest} requests at rest, ${seconds} s\n`,
      );
  },
);
