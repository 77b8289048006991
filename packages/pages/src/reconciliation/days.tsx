// Which days a page of the reconciliation shows, and their answer in one sentence. A page shows some at a
// time, because each is computed when it is asked for.

import { counted, grouped } from '../../../../src/domain/words.ts';
import type { Ask } from '../api/ask.ts';
import type { Params, ReconciledDay } from '../api/interface.ts';
import { dayThatHolds, todayOf } from '../page/days.ts';
import { Notice } from '../parts/notice.tsx';
import { dayInWords, dayLater } from '../view/days.ts';
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
  /** There is a next page, with the days behind the last row. */
  readonly hasMore: boolean;
  /** This is such a page. */
  readonly isNext: boolean;
}

/** The days that the page reached, from the last to the first. */
export function daysReached({ first, last }: ShownDays, { rows, hasMore, isNext }: Found): readonly string[] {
  const [newest, oldest] = [rows[0]?.day, rows.at(-1)?.day];
  const days = [];
  for (let day = (isNext ? newest : undefined) ?? last; day >= first; day = dayLater(day, -1)) days.push(day);
  return hasMore ? days.filter((day) => oldest !== undefined && day >= oldest) : days;
}

/** Those of the shown days that a page of rows holds whole; as they are where it holds none of them whole. */
export function wholeDays(shown: ShownDays, { rows, hasMore }: Omit<Found, 'isNext'>): ShownDays {
  const cut = rows.at(-1)?.day;
  if (!hasMore || cut === undefined || cut >= shown.last) return shown;
  return { ...shown, first: dayLater(cut, 1), earlier: cut };
}

/** The answer in a sentence, of all assets of the days. */
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
