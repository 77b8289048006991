// What the lists keep back: the interface shows no greatest offset, and no defaults of filters.
// Invariant: without a member set, the list shows everything to its end.
import type { RecordFilter } from '../world/lists.ts';
import type { DateFormat } from './dates.ts';
import { RefusedRequest } from './parameters.ts';

/** The answer to a request beyond the window. */
export const windowEnds = ['empty', 'error', 'last-page'] as const;

/** Can be changed while the sandbox runs: a test keeps the object. */
export interface ListCut {
  /** Nothing is shown beyond this offset + limit, in the whole list and under each filter. */
  window?: number | undefined;
  /** `empty` when left out; `error` is ERR-00 for a limit that reaches beyond the window, too. */
  windowEnd?: (typeof windowEnds)[number];
  /** Only this many last days are shown unless start_date is given. */
  days?: number | undefined;
  /** Statuses that are shown only if asked for. */
  hiddenStatuses?: readonly string[];
  /** Filters without effect, by their names in `RecordFilter`. */
  ignoredFilters?: readonly (keyof RecordFilter)[];
  /** The only format of dates that is understood; any of them when left out. */
  dates?: DateFormat;
  /** Only this many balances are shown unless `asset_id` is given. */
  balances?: number | undefined;
}

/** The filter of what is shown. */
export function shownBy(cut: ListCut, filter: RecordFilter, time: number): RecordFilter {
  const { days, hiddenStatuses = [] } = cut;
  const isRanged = days === undefined || filter.from !== undefined;
  return {
    ...filter,
    ...(isRanged ? {} : { from: time - days * 86_400_000 }),
    ...(filter.status !== undefined || hiddenStatuses.length === 0 ? {} : { hiddenStatuses }),
  };
}

interface Place {
  readonly offset: number;
  readonly limit: number;
}

/** The part of a page within the window. @param count how long the list is without a window */
export function cutWindow(
  { window, windowEnd = 'empty' }: ListCut,
  asked: Place,
  count: () => number,
): Place {
  const { offset, limit } = asked;
  if (window === undefined || offset + limit <= window) return asked;
  if (windowEnd === 'error')
    throw new RefusedRequest('ERR-00', `offset + limit must not be greater than ${window}`);
  const length = Math.min(count(), window);
  if (windowEnd === 'last-page' && offset + limit > length && length === window)
    return { offset: Math.max(0, window - limit), limit: Math.min(limit, window) };
  return { offset, limit: Math.max(0, window - offset) };
}
