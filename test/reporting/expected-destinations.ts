// Who was paid, and whether the whitelist held them then, from the recorded readings alone.
import { sum, textOrNull, unitsOrNull } from './decimal.ts';
import { moment, type Present, presentOf, sinceOf } from './expected-transactions.ts';
import type { Observed } from './observed.ts';
import type { ViewRow } from './views.ts';
import type { Micros } from './zones.ts';

const withdrawalsOf = (observed: Observed) =>
  presentOf(observed).filter(({ past }) => past.record.transactionType === 'withdraw');

/** What was listed at the first reading counts as listed since ever. */
function isListed({ whitelist }: Observed, { past: { record } }: Present, at: Micros | 'now'): boolean {
  const last = at === 'now' ? whitelist.at(-1) : whitelist.findLast((reading) => reading.at <= at);
  return ((last ?? whitelist[0])?.documents ?? []).some(
    ({ whitelistId, address }) =>
      (record.destinationType === 'whitelist' && whitelistId === record.destinationId) ||
      (address !== '' && address === record.destinationAddress),
  );
}

export function destinationUseRows(observed: Observed): ViewRow[] {
  const since = sinceOf(observed);
  return withdrawalsOf(observed).map((use) => {
    const { record, firstSeenAt, missingSince } = use.past;
    return {
      account_id: observed.account,
      transaction_id: record.transactionId,
      first_seen_at: moment(firstSeenAt),
      status: use.status,
      is_completed: use.status === 'completed',
      ...destinationOf(use),
      amount: textOrNull(unitsOrNull(record.amount)),
      is_whitelisted: isListed(observed, use, firstSeenAt),
      is_older_than_mirror: firstSeenAt <= since,
      missing_since: moment(missingSince),
    };
  });
}

function destinationOf({ past: { record } }: Present) {
  return {
    destination_type: record.destinationType,
    destination_id: record.destinationId,
    destination_name: record.destinationName,
    destination_address: record.destinationAddress,
    asset_id: record.assetId,
    asset_name: record.assetName,
    network_id: record.networkId,
  };
}

export function destinationRows(observed: Observed): ViewRow[] {
  const groups = new Map<string, Present[]>();
  for (const use of withdrawalsOf(observed)) {
    const { destination_name: _, asset_name: __, ...identity } = destinationOf(use);
    const key = JSON.stringify(identity);
    groups.set(key, [...(groups.get(key) ?? []), use]);
  }
  return [...groups.values()].map((uses) => {
    const inOrder = uses.toSorted(({ past: a }, { past: b }) =>
      a.firstSeenAt === b.firstSeenAt
        ? a.record.transactionId < b.record.transactionId
          ? -1
          : 1
        : a.firstSeenAt < b.firstSeenAt
          ? -1
          : 1,
    );
    const [first, last] = [inOrder[0], inOrder.at(-1)];
    if (first === undefined || last === undefined) throw new Error('a destination without a use');
    const completed = uses.filter(({ status }) => status === 'completed');
    return {
      account_id: observed.account,
      ...destinationOf(last),
      uses: String(uses.length),
      completed_uses: String(completed.length),
      completed_amount: textOrNull(sum(completed.map(({ past }) => unitsOrNull(past.record.amount)))),
      off_whitelist_uses: String(uses.filter((use) => !isListed(observed, use, use.past.firstSeenAt)).length),
      first_used_at: moment(first.past.firstSeenAt),
      first_transaction_id: first.past.record.transactionId,
      last_used_at: moment(last.past.firstSeenAt),
      last_transaction_id: last.past.record.transactionId,
      whitelisted_at_first_use: isListed(observed, first, first.past.firstSeenAt),
      whitelisted_now: isListed(observed, last, 'now'),
    };
  });
}
