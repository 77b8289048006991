// Payees, and whether they were whitelisted then, from the recorded readings alone.
import type { WhitelistRecord } from '../../../packages/sandbox/src/world/records.ts';
import { sum, textOrNull, unitsOrNull } from './decimal.ts';
import { moment, type Present, presentOf, sinceOf } from './expected-transactions.ts';
import type { DocumentReading, Observed } from './observed.ts';

import type { ViewRow } from './views.ts';
import type { Micros } from './zones.ts';

const withdrawalsOf = (observed: Observed) =>
  presentOf(observed).filter(({ past }) => past.record.transactionType === 'withdraw');

/** The entries of one reading of the whitelist that are of the destination, for whatever asset. */
function entriesOf({ past: { record } }: Present, { documents }: DocumentReading<WhitelistRecord>) {
  return documents.filter(
    ({ whitelistId, address }) =>
      (record.destinationType === 'whitelist' && whitelistId === record.destinationId) ||
      (address !== '' && address === record.destinationAddress),
  );
}

/**
 * Whether one reading of the whitelist holds the destination, for the asset and network; null where those are
 * not told.
 */
function isShown(use: Present, reading: DocumentReading<WhitelistRecord>): boolean | null {
  const { record } = use.past;
  const found = entriesOf(use, reading).map(({ assetId, networkId }): boolean | null => {
    const fits = [covers(assetId, record.assetId), covers(networkId, record.networkId)];
    return fits.includes(false) ? false : fits.includes(null) ? null : true;
  });
  return found.includes(true) ? true : found.includes(null) ? null : false;
}

const covers = (named: string, own: string) => named === '' || (own === '' ? null : named === own);

/**
 * The payment lies between two readings of the transactions: what do all readings of the whitelist around it
 * agree in?
 */
function isListed({ whitelist }: Observed, use: Present): boolean | null {
  const [from, to] = [use.past.stays[0]?.after ?? null, use.past.firstSeenAt];
  const first = from === null ? -1 : whitelist.findLastIndex(({ at }) => at <= from);
  const last = whitelist.findIndex(({ at }) => at >= to);
  if (first === -1 || last === -1) return null;
  const answers = new Set(whitelist.slice(first, last + 1).map((reading) => isShown(use, reading)));
  const [answer] = answers;
  return answers.size === 1 ? (answer ?? null) : null;
}

/**
 * The whole readings that are nearest to the payment on either side, up to its bounds: what was certain last,
 * and first again.
 */
function aroundOf({ whitelist }: Observed, use: Present) {
  const [from, to] = [use.past.stays[0]?.after ?? null, use.past.firstSeenAt];
  const [first, last] = [whitelist[0], whitelist.at(-1)];
  const none = { at: null, listed: null };
  if (first === undefined || last === undefined) return { before: none, after: none };
  const spans = certainSpans(whitelist, use);
  const before = from === null ? undefined : spans.findLast((span) => span.from <= from);
  const after = spans.find((span) => span.to >= to);
  return {
    before:
      before === undefined || from === null
        ? none
        : { at: before.to < from ? before.to : from, listed: before.listed },
    after: after === undefined ? none : { at: after.from > to ? after.from : to, listed: after.listed },
  };
}

/** From the first to the last of readings in a row that agree, which is a moment where there is one alone. */
function certainSpans(whitelist: Observed['whitelist'], use: Present) {
  const spans: { from: Micros; to: Micros; listed: boolean }[] = [];
  let running: boolean | null = null;
  for (const reading of whitelist) {
    const listed = isShown(use, reading);
    const last = spans.at(-1);
    if (listed !== null && listed === running && last !== undefined) last.to = reading.at;
    else if (listed !== null) spans.push({ from: reading.at, to: reading.at, listed });
    running = listed;
  }
  return spans;
}

function reasonOf(observed: Observed, use: Present): string {
  const { whitelist } = observed;
  const listed = isListed(observed, use);
  if (listed === true) return 'listed';
  const [from, to] = [use.past.stays[0]?.after ?? null, use.past.firstSeenAt];
  const before = from === null ? null : (whitelist.findLast(({ at }) => at <= from) ?? null);
  if (listed === false) {
    // Whatever one of them shows may have been held at some moment of the payment.
    const around = whitelist.slice(
      whitelist.findLastIndex(({ at }) => from !== null && at <= from),
      whitelist.findIndex(({ at }) => at >= to) + 1,
    );
    const isElsewhere = around.some((reading) => entriesOf(use, reading).length > 0);
    return isElsewhere ? 'listed for another asset or network' : 'not listed';
  }
  if (before === null) return 'unknown: before the whitelist was first read';
  const after = whitelist.find(({ at }) => at >= to);
  if (after === undefined) return 'unknown: the whitelist was not read since';
  return isShown(use, before) === null
    ? 'unknown: asset, network or address are given in another form'
    : 'unknown: the whitelist changed between two readings';
}

const isListedNow = ({ whitelist }: Observed, use: Present) => {
  const reading = whitelist.at(-1);
  return reading === undefined ? null : isShown(use, reading);
};

export function destinationUseRows(observed: Observed): ViewRow[] {
  const since = sinceOf(observed);
  return withdrawalsOf(observed).map((use) => {
    const { record, firstSeenAt, missingSince } = use.past;
    const { before, after } = aroundOf(observed, use);
    return {
      account_id: observed.account,
      transaction_id: record.transactionId,
      first_seen_after: moment(use.past.stays[0]?.after ?? null),
      first_seen_at: moment(firstSeenAt),
      status: use.status,
      is_completed: use.status === 'completed',
      ...destinationOf(use),
      amount: textOrNull(unitsOrNull(record.amount)),
      is_whitelisted: isListed(observed, use),
      whitelist_reason: reasonOf(observed, use),
      whitelisted_before: before.listed,
      known_before_at: moment(before.at),
      whitelisted_after: after.listed,
      known_after_at: moment(after.at),
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
      missing_uses: String(uses.filter(({ past }) => past.missingSince !== null).length),
      non_whitelisted_uses: String(uses.filter((use) => isListed(observed, use) === false).length),
      unknown_whitelist_uses: String(uses.filter((use) => isListed(observed, use) === null).length),
      first_used_at: moment(first.past.firstSeenAt),
      first_transaction_id: first.past.record.transactionId,
      last_used_at: moment(last.past.firstSeenAt),
      last_transaction_id: last.past.record.transactionId,
      whitelisted_at_first_use: isListed(observed, first),
      whitelisted_now: isListedNow(observed, last),
    };
  });
}
