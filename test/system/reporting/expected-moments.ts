// Transactions as they were known at a moment: as they would stand if the mirror had stopped then.
import { columnsOf, moment, openOrUnknown } from './expected-transactions.ts';
import type { Observed } from './observed.ts';
import { pastsOf } from './pasts.ts';
import type { ViewRow } from './views.ts';
import type { Micros } from './zones.ts';

export function transactionsAtRows(
  { account, transactions }: Pick<Observed, 'account' | 'transactions'>,
  at: Micros,
): ViewRow[] {
  const pasts = pastsOf(transactions.filter((reading) => reading.at <= at));
  return [...pasts.values()].map(({ record, firstSeenAt, stays, missingSince }) => {
    const stay = stays.at(-1);
    return {
      account_id: account,
      ...columnsOf(record),
      status: stay?.status ?? null,
      is_open: openOrUnknown(stay?.status ?? '', missingSince),
      first_seen_at: moment(firstSeenAt),
      status_since: moment(stay?.at ?? null),
      missing_since: moment(missingSince),
    };
  });
}
