// The reconciliation in words, for the days of a page and for an asset on a day. A page shows some days at a
// time, because each is computed when it is asked for.
import type { Ask, Judgement, Params, ReconciledDay } from '../api/ask.ts';
import { counted, grouped, pathSegment } from '../api/words.ts';
import { Notice } from '../parts/notice.tsx';
import { dayInWords, dayLater, dayThatHolds, todayOf } from '../view/moments.ts';
import { isSome } from '../view/numbers.ts';
import { accountOf, type View } from '../view/view.ts';

const daysAtOnce = 14;

export type ShownDays = Awaited<ReturnType<typeof shownDays>>;

/**
 * @param params the chosen days, and `shown_to`, the last day of the page
 * @returns `earlier`: the last day of the page before it in time; null when the chosen days end here
 */
export async function shownDays(ask: Ask, view: View, { day_from, day_to, shown_to }: Params) {
  const began = accountOf(view)?.first_seen_at;
  const today = await todayOf(ask, view.now);
  const last = [today, day_to, shown_to].flatMap((day) => day ?? []).sort()[0] ?? today;
  const firstDay = began === undefined ? null : await dayThatHolds(ask, began);
  const earliest = [firstDay ?? '1970-01-01', day_from ?? ''].sort().at(-1) ?? '';
  const first = [dayLater(last, 1 - daysAtOnce), earliest].sort().at(-1) ?? last;
  return { first, last, earlier: first > earliest ? dayLater(first, -1) : null, today };
}

interface Found {
  readonly rows: readonly ReconciledDay[];
  /** There is a next page, with the days after the last row. */
  readonly hasMore: boolean;
  readonly isNext: boolean;
}

/** The days that the page reached, from the last to the first. */
export function daysReached({ first, last }: ShownDays, { rows, hasMore, isNext }: Found): readonly string[] {
  const [newest, oldest] = [rows[0]?.day, rows.at(-1)?.day];
  const days = [];
  for (let day = (isNext ? newest : undefined) ?? last; day >= first; day = dayLater(day, -1)) days.push(day);
  return hasMore ? days.filter((day) => oldest !== undefined && day >= oldest) : days;
}

/** The shown days of which the page has all rows; if there is none, the days as they are. */
export function wholeDays(shown: ShownDays, { rows, hasMore }: Omit<Found, 'isNext'>): ShownDays {
  const cut = rows.at(-1)?.day;
  if (!hasMore || cut === undefined || cut >= shown.last) return shown;
  return { ...shown, first: dayLater(cut, 1), earlier: cut };
}

export function verdict(rows: readonly ReconciledDay[], shown: ShownDays) {
  if (rows.length === 0) return null;
  const count = (state: boolean | null) => rows.filter(({ is_explained }) => is_explained === state).length;
  const [bad, unknown] = [count(false), count(null)];
  const days = [...new Set([shown.first, shown.last])].map(dayInWords);
  const doubt = unknown > 0 ? `, ${grouped(unknown)} not known` : '';
  const [tone, title] =
    bad > 0
      ? (['bad', `${counted(bad, 'difference')} without an explanation`] as const)
      : unknown > 0
        ? (['note', `${counted(unknown, 'figure')} not known, all others explained`] as const)
        : (['good', 'Transactions explain every balance'] as const);
  return (
    <Notice tone={tone} title={title}>
      <p>
        {days.join(' to ')}: {grouped(count(true))} of{' '}
        {counted(rows.length, days.length === 1 ? 'asset' : 'figure')} explained{doubt}.
      </p>
    </Notice>
  );
}

interface Explanation extends Judgement {
  readonly why: string;
  readonly hints: readonly string[];
}

export function explanationOf(row: ReconciledDay): Explanation {
  const hints = hintsOf(row);
  if (row.is_explained === null) return { word: 'not known', tone: 'note', why: unknown(row), hints };
  if (!row.is_explained) return { word: 'not explained', tone: 'bad', why: lost(row), hints };
  const why = 'Transactions explain the balance to the last digit.';
  return { word: 'explained', tone: 'good', why, hints };
}

function hintsOf(row: ReconciledDay): readonly string[] {
  const { is_explained, unexplained_difference: difference } = row;
  const isOff = is_explained === false && isSome(difference);
  return [
    is_explained === true &&
      isSome(row.staking_rewards) &&
      'Staked and claimable balances grew without a transaction. This counts as staking rewards.',
    is_explained === true &&
      isSome(row.timing_difference) &&
      'Part of the difference is timing: a change appeared in the balances before or after it appeared in the transactions. Neighbouring observations cancel it exactly.',
    is_explained === false &&
      isSome(row.staking_losses) &&
      'Staked or claimable balances fell without a transaction: possibly slashing, or a claim that the service does not list.',
    isOff &&
      (difference.startsWith('-')
        ? 'An outgoing transaction may be missing from the service’s list, or be in quarantine because it could not be read; or a fee was paid in a different asset than the fee rules say.'
        : 'A deposit or reward may be missing from the service’s list, or be in quarantine because it could not be read; or a fee counted here was paid in a different asset.'),
    isOff &&
      'If the difference equals the amount of one transaction, the service may have booked it twice, or not at all.',
    is_explained === null &&
      unknown(row) === undecided &&
      'Later observations and a later read of the transactions will settle it.',
    !row.is_comparable &&
      'Not all transactions had been read before the opening observation: some may be missing here.',
  ].filter((hint) => hint !== false);
}

function lost({ unexplained_difference: difference }: ReconciledDay): string {
  if (difference === null) return 'Something was lost; how much is not known.';
  if (!isSome(difference)) return 'Staked balances fell without a transaction.';
  return difference.startsWith('-')
    ? 'More went out than transactions explain.'
    : 'More came in than transactions explain.';
}

const undecided =
  'Undecided: transactions close to an observation may belong on either side of it, or the transactions have not been read since.';

function unknown(row: ReconciledDay): string {
  if (row.opening_observed_at === null)
    return 'Balances were not observed before this day, so there is no opening balance.';
  if (row.opening_balance === null || row.closing_balance === null)
    return 'One of the two balances could not be read.';
  if (row.inflow === null || row.outflow === null || row.fees === null)
    return 'The service sent no amount for one of the transactions.';
  return undecided;
}

/** First what needs attention, then what is unknown; assets from A to Z, the latest day first. */
export function byUrgency(rows: readonly ReconciledDay[]): readonly ReconciledDay[] {
  const rank = ({ is_explained }: ReconciledDay) =>
    is_explained === false ? 0 : is_explained === null ? 1 : 2;
  return rows.toSorted(
    (a, b) =>
      rank(a) - rank(b) ||
      (a.asset_id ?? '').localeCompare(b.asset_id ?? '', 'en') ||
      b.day.localeCompare(a.day, 'en'),
  );
}

export function dayPath({ day, asset_id: asset }: Pick<ReconciledDay, 'day' | 'asset_id'>): string | null {
  return asset ? `/reconciliation/${day}/${pathSegment(asset)}` : null;
}
