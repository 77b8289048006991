// What may need a person beyond the health of the mirror. These questions take long in a large account: they are answered in the
// background, and told with their age.
import type { DestinationUse, ReconciledDay } from '../../../client/api-types.ts';
import type { Kept } from '../page/kept.ts';
import type { PageRequest } from '../page/page.ts';
import { momentOf } from '../view/zone.ts';

/** How many days the checks look back, today included. */
export const checkedDays = 7;
const mostRows = 100;

export type Check<Row> =
  | { readonly state: 'pending' | 'failed' }
  | {
      readonly state: 'known';
      readonly askedAt: string;
      readonly rows: readonly Row[];
      /** There are more rows, or days that were not reached. */
      readonly isPart: boolean;
    };

export interface Checks {
  /** The first day that is checked, and its first moment. */
  readonly day: string;
  readonly since: string;
  /** Days and assets that are not explained. */
  readonly unexplained: Check<ReconciledDay>;
  /** Payments to destinations that the whitelist certainly did not hold. */
  readonly offList: Check<DestinationUse>;
}

interface Period {
  readonly zone: string;
  /** The last is today. */
  readonly chart: readonly string[];
}

export async function loadChecks({ kept }: PageRequest, { zone, chart }: Period): Promise<Checks> {
  const day = chart.at(-checkedDays) ?? '';
  const since = momentOf(day, zone) ?? '';
  const unexplained = await kept('listReconciliation', {
    day_from: day,
    is_explained: false,
    limit: mostRows,
  });
  const offList = await kept('listDestinationUses', {
    first_seen_from: since,
    is_whitelisted: false,
    limit: mostRows,
  });
  return { day, since, unexplained: checkOf(unexplained), offList: checkOf(offList) };
}

interface Rows<Row> {
  readonly data: readonly Row[];
  readonly next_cursor: string | null;
}

function checkOf<Row>(kept: Kept<Rows<Row>>): Check<Row> {
  if (kept === null) return { state: 'pending' };
  if (!('answer' in kept)) return { state: 'failed' };
  const { answer, askedAt } = kept;
  return { state: 'known', askedAt, rows: answer.data, isPart: answer.next_cursor !== null };
}
