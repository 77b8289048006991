// The days of the account, as the read API has them: a day that is over keeps the time zone in which it
// ended, so no page works out its bounds.
import { dayLater } from '../view/days.ts';
import type { Day } from './api.ts';
import type { Ask } from './ask.ts';

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
