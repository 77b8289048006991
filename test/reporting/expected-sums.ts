// What the views of sums over transactions must show. What a status does to the balances comes from the second bookkeeper of the
// sandbox's tests, who is asked about one unit and one fee at a time and knows nothing of the database's rules.
import { TRANSACTION_TYPES, type TransactionRecord } from '../../src/sandbox/records.ts';
import { bookkeep } from '../sandbox/balances-from-transactions.ts';
import { sixPlaces, sum, textOf, textOrNull, type Units, units, unitsOrNull } from './decimal.ts';
import { moment, presentOf, sinceOf } from './expected-transactions.ts';
import type { Observed } from './observed.ts';
import { pastsOf, settledStatuses } from './pasts.ts';
import type { ViewRow } from './views.ts';
import { dayOf, type Micros } from './zones.ts';

export interface Posting {
  readonly record: TransactionRecord;
  readonly sequence: number;
  readonly at: Micros;
  /** When the change had certainly not happened yet; null where nothing is known. */
  readonly after: Micros | null;
  readonly from: string | null;
  readonly to: string;
  readonly inflow: Units | null;
  readonly outflow: Units | null;
  readonly fee: Units;
  readonly total: Units | null;
  readonly staked: Units | null;
}

const documented: readonly string[] = TRANSACTION_TYPES;
const known = ['pending', 'processing', 'confirming', ...settledStatuses];

/** What one unit of amount, or of fee, does in a status to the total and to the staked and claimable parts. */
export function factors(record: TransactionRecord, status: string | null, part: 'amount' | 'fee') {
  if (status === null || !known.includes(status) || !documented.includes(record.transactionType))
    return { total: 0n, staked: 0n };
  const probe = { ...record, status, amount: part === 'amount' ? '1' : '0', fee: part === 'fee' ? '1' : '0' };
  const books = bookkeep({
    *transactions() {
      yield probe;
    },
    vaultType: () => 'warm',
  });
  const own = books.get(`all ${record.assetId}`) ?? { total: 0n, staking: 0n, claimable: 0n };
  return { total: own.total / 10n ** 18n, staked: (own.staking + own.claimable) / 10n ** 18n };
}

export function postingsOf(observed: Observed): Posting[] {
  const since = sinceOf(observed);
  return [...pastsOf(observed.transactions).values()].flatMap(({ record, stays }) => {
    const amount = unitsOrNull(record.amount);
    const fee = unitsOrNull(record.fee) ?? 0n;
    return stays.flatMap((stay, index): Posting[] => {
      if (index === 0 && stay.at <= since) return [];
      const from = stays[index - 1]?.status ?? null;
      const change = (part: 'amount' | 'fee') => {
        const [before, after] = [factors(record, from, part), factors(record, stay.status, part)];
        return { total: after.total - before.total, staked: after.staked - before.staked };
      };
      const [ofAmount, ofFee] = [change('amount'), change('fee')];
      const moved = (factor: bigint) => (factor === 0n ? 0n : amount === null ? null : factor * amount);
      const [total, staked] = [moved(ofAmount.total), moved(ofAmount.staked)];
      return [
        {
          record,
          sequence: index + 1,
          at: stay.at,
          after: stay.after,
          from,
          to: stay.status,
          inflow: record.transactionType === 'deposit' ? total : 0n,
          outflow: record.transactionType === 'withdraw' ? (total === null ? null : -total) : 0n,
          fee: -ofFee.total * fee,
          total: sum([total, ofFee.total * fee]),
          staked: sum([staked, ofFee.staked * fee]),
        },
      ];
    });
  });
}

export function postingRows(observed: Observed): ViewRow[] {
  return postingsOf(observed).map(({ record, ...posting }) => ({
    account_id: observed.account,
    transaction_id: record.transactionId,
    sequence: String(posting.sequence),
    observed_at: moment(posting.at),
    transaction_type: record.transactionType,
    from_status: posting.from,
    to_status: posting.to,
    asset_id: record.assetId,
    asset_name: record.assetName,
    network_id: record.networkId,
    inflow: textOrNull(posting.inflow),
    outflow: textOrNull(posting.outflow),
    fee: textOf(posting.fee),
    total_change: textOrNull(posting.total),
    staked_change: textOrNull(posting.staked),
    observed_after: moment(posting.after),
  }));
}

interface Settled {
  readonly record: TransactionRecord;
  readonly status: string;
  readonly day: string;
}

