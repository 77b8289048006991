// What may need a person beyond the health of the mirror. These questions take long in a large account: they are answered in the
// background, and told with their age.
import type {
  DestinationUse,
  ReconciledDay,
} from '../../../../packages/client/src/generated/types/api-types.ts';
import type { PageRequest } from '../page/page.ts';
import { momentOf } from '../view/zone.ts';
import { type Found, foundOf } from './found.ts';

/** How many days the checks look back, today included. */
export const checkedDays = 7;
const mostRows = 100;

export interface Checks {
  /** The first day that is checked, and its first moment. */
  readonly day: string;
  readonly since: string;
  /** Days and assets that are not explained. */
  readonly unexplained: Found<ReconciledDay>;
  /** Payments to destinations that the whitelist certainly did not hold. */
  readonly offList: Found<DestinationUse>;
}

interface Period {
  readonly zone: string;
  /** The last is today. */
  readonly chart: readonly string[];
}

/** Asks at once; await it last, so that the rest of the page is loaded meanwhile. */
export async function loadChecks({ lastAnswer }: PageRequest, { zone, chart }: Period): Promise<Checks> {
  // Today and so many days before it, as the payments' page counts them: early in the morning it is not a day less.
  const day = chart.at(-checkedDays - 1) ?? '';
  const since = momentOf(day, zone) ?? '';
  const [offList, unexplained] = await Promise.all([
    lastAnswer('listDestinationUses', { first_seen_from: since, is_whitelisted: false, limit: mostRows }),
    lastAnswer('listReconciliation', { day_from: day, is_explained: false, limit: mostRows }),
  ]);
  return { day, since, unexplained: foundOf(unexplained), offList: foundOf(offList) };
}
