// Plans that once found a defect of the engine, as they were shrunk, and one that random plans seldom
// contain.
import { beforeAll, test } from 'vitest';
import { type Bench, openBench } from './account.ts';
import type { Action } from './list-model.ts';
import type { Plan } from './plan.ts';
import { play } from './play.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});

const grow = (count: number, at = 0): Action => ({ kind: 'insert', place: 'grow', at, count });
const moveOn = (at: number): Action => ({ kind: 'status', at, to: 'next' });

const usual: Omit<Plan, 'steps'> = {
  order: 'head',
  length: 20,
  pageSize: 4,
  concurrency: 1,
  clamp: null,
  begin: 'known',
  rest: 'cycle',
};

test('a page that the walk passes by is committed', () =>
  play(bench, {
    ...usual,
    order: 'tail',
    clamp: 2,
    begin: 'unknown',
    steps: [{ between: [], run: 'cycle', during: [] }],
    rest: 'sweep',
  }));

test('an increment that was stopped after its first page hides nothing from the next', () =>
  play(bench, {
    ...usual,
    steps: [{ between: [grow(9)], run: 'cycle', during: [{ request: 2, what: { kind: 'stop' } }] }],
  }));

test('open records that move before new ones after the head was read hide nothing from the next increment', () =>
  play(bench, {
    ...usual,
    order: 'updated-first',
    steps: [
      {
        between: [],
        run: 'cycle',
        during: [
          // Settled from the first: no list of open ones shows it.
          { request: 2, what: grow(1, 3) },
          ...[5, 5, 5, 5, 5].map((at) => ({ request: 2, what: moveOn(at) })),
        ],
      },
    ],
  }));

test('a last record that goes while the end is confirmed is not waited for', () =>
  play(bench, {
    ...usual,
    pageSize: 6,
    begin: 'unknown',
    steps: [
      { between: [], run: 'full', during: [{ request: 7, what: { kind: 'delete', at: 19 } }] },
      { between: [], run: 'cycle', during: [] },
    ],
    rest: 'sweep',
  }));

test('a last record that moves to the head while the end is confirmed is not waited for', () =>
  play(bench, {
    ...usual,
    order: 'updated-first',
    pageSize: 6,
    begin: 'unknown',
    steps: [
      { between: [], run: 'full', during: [{ request: 7, what: { kind: 'to-head', at: 19 } }] },
      { between: [], run: 'cycle', during: [] },
    ],
    rest: 'sweep',
  }));

test('a page size that falls below what pages must share ends the sweep, and the next goes by it', () =>
  play(bench, {
    ...usual,
    clamp: 4,
    begin: 'unknown',
    steps: [
      {
        between: [],
        run: 'reconcile',
        during: [{ request: 10, what: { kind: 'clamp', to: 2 } }],
      },
    ],
    rest: 'sweep',
  }));

test('of two answers that overlap, the one that arrived first does not undo the other', () =>
  play(bench, {
    ...usual,
    concurrency: 3,
    begin: 'unknown',
    steps: [
      {
        between: [],
        run: 'full',
        during: [
          // The fifth page completes a commit, and the sixth, read ahead of it, stands in the next.
          { request: 5, what: { kind: 'answer', with: 'late' } },
          { request: 6, what: { kind: 'field', at: 8, field: 'note', value: 1 } },
        ],
      },
    ],
    rest: 'sweep',
  }));
