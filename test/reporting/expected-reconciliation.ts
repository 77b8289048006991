// What the reconciliation must show, span by span, from the recorded observations and the second bookkeeper's postings.
import type { BalanceRecord } from '../../src/sandbox/records.ts';
import { type Observation, observationsOf, sumOf } from './balance-walk.ts';
import { sum, textOrNull, type Units, units } from './decimal.ts';
import { type Posting, postingsOf } from './expected-sums.ts';
import { moment, sinceOf } from './expected-transactions.ts';
import type { Observed } from './observed.ts';
import type { ViewRow } from './views.ts';
import { dayOf } from './zones.ts';

/** What an asset did between two observations; null is unknown. */
interface Span {
  readonly opening: Units | null;
  readonly closing: Units | null;
  readonly inflow: Units | null;
  readonly outflow: Units | null;
  readonly fee: Units | null;
  /** Change of the total that no transaction explains. */
  readonly difference: Units | null;
  /** Change of the staked and claimable parts that no transaction explains. */
  readonly staked: Units | null;
}

/** What transactions moved that may lie on either side of an observation. */
interface Uncertain {
  readonly total: Units | null;
  readonly unstaked: Units | null;
  readonly staked: Units | null;
}

const minus = (a: Units | null): Units | null => (a === null ? null : -a);
const magnitude = (a: Units): Units => (a < 0n ? -a : a);
const above = (a: Units): Units => (a > 0n ? a : 0n);
const stakedOf = (record: BalanceRecord) => units(record.staking) + units(record.claimable);

export function reconciliationRows(observed: Observed, timeZone: string): ViewRow[] {
  const books = openBooks(observed);
  const { observations } = books;
  const closings = new Map(
    observations.map((observation) => [dayOf(observation.answeredAt, timeZone), observation]),
  );
  return [...closings].flatMap(([day, closing]) => {
    const opening = observations.findLast(({ answeredAt }) => dayOf(answeredAt, timeZone) < day);
    return [...books.assetsBetween(opening, closing)].map(([assetId, assetName]) => ({
      account_id: observed.account,
      day,
      asset_id: assetId,
      asset_name: assetName || null,
      ...rowOf(books, opening, closing, assetId),
      is_comparable: opening !== undefined && opening.askedAt >= sinceOf(observed),
    }));
  });
}

type Books = ReturnType<typeof openBooks>;

function openBooks(observed: Observed) {
  const postings = postingsOf(observed);
  const observations = observationsOf(observed, 'all');
  const between = (from: Observation | undefined, to: Observation) =>
    postings.filter(({ at }) => from !== undefined && at > from.answeredAt && at <= to.answeredAt);
  return {
    observations,
    previous: (one: Observation | undefined) => (one && observations[observations.indexOf(one) - 1]) ?? null,
    next: (one: Observation) => observations[observations.indexOf(one) + 1] ?? null,
    wasReadSince: (one: Observation) => observed.transactions.some(({ at }) => at >= one.answeredAt),
    assetsBetween(from: Observation | undefined, to: Observation): Map<string, string | null> {
      const shown = [from, to].flatMap((one) => [...(one?.shown.values() ?? [])]);
      return new Map([
        ...between(from, to).map(({ record }) => [record.assetId, record.assetName] as const),
        ...shown.map(({ assetId, record }) => [assetId, record?.assetName ?? null] as const),
      ]);
    },
    span(from: Observation | undefined | null, to: Observation | null, assetId: string): Span | null {
      if (to === null || from === null) return null;
      const own = between(from, to).filter(({ record }) => record.assetId === assetId);
      const of = (one: Observation | undefined, amount?: (record: BalanceRecord) => Units) =>
        one === undefined ? null : sumOf(one, (known) => known.assetId === assetId, amount);
      const add = (part: 'inflow' | 'outflow' | 'fee' | 'staked') =>
        from === undefined ? null : sum(own.map((posting) => posting[part]));
      const [opening, closing] = [of(from), of(to)];
      const [inflow, outflow, fee] = [add('inflow'), add('outflow'), add('fee')];
      return {
        opening,
        closing,
        inflow,
        outflow,
        fee,
        difference: sum([closing, minus(opening), minus(inflow), outflow, fee]),
        staked: sum([of(to, stakedOf), minus(of(from, stakedOf)), minus(add('staked'))]),
      };
    },
    uncertain(at: Observation | undefined, until: Observation | null, assetId: string): Uncertain {
      const own =
        at === undefined ? [] : postings.filter((posting) => isUncertain(posting, at, this.next(at)));
      const seen = own.filter(
        ({ record, at: seenAt }) =>
          record.assetId === assetId && (until === null || seenAt <= until.answeredAt),
      );
      const add = (amount: (posting: Posting) => Units | null) =>
        sum(seen.map(amount).map((moved) => (moved === null ? null : magnitude(moved))));
      return {
        total: add(({ total }) => total),
        unstaked: add(({ total, staked }) => sum([total, minus(staked)])),
        staked: add(({ staked }) => staked),
      };
    },
  };
}

