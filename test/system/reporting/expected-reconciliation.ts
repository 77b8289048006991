// What the reconciliation must show, span by span, from the recorded observations and the second bookkeeper's
// postings.
import type { BalanceRecord } from '../../../packages/sandbox/src/world/records.ts';
import { type Observation, observationsOf, sumOf } from './balance-walk.ts';
import { sum, textOrNull, type Units, units } from './decimal.ts';
import { type Posting, postingsOf } from './expected-sums.ts';
import { moment, sinceOf } from './expected-transactions.ts';
import type { Observed } from './observed.ts';
import type { ViewRow } from './views.ts';
import { dayOf, type Zone } from './zones.ts';

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
  readonly isNone: boolean;
  readonly total: Units | null;
  readonly unstaked: Units | null;
  readonly staked: Units | null;
}

const minus = (a: Units | null): Units | null => (a === null ? null : -a);
const magnitude = (a: Units): Units => (a < 0n ? -a : a);
const above = (a: Units): Units => (a > 0n ? a : 0n);
const stakedOf = (record: BalanceRecord) => units(record.staking) + units(record.claimable);

export function reconciliationRows(observed: Observed, timeZone: Zone): ViewRow[] {
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
    uncertain(at: Observation | undefined, assetId: string): Uncertain {
      const next = at === undefined ? null : (observations[observations.indexOf(at) + 1] ?? null);
      const own = postings.filter(
        (posting) => at !== undefined && posting.record.assetId === assetId && isUncertain(posting, at, next),
      );
      const add = (amount: (posting: Posting) => Units | null) =>
        sum(own.map(amount).map((moved) => (moved === null ? null : magnitude(moved))));
      return {
        isNone: own.length === 0,
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
  const isQuiet = allZero(difference, staked);
  if (opening === undefined || isQuiet !== false) {
    const moved = isQuiet === null ? null : '0';
    const [rewards, losses] = [positive(staked), positive(minus(staked))];
    return {
      rewards,
      losses,
      timing: isQuiet ? 0n : null,
      isExplained: isQuiet,
      atOpening: moved,
      atClosing: moved,
    };
  }
  const [first, last] = [books.uncertain(opening, assetId), books.uncertain(closing, assetId)];
  const [total, unstaked, stakings] = [
    sum([first.total, last.total]),
    sum([first.unstaked, last.unstaked]),
    sum([first.staked, last.staked]),
  ];
  const rest = sum([difference, minus(staked)]);
  const shift = shiftOf(books, opening, closing, assetId, rest);
  const gained = stakings === 0n ? staked : total === 0n && shift.isTiming ? difference : null;
  const exceeds = (amount: Units | null, most: Units | null) =>
    amount !== null && most !== null && amount > most;
  const isCertain =
    (gained !== null && gained < 0n) ||
    exceeds(minus(difference), total) ||
    exceeds(minus(staked), stakings) ||
    exceeds(rest === null ? null : magnitude(rest), unstaked);
  const isTrue = gained !== null && gained >= 0n && shift.isTiming;
  const isFalse =
    (isCertain && books.wasReadSince(closing)) ||
    (!shift.isTiming && shift.standsUntil !== null && books.wasReadSince(shift.standsUntil));
  const timing =
    gained === null || rest === null ? null : shift.isTiming ? rest + (staked ?? 0n) - gained : 0n;
  return {
    rewards: positive(gained),
    losses: positive(minus(gained)),
    timing,
    isExplained: isTrue ? true : isFalse ? false : null,
    atOpening: textOrNull(first.total),
    atClosing: textOrNull(last.total),
  };
}

/** Whether both are zero; one that is not decides, also where the other is unknown. */
function allZero(...amounts: readonly (Units | null)[]): boolean | null {
  if (amounts.some((amount) => amount !== null && amount !== 0n)) return false;
  return amounts.includes(null) ? null : true;
}

const positive = (amount: Units | null) => (amount === null ? null : above(amount));

/**
 * Follows how far the balances are from the flows, observation by observation, from the last one before that
 * nothing leaves uncertain to the first one after. Timing comes back to where it began, and is never further
 * away than what is uncertain there.
 */
function shiftOf(
  books: Books,
  opening: Observation,
  closing: Observation,
  assetId: string,
  rest: Units | null,
): { readonly isTiming: boolean; readonly standsUntil: Observation | null } {
  if (rest === 0n) return { isTiming: true, standsUntil: null };
  const isSettled = (one: Observation) => books.uncertain(one, assetId).isNone;
  const { observations } = books;
  const from = observations.slice(0, observations.indexOf(opening) + 1).findLast(isSettled);
  const until = observations.slice(observations.indexOf(closing)).find(isSettled);
  if (from === undefined || until === undefined || rest === null)
    return { isTiming: false, standsUntil: null };
  const awayAt = (one: Observation) => {
    const span = books.span(from, one, assetId);
    return span === null ? null : sum([span.difference, minus(span.staked)]);
  };
  const [atOpening, atClosing, atEnd] = [awayAt(opening), awayAt(closing), awayAt(until)];
  if (atOpening === null || atClosing === null || atEnd === null)
    return { isTiming: false, standsUntil: null };
  const isWithin = (away: Units, one: Observation) => {
    const most = books.uncertain(one, assetId).unstaked;
    return most !== null && magnitude(away) <= most;
  };
  const isTiming = atEnd === 0n && isWithin(atOpening, opening) && isWithin(atClosing, closing);
  const isAgainst = atOpening * rest < 0n || (atEnd - atClosing) * rest < 0n;
  return { isTiming, standsUntil: atEnd !== 0n && !isAgainst ? until : null };
}
