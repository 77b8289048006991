// A plan of one interleaving: the list it begins with, the runs of the engine, and what happens between them
// and before which of their requests. Plans are values, so that fast-check can shrink them and a
// counterexample can be kept.
import fc from 'fast-check';
import { type Action, type ListOrder, statuses } from './list-model.ts';
import type { Misbehaviour } from './service.ts';

export type Happening =
  | Action
  | { readonly kind: 'clamp'; readonly to: number | null }
  /** The request is answered otherwise than with the truth. */
  | { readonly kind: 'answer'; readonly with: Misbehaviour }
  /**
   * The engine is stopped, as a crash would: what it was doing is aborted, and the next run begins from the
   * database.
   */
  | { readonly kind: 'stop' };

export type RunKind = 'cycle' | 'full' | 'reconcile';

export interface Step {
  readonly between: readonly Happening[];
  readonly run: RunKind;
  /** Before the request of this number of the run. */
  readonly during: readonly { readonly request: number; readonly what: Happening }[];
}

export interface Plan {
  readonly order: ListOrder;
  readonly length: number;
  readonly pageSize: number;
  readonly concurrency: number;
  readonly clamp: number | null;
  /**
   * `known`: the list was swept once and its growing end is known, so that cycles read only that and what is
   * open.
   */
  readonly begin: 'unknown' | 'known';
  readonly steps: readonly Step[];
  /** What must bring the mirror up to date when nothing changes any more. */
  readonly rest: 'cycle' | 'sweep';
}

export interface PlanSize {
  readonly maxLength: number;
  readonly maxSteps: number;
  readonly maxDuring: number;
  readonly maxRequest: number;
  /** Whether requests fail and the engine is stopped. */
  readonly faults: boolean;
}

export function plans(orders: readonly ListOrder[], size: PlanSize): fc.Arbitrary<Plan> {
  const clamp = fc.oneof(
    { weight: 3, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.integer({ min: 2, max: 9 }) },
  );
  return fc.record({
    order: fc.constantFrom(...orders),
    length: fc.oneof(
      fc.integer({ min: 0, max: size.maxLength }),
      fc.integer({ min: 20, max: size.maxLength }),
    ),
    pageSize: fc.integer({ min: 4, max: 16 }),
    concurrency: fc.constantFrom(1, 1, 3),
    clamp,
    begin: fc.constantFrom('unknown', 'known'),
    steps: fc.array(step(size, clamp), { minLength: 1, maxLength: size.maxSteps }),
    rest: fc.constant('sweep'),
  });
}

/**
 * Lists that change only as an account usually does: new records at the growing end, and open ones that move
 * on. Cycles alone must keep up with them.
 */
export function usualPlans(orders: readonly ListOrder[], size: PlanSize): fc.Arbitrary<Plan> {
  const growth: fc.Arbitrary<Happening> = fc.oneof(
    insertion(fc.constant('grow' as const)),
    fc.record({ kind: fc.constant('status' as const), at: place, to: fc.constant('next' as const) }),
  );
  const happening = size.faults ? fc.oneof({ weight: 8, arbitrary: growth }, ...faults()) : growth;
  return fc.record({
    order: fc.constantFrom(...orders),
    length: fc.integer({ min: 0, max: size.maxLength }),
    pageSize: fc.integer({ min: 4, max: 14 }),
    concurrency: fc.constantFrom(1, 1, 3),
    clamp: fc.constant(null),
    begin: fc.constant('known'),
    steps: fc.array(
      fc.record({
        between: fc.array(growth, { maxLength: 4 }),
        run: fc.constant('cycle'),
        during: during(size, happening),
      }),
      { minLength: 1, maxLength: size.maxSteps },
    ),
    rest: fc.constant('cycle'),
  });
}

function during(size: PlanSize, happening: fc.Arbitrary<Happening>): fc.Arbitrary<Step['during']> {
  const one = fc.record({ request: fc.integer({ min: 1, max: size.maxRequest }), what: happening });
  return fc.array(one, { maxLength: size.maxDuring });
}

function faults() {
  return [
    {
      weight: 3,
      arbitrary: fc
        .constantFrom<Misbehaviour>('fault', 'limited', 'cut')
        .map((kind): Happening => ({ kind: 'answer', with: kind })),
    },
    { weight: 1, arbitrary: fc.constant<Happening>({ kind: 'stop' }) },
  ];
}

function insertion<Place extends 'grow' | 'head' | 'tail' | 'middle'>(where: fc.Arbitrary<Place>) {
  return fc.record({
    kind: fc.constant('insert' as const),
    place: where,
    at: place,
    count: fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: 1, max: 3 }) },
      { weight: 1, arbitrary: fc.integer({ min: 4, max: 15 }) },
    ),
  });
}

function step(size: PlanSize, clamp: fc.Arbitrary<number | null>): fc.Arbitrary<Step> {
  const happening = fc.oneof(
    { weight: 16, arbitrary: action() },
    { weight: 1, arbitrary: clamp.map((to): Happening => ({ kind: 'clamp', to })) },
    { weight: 1, arbitrary: fc.constant<Happening>({ kind: 'answer', with: 'false-empty' }) },
    { weight: 2, arbitrary: fc.constant<Happening>({ kind: 'answer', with: 'late' }) },
    ...(size.faults ? faults() : []),
  );
  return fc.record({
    between: fc.array(action(), { maxLength: 4 }),
    run: fc.constantFrom<RunKind>('cycle', 'cycle', 'cycle', 'full', 'reconcile'),
    during: during(size, happening),
  });
}

/** Places near the ends matter most: there the list grows, and there walks begin and end. */
const place = fc.oneof(fc.nat(4), fc.nat(99));

function action(): fc.Arbitrary<Action> {
  return fc.oneof(
    {
      weight: 5,
      arbitrary: insertion(fc.constantFrom('grow', 'grow', 'grow', 'head', 'tail', 'middle')),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), at: place }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('restore' as const), at: place }) },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('status' as const),
        at: place,
        to: fc.oneof(fc.constant('next' as const), fc.constantFrom(...statuses)),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('field' as const),
        at: place,
        field: fc.constantFrom('amount', 'fee', 'note', 'txnHash', 'sourceName', 'unknown'),
        value: fc.nat(2),
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('to-head' as const), at: place }) },
  );
}