/** The change lies after `after` and not after `at`; the figure between the request and the answer. */
function isUncertain(
  { at, after, total, staked }: Posting,
  observation: Observation,
  next: Observation | null,
) {
  if ((total === 0n && staked === 0n) || at <= observation.askedAt) return false;
  if (at <= observation.answeredAt) return true;
  return after === null ? next === null || at <= next.answeredAt : after < observation.answeredAt;
}

function rowOf(
  books: Books,
  opening: Observation | undefined,
  closing: Observation,
  assetId: string,
): ViewRow {
  const own = books.span(opening, closing, assetId);
  if (own === null) throw new Error('there is no closing');
  const judged = judge(books, opening, closing, assetId, own);
  const expected = sum([own.opening, own.inflow, minus(own.outflow), minus(own.fee), judged.rewards]);
  return {
    opening_observed_at: moment(opening?.at ?? null),
    opening_balance: textOrNull(own.opening),
    inflow: textOrNull(own.inflow),
    outflow: textOrNull(own.outflow),
    fees: textOrNull(own.fee),
    staking_rewards: textOrNull(judged.rewards),
    expected_balance: textOrNull(expected),
    closing_balance: textOrNull(own.closing),
    closing_observed_at: moment(closing.at),
    unexplained_difference: textOrNull(sum([own.closing, minus(expected), minus(judged.timing)])),
    is_explained: judged.isExplained,
    staking_losses: textOrNull(judged.losses),
    timing_difference: textOrNull(judged.timing),
    uncertain_at_opening: judged.atOpening,
    uncertain_at_closing: judged.atClosing,
  };
}

interface Judged {
  readonly rewards: Units | null;
  readonly losses: Units | null;
  readonly timing: Units | null;
  readonly isExplained: boolean | null;
  readonly atOpening: string | null;
  readonly atClosing: string | null;
}

function judge(
  books: Books,
  opening: Observation | undefined,
  closing: Observation,
  assetId: string,
  { difference, staked }: Span,
): Judged {
  const isAlone = difference === null || staked === null ? null : difference === staked && staked >= 0n;
  const none = { total: 0n, unstaked: 0n, staked: 0n };
  const next = books.next(closing);
  const looked = isAlone === false;
  const atOpening = looked ? books.uncertain(opening, closing, assetId) : none;
  const atClosing = looked ? books.uncertain(closing, next, assetId) : none;
  const moved = {
    atOpening: isAlone === null ? null : textOrNull(atOpening.total),
    atClosing: isAlone === null ? null : textOrNull(atClosing.total),
  };
  const [rewards, losses] = [staked === null ? null : above(staked), staked === null ? null : above(-staked)];
  if (difference === null || staked === null || isAlone === true)
    return { rewards, losses, timing: isAlone === null ? null : 0n, isExplained: isAlone, ...moved };
  const before = books.span(books.previous(opening), opening ?? null, assetId);
  const after = books.span(closing, next, assetId);
  const fits = (...uncertain: readonly Uncertain[]) => {
    const [unstaked, stakings] = [
      sum(uncertain.map((one) => one.unstaked)),
      sum(uncertain.map((one) => one.staked)),
    ];
    const isMoved = uncertain.some((one) => one.total !== 0n || one.staked !== 0n);
    if (unstaked === null || stakings === null || !isMoved) return false;
    return magnitude(difference - staked) <= unstaked && above(-staked) <= stakings;
  };
  const undone = (...spans: readonly (Span | null)[]) => {
    const all = [...spans, { difference, staked }];
    const rest = sum(all.map((span) => sum([span?.difference ?? null, minus(span?.staked ?? null)])));
    const stakings = sum(all.map((span) => span?.staked ?? null));
    return rest === 0n && stakings !== null && stakings >= 0n;
  };
  const isTiming =
    (fits(atOpening) && undone(before)) ||
    (fits(atClosing) && undone(after)) ||
    (isBoth(atOpening, atClosing) && fits(atOpening, atClosing) && undone(before, after));
  const stakings = sum([atOpening.staked, atClosing.staked]) ?? 0n;
  const isShift = isTiming && magnitude(staked) <= stakings;
  const kept = { rewards: isShift ? 0n : rewards, losses: isShift ? 0n : losses };
  const timing = isTiming ? difference - (kept.rewards ?? 0n) : 0n;
  const isUndecided =
    atOpening.total === null ||
    atClosing.total === null ||
    (next === null && (fits(atClosing) || !books.wasReadSince(closing))) ||
    (fits(atOpening) && before === null) ||
    (fits(atClosing) && after === null);
  return { ...kept, timing, isExplained: isTiming ? true : isUndecided ? null : false, ...moved };
}

function isBoth(...uncertain: readonly Uncertain[]): boolean {
  return uncertain.every(({ total, staked }) => total !== 0n || staked !== 0n);
}
