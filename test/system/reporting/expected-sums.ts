// What the views of sums over transactions must show. What a status does to the balances comes from the
// second bookkeeper of the sandbox's tests, who is asked about one unit and one fee at a time and knows
// nothing of the database's rules.
import { type TransactionRecord, transactionTypes } from '../../../packages/sandbox/src/world/records.ts';
import { bookkeep } from '../../../packages/sandbox/test/world/balances-from-transactions.ts';
import { sixPlaces, sum, textOf, textOrNull, type Units, units, unitsOrNull } from './decimal.ts';
import { feeAssetOf, moment, presentOf, sinceOf } from './expected-transactions.ts';
import type { Observed } from './observed.ts';
import { type Past, pastsOf, type Stay, settledStatuses } from './pasts.ts';
import type { ViewRow } from './views.ts';
import { dayOf, type Micros, type Zone } from './zones.ts';

export interface Posting {
  /** As it was known then; its asset is the one that moved. */
  readonly record: TransactionRecord;
  /** Null for a correction. */
  readonly sequence: number | null;
  readonly revision: number | null;
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
  readonly feeIsAssumed: boolean | null;
}

const documented: readonly string[] = transactionTypes;
const known = ['pending', 'processing', 'confirming', ...settledStatuses];

/**
 * What one unit of amount, or of fee, does in a status to the total and to the staked and claimable parts.
 */
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

/** What happened to one asset. */
interface Leg {
  inflow: Units | null;
  outflow: Units | null;
  fee: Units;
  staked: Units | null;
  feeIsAssumed: boolean | null;
}

const times = (factor: bigint, amount: Units | null) =>
  factor === 0n ? 0n : amount === null ? null : factor * amount;

function legsOf(record: TransactionRecord) {
  const legs = new Map<string, Leg>();
  const legOf = (assetId: string) => {
    const leg = legs.get(assetId) ?? { inflow: 0n, outflow: 0n, fee: 0n, staked: 0n, feeIsAssumed: null };
    legs.set(assetId, leg);
    return leg;
  };
  return {
    legs,
    moveAmount({ assetId, amount, transactionType }: TransactionRecord, factor: Factors) {
      const leg = legOf(assetId);
      const total = times(factor.total, unitsOrNull(amount));
      if (transactionType === 'deposit') leg.inflow = sum([leg.inflow, total]);
      if (transactionType === 'withdraw') leg.outflow = sum([leg.outflow, total === null ? null : -total]);
      leg.staked = sum([leg.staked, times(factor.staked, unitsOrNull(amount))]);
    },
    moveFee(
      payer: TransactionRecord,
      factor: Factors,
      { fee_asset_id: assetId, fee_asset_is_assumed: assumed }: FeeAsset,
    ) {
      const fee = unitsOrNull(payer.fee) ?? 0n;
      const leg = legOf(assetId);
      leg.fee -= factor.total * fee;
      if (assetId === payer.assetId) leg.staked = sum([leg.staked, factor.staked * fee]);
      leg.feeIsAssumed = assumed || leg.feeIsAssumed === true;
    },
    rows: (more: Omit<Posting, keyof Leg | 'record' | 'total'>): Posting[] =>
      [...legs].map(([assetId, leg]) => ({
        ...more,
        ...leg,
        record: { ...record, assetId, assetName: assetId === record.assetId ? record.assetName : '' },
        total: sum([leg.inflow, leg.outflow === null ? null : -leg.outflow, -leg.fee]),
      })),
  };
}

type Factors = ReturnType<typeof factors>;
type FeeAsset = ReturnType<typeof feeAssetOf>;

/** A status that nobody documented leaves things as the last documented one before left them. */
const lastKnown = (stays: readonly Stay[]) =>
  stays.findLast(({ status }) => known.includes(status))?.status ?? null;

const isMoved = ({ inflow, outflow, fee, staked }: Posting) =>
  inflow !== 0n || outflow !== 0n || fee !== 0n || staked !== 0n;

export function postingsOf(observed: Observed): Posting[] {
  const since = sinceOf(observed);
  return [...pastsOf(observed.transactions).values()].flatMap((past) => [
    ...past.stays.flatMap((stay, index) =>
      index === 0 && stay.at <= since ? [] : statusPostings(observed, past, index),
    ),
    ...past.contents.flatMap((_, index) => (index === 0 ? [] : correctionPostings(observed, past, index))),
  ]);
}

function statusPostings(observed: Observed, { stays, contents }: Past, index: number): Posting[] {
  const stay = stays[index];
  const record = contents.findLast(({ at }) => stay !== undefined && at <= stay.at)?.record;
  if (stay === undefined || record === undefined) throw new Error('a status without a content');
  const [before, after] = [lastKnown(stays.slice(0, index)), lastKnown(stays.slice(0, index + 1))];
  const change = (part: 'amount' | 'fee') => {
    const [was, is] = [factors(record, before, part), factors(record, after, part)];
    return { total: is.total - was.total, staked: is.staked - was.staked };
  };
  const feeAsset = feeAssetOf(observed, record, stay.at);
  const { moveAmount, moveFee, rows, legs } = legsOf(record);
  moveAmount(record, change('amount'));
  moveFee(record, change('fee'), feeAsset);
  const own = legs.get(record.assetId);
  if (own !== undefined) own.feeIsAssumed = feeAsset.fee_asset_is_assumed;
  const more = { sequence: index + 1, revision: null, at: stay.at, after: stay.after, to: stay.status };
  return rows({ ...more, from: stays[index - 1]?.status ?? null }).filter(
    (posting) => posting.record.assetId === record.assetId || posting.fee !== 0n,
  );
}