/** What was settled after the mirror began, with the day on which that was seen. */
function settledOf(observed: Observed, timeZone: string): Settled[] {
  return presentOf(observed)
    .filter(({ isOpen, statusIsOld }) => !isOpen && !statusIsOld)
    .map(({ past, status, statusAt }) => ({ record: past.record, status, day: dayOf(statusAt, timeZone) }));
}

function grouped<Item>(items: readonly Item[], key: (item: Item) => readonly string[]): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const name = JSON.stringify(key(item));
    groups.set(name, [...(groups.get(name) ?? []), item]);
  }
  return groups;
}

const amounts = (items: readonly Settled[]) => sum(items.map(({ record }) => unitsOrNull(record.amount)));

const assetOf = (record: TransactionRecord) => ({
  asset_id: record.assetId,
  asset_name: record.assetName,
  network_id: record.networkId,
});

export function outcomeRows(observed: Observed, timeZone: string): ViewRow[] {
  const groups = grouped(settledOf(observed, timeZone), ({ record, day }) => [
    day,
    record.transactionType,
    record.assetId,
    record.networkId,
  ]);
  return [...groups.values()].map((items) => {
    const [{ record, day }] = items as [Settled, ...Settled[]];
    const ended = (status: string) => items.filter((item) => item.status === status);
    const unsuccessful = items.filter((item) => item.status !== 'completed');
    return {
      account_id: observed.account,
      day,
      transaction_type: record.transactionType,
      ...assetOf(record),
      settled: String(items.length),
      ...Object.fromEntries(settledStatuses.map((status) => [status, String(ended(status).length)])),
      unsuccessful_share: sixPlaces(units(String(unsuccessful.length)), units(String(items.length))),
      completed_amount: textOrNull(amounts(ended('completed'))),
      unsuccessful_amount: textOrNull(amounts(unsuccessful)),
    };
  });
}

export function flowRows(observed: Observed, timeZone: string): ViewRow[] {
  const flows = settledOf(observed, timeZone).filter(
    ({ record, status }) =>
      status === 'completed' && ['deposit', 'withdraw'].includes(record.transactionType),
  );
  return [...grouped(flows, ({ record, day }) => [day, record.assetId, record.networkId]).values()].map(
    (items) => {
      const [{ record, day }] = items as [Settled, ...Settled[]];
      const of = (type: string) => items.filter((item) => item.record.transactionType === type);
      const [into, out] = [amounts(of('deposit')), amounts(of('withdraw'))];
      return {
        account_id: observed.account,
        day,
        ...assetOf(record),
        deposits: String(of('deposit').length),
        in_amount: textOrNull(into),
        withdrawals: String(of('withdraw').length),
        out_amount: textOrNull(out),
        net_amount: textOrNull(sum([into, out === null ? null : -out])),
      };
    },
  );
}

export function feeRows(observed: Observed, timeZone: string): ViewRow[] {
  const paid = settledOf(observed, timeZone).filter(
    ({ record, status }) =>
      factors(record, status, 'fee').total !== 0n && (unitsOrNull(record.fee) ?? 0n) !== 0n,
  );
  const groups = grouped(paid, ({ record, day }) => [
    day,
    record.assetId,
    record.networkId,
    record.transactionType,
  ]);
  return [...groups.values()].map((items) => {
    const [{ record, day }] = items as [Settled, ...Settled[]];
    return {
      account_id: observed.account,
      day,
      ...assetOf(record),
      transaction_type: record.transactionType,
      transactions: String(items.length),
      fee: textOrNull(sum(items.map((item) => unitsOrNull(item.record.fee)))),
    };
  });
}

/** The durations of the stays that ended, by month, type and status, shortest first. */
export function staysByMonth(observed: Observed, timeZone: string): Map<string, bigint[]> {
  const since = sinceOf(observed);
  const found = new Map<string, bigint[]>();
  for (const { record, stays } of pastsOf(observed.transactions).values()) {
    for (const [index, stay] of stays.entries()) {
      const next = stays[index + 1];
      if (next === undefined || (index === 0 && stay.at <= since)) continue;
      const month = `${dayOf(next.at, timeZone).slice(0, 7)}-01`;
      const key = JSON.stringify([month, record.transactionType, stay.status]);
      found.set(
        key,
        [...(found.get(key) ?? []), next.at - stay.at].toSorted((a, b) => (a < b ? -1 : 1)),
      );
    }
  }
  return found;
}
