// Which days a page of the reconciliation shows, and their answer in one sentence. A page shows a few at a
// time, because each is computed when it is asked for.
import { counted } from '../../../domain/words.ts';
import type { Given } from '../../api/answer/parameters.ts';
import type { ReconciledDay } from '../page/api.ts';
import type { Ask } from '../page/ask.ts';
import { dayThatHolds, todayOf } from '../page/days.ts';
import { Notice } from '../parts/notice.tsx';
import { dayInWords, dayLater } from '../view/days.ts';
import { accountOf, type View } from '../view/view.ts';

export const daysAtOnce = 7;

export interface ShownDays {
  readonly first: string;
  readonly last: string;
  /** The last day of the page before it in time; null when the chosen days end here. */
  readonly earlier: string | null;
  readonly today: string;
}

/** @param given the chosen days, and `shown_to`, the last day of the page */
export async function shownDays(
  ask: Ask,
  view: View,
  { day_from, day_to, shown_to }: Given,
): Promise<ShownDays> {
  const began = accountOf(view)?.first_seen_at;
  const today = await todayOf(ask, view.now);
  const last = [today, day_to, shown_to].flatMap((day) => day ?? []).sort()[0] ?? today;
  const firstDay = began === undefined ? null : await dayThatHolds(ask, began);
  const earliest = [firstDay ?? '1970-01-01', day_from ?? ''].sort().at(-1) ?? '';
  const first = [dayLater(last, 1 - daysAtOnce), earliest].sort().at(-1) ?? last;
  return { first, last, earlier: first > earliest ? dayLater(first, -1) : null, today };
}

/** The days from the last to the first. */
export function daysDown({ first, last }: ShownDays): readonly string[] {
  const days = [];
  for (let day = last; day >= first; day = dayLater(day, -1)) days.push(day);
  return days;
}

interface VerdictProps {
  readonly rows: readonly ReconciledDay[];
  readonly shown: ShownDays;
  readonly given: Given;
  readonly isWhole: boolean;
}

/** The answer in a sentence; only where the page holds all assets of its days. */
export function Verdict({ rows, shown, given, isWhole }: VerdictProps) {
  if (!isWhole || given['asset_id'] !== undefined || given['is_explained'] !== undefined || rows.length === 0)
    return null;
  const count = (state: boolean | null) => rows.filter(({ is_explained }) => is_explained === state).length;
  const [bad, unknown] = [count(false), count(null)];
  const span = `from ${dayInWords(shown.first)} to ${dayInWords(shown.last)}`;
  const doubt = `${counted(unknown, 'figure')} not known`;
  const calm = unknown > 0 ? `${doubt}, all others explained` : 'Transactions explain every balance';
  return (
    <Notice
      tone={bad > 0 ? 'bad' : unknown > 0 ? 'note' : 'good'}
      title={bad > 0 ? `${counted(bad, 'difference')} without an explanation` : calm}
    >
      <p>
        {bad > 0 ? 'Among ' : ''}
        {counted(rows.length, 'figure')} {span}. {bad > 0 && unknown > 0 ? `${doubt}.` : ''}
      </p>
    </Notice>
  );
}