function correctionPostings(observed: Observed, { stays, contents }: Past, index: number): Posting[] {
  const [old, content] = [contents[index - 1], contents[index]];
  if (old === undefined || content === undefined) throw new Error('a content without one before');
  const earlier = stays.filter(({ at }) => at < content.at);
  const status = lastKnown(earlier);
  if (status === null) return [];
  const [was, is] = [old.record, content.record];
  const { moveAmount, moveFee, rows } = legsOf(is);
  const same = (...fields: readonly (keyof TransactionRecord)[]) =>
    fields.every((field) =>
      field === 'amount' || field === 'fee'
        ? unitsOrNull(was[field]) === unitsOrNull(is[field])
        : was[field] === is[field],
    );
  for (const [sign, record] of [
    [1n, is],
    [-1n, was],
  ] as const) {
    const signed = (part: 'amount' | 'fee') => {
      const { total, staked } = factors(record, status, part);
      return { total: sign * total, staked: sign * staked };
    };
    const [ofAmount, ofFee] = [signed('amount'), signed('fee')];
    if (!same('transactionType', 'assetId', 'amount') && (ofAmount.total !== 0n || ofAmount.staked !== 0n))
      moveAmount(record, ofAmount);
    if (!same('transactionType', 'assetId', 'networkId', 'fee') && ofFee.total !== 0n)
      moveFee(record, ofFee, feeAssetOf(observed, record, content.at));
  }
  const bounds = earlier.flatMap(({ after }) => (after === null ? [] : [after]));
  const after = bounds.length === 0 ? null : bounds.reduce((a, b) => (a > b ? a : b));
  const more = { sequence: null, revision: index, at: content.at, after, from: status, to: status };
  // A fee that was taken back and posted again as it was did not change: nothing is assumed of it.
  return rows(more)
    .filter(isMoved)
    .map((posting) => (posting.fee === 0n ? { ...posting, feeIsAssumed: null } : posting));
}

export function postingRows(observed: Observed): ViewRow[] {
  return postingsOf(observed).map(({ record, ...posting }) => ({
    account_id: observed.account,
    transaction_id: record.transactionId,
    kind: posting.sequence === null ? 'correction' : 'status',
    sequence: posting.sequence === null ? null : String(posting.sequence),
    revision: posting.revision === null ? null : String(posting.revision),
    observed_after: moment(posting.after),
    observed_at: moment(posting.at),
    transaction_type: record.transactionType,
    from_status: posting.from,
    to_status: posting.to,
    asset_id: record.assetId,
    asset_name: record.assetName || null,
    network_id: record.networkId,
    inflow: textOrNull(posting.inflow),
    outflow: textOrNull(posting.outflow),
    fee: textOf(posting.fee),
    total_change: textOrNull(posting.total),
    staked_change: textOrNull(posting.staked),
    fee_asset_is_assumed: posting.feeIsAssumed,
  }));
}

interface Settled {
  readonly record: TransactionRecord;
  readonly status: string;
  readonly day: string;
  readonly isMissing: boolean;
}

/** What was settled after the mirror began, with the day on which its present status was first seen. */
function settledOf(observed: Observed, timeZone: Zone): Settled[] {
  const since = sinceOf(observed);
  return presentOf(observed).flatMap(({ past, status, isOpen }) => {
    const first = past.stays.findIndex((stay) => stay.status === status);
    const at = past.stays[first]?.at;
    if (isOpen || at === undefined || (first === 0 && at <= since)) return [];
    return [{ record: past.record, status, day: dayOf(at, timeZone), isMissing: past.missingSince !== null }];
  });
}

const missingOf = (items: readonly Settled[]) => ({
  missing: String(items.filter(({ isMissing }) => isMissing).length),
});

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

export function outcomeRows(observed: Observed, timeZone: Zone): ViewRow[] {
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
      ...missingOf(items),
    };
  });
}

export function flowRows(observed: Observed, timeZone: Zone): ViewRow[] {
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
        ...missingOf(items),
      };
    },
  );
}

export function feeRows(observed: Observed, timeZone: Zone): ViewRow[] {
  const paid = settledOf(observed, timeZone).filter(
    ({ record, status }) =>
      factors(record, status, 'fee').total !== 0n && (unitsOrNull(record.fee) ?? 0n) !== 0n,
  );
  const groups = grouped(paid, ({ record, day }) => [
    day,
    feeAssetOf(observed, record).fee_asset_id,
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
      ...feeAssetOf(observed, record),
      transaction_type: record.transactionType,
      transactions: String(items.length),
      fee: textOrNull(sum(items.map((item) => unitsOrNull(item.record.fee)))),
      ...missingOf(items),
    };
  });
}

/** The durations of the stays that ended, by month, type and status, shortest first. */
export function staysByMonth(observed: Observed, timeZone: Zone): Map<string, bigint[]> {
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
