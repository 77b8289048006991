// The days of the account, as the read API has them: a day that is over keeps the time zone in which it
// ended, so no page works out its bounds.

import type { Ask } from '../api/ask.ts';
import type { Day } from '../api/interface.ts';
import { dayLater, lastEnds } from '../view/days.ts';

/** The days from one to another that the mirror knows, the first first. */
export async function daysBetween(ask: Ask, first: string, last?: string): Promise<readonly Day[]> {
  const found = await ask.known('listDays', { day_from: first, day_to: last, sort: 'day', limit: 500 });
  return 'answer' in found ? found.answer.data : [];
}

/** The day that goes on, by the clock of the database. */
export async function todayOf(ask: Ask, now: string): Promise<string> {
  const utc = now.slice(0, 10);
  return (await daysBetween(ask, dayLater(utc, -2))).at(-1)?.day ?? utc;
}

/** The day on which the moment is; null before the first one. */
export async function dayThatHolds(ask: Ask, moment: string): Promise<string | null> {
  const found = await ask.known('listDays', { holds: moment });
  return 'answer' in found ? (found.answer.data[0]?.day ?? null) : null;
}

/** The ends of the periods before this day that are known: balances were observed on their last days. */
export async function observedEnds(ask: Ask, today: string): Promise<ReturnType<typeof lastEnds>> {
  const ends = [];
  for (const end of lastEnds(today)) if (await isObserved(ask, end[1])) ends.push(end);
  return ends;
}

async function isObserved(ask: Ask, day: string): Promise<boolean> {
  const [bounds] = await daysBetween(ask, day, day);
  if (bounds === undefined) return false;
  const { starts_at: snapshot_from, ends_at: snapshot_to } = bounds;
  const query = { snapshot_from, snapshot_to, sort: 'snapshot_at', limit: 1 } as const;
  const found = await ask.known('listSnapshots', query);
  // One that began on the day may have been answered on the next.
  return 'answer' in found && found.answer.data.some((row) => isBy(row.answered_at, snapshot_to));
}

/** Whether balances were observed by then. */
export async function isObservedBy(ask: Ask, moment: string): Promise<boolean> {
  const first = await ask.known('listSnapshots', { sort: 'snapshot_at', limit: 3 });
  return 'answer' in first && first.answer.data.some((row) => isBy(row.answered_at, moment));
}

function isBy(moment: string, end: string): boolean {
  return Date.parse(moment) <= Date.parse(end);
}
