// Two moments side by side: what was held at each and its value, and how far they differ.

import { isDay } from '../../../../src/domain/instant.ts';
import type { BalanceSplit, BalanceSplitAt } from '../api/interface.ts';
import type { PageRequest } from '../page/page.ts';
import { Change, Money, short } from '../parts/amount.tsx';
import { AssetOn } from '../parts/assets.tsx';
import { UnknownNotice } from '../parts/notice.tsx';
import { assetKey, negated, sumOf } from '../parts/sums.ts';
import { amountColumn, type Column, moneyColumn, Table } from '../parts/table.tsx';
import { Moment } from '../parts/values.tsx';
import { dayInWords } from '../view/days.ts';
import { isSome } from '../view/numbers.ts';

type Split = BalanceSplit | BalanceSplitAt;

type Pair = ReturnType<typeof pairsOf>[number];

interface Compared extends Pick<PageRequest, 'ask' | 'params'> {
  readonly currency: string | null;
  /** The earlier moment or day. */
  readonly compare: string;
}

export async function comparison({ ask, params, currency, compare }: Compared) {
  const { at, asset_id, network_id } = params;
  const query = { asset_id, network_id, currency };
  const sides: (readonly Split[])[] = [];
  for (const moment of [compare, at]) {
    const found = await ask.known('listBalanceSplit', { ...query, at: moment, limit: 500 });
    if ('unknown' in found)
      return { isKnown: false, content: <UnknownNotice title="Not known" why={found.unknown.why} /> };
    sides.push(await ask.all('listBalanceSplit', { ...query, at: moment }));
  }
  const pairs = pairsOf(sides);
  const content = (
    <>
      <p>
        From <MomentName at={compare} /> to <MomentName at={at} />.
      </p>
      <Table
        caption="Balances of all vaults at both moments, largest changes first"
        noun="asset"
        isLinked
        columns={columnsOf(currency)}
        rows={pairs}
        empty="No balance matches at either moment."
        totals={currency === null ? undefined : totalsOf(pairs, currency)}
      />
    </>
  );
  return { isKnown: true, content };
}

function MomentName({ at }: { readonly at: string | undefined }) {
  if (at === undefined) return <strong>now</strong>;
  return <strong>{isDay(at) ? `the end of ${dayInWords(at)}` : <Moment at={at} />}</strong>;
}

/** An asset that one of the two does not list was not there: what it lists is all there is. */
function pairsOf(sides: readonly (readonly Split[])[]) {
  const [first, last] = sides.map((rows) => new Map(rows.map((row) => [assetKey(row), row])));
  const pairs = [...new Map([...(first ?? []), ...(last ?? [])]).values()].map((row) => {
    const [before, after] = [first?.get(assetKey(row)), last?.get(assetKey(row))];
    const change = difference(totalOf(before), totalOf(after));
    const isValued = isPriced(before) && isPriced(after);
    const valueChange = isValued ? difference(valueAt(before), valueAt(after)) : null;
    return { ...row, before, after, change, isValued, valueChange };
  });
  // Floats only decide on the order.
  const size = ({ valueChange }: (typeof pairs)[number]) => Math.abs(Number(valueChange ?? 0));
  const isSame = ({ change }: (typeof pairs)[number]) => Number(change === '0');
  return pairs.toSorted(
    (a, b) => isSame(a) - isSame(b) || size(b) - size(a) || a.asset_id.localeCompare(b.asset_id),
  );
}

function difference(then: string | null, now: string | null): string | null {
  const change = sumOf([now, negated(then)]);
  return change === null || isSome(change) ? change : '0';
}

type Side = Split | undefined;

function isListed(row: Side): row is Split {
  return row !== undefined && row.all_is_known !== null;
}

/** Null where it is unknown; what is not listed is not held. */
const totalOf = (row: Side) => (isListed(row) ? row.all_total : '0');
const valueAt = (row: Side) => (isListed(row) ? row.total_value : '0');
/** What is not held needs no price. */
const isPriced = (row: Side) => !isListed(row) || row.price !== null;

function columnsOf(currency: string | null): readonly Column<Pair>[] {
  const value = (title: string, currency: string, side: 'before' | 'after') =>
    moneyColumn<Pair>(title, currency, (row) => valueAt(row[side]), {
      none: (row) => (isPriced(row[side]) ? 'unknown' : 'no price'),
    });
  const money = (currency: string): readonly Column<Pair>[] => [
    value('Value before', currency, 'before'),
    value('Value after', currency, 'after'),
    {
      title: 'Change in value',
      isNumber: true,
      cell: ({ before, valueChange }) => (
        <Change value={valueChange} since={valueAt(before)} currency={currency} none="–" />
      ),
    },
  ];
  return [
    { title: 'Asset', isPlain: true, cell: (row) => <AssetOn row={row} /> },
    amountColumn('Before', ({ before }) => totalOf(before), short),
    amountColumn('After', ({ after }) => totalOf(after), short),
    amountColumn('Change', ({ change }) => change, { ...short, signed: true }),
    ...(currency === null ? [] : money(currency)),
  ];
}

/** Of what has a price at both moments; unknown where a balance is. */
function totalsOf(pairs: readonly Pair[], currency: string) {
  const priced = pairs.filter(({ isValued }) => isValued);
  // A sum of nothing would be a zero.
  const sum = (side: 'before' | 'after') =>
    priced.length === 0 ? null : sumOf(priced.map((row) => valueAt(row[side])));
  const [sumThen, sumNow] = [sum('before'), sum('after')];
  const left = pairs.length - priced.length;
  return [
    left === 0 ? 'All' : `All but ${left} without a price`,
    ...['', '', ''],
    <Money value={sumThen} currency={currency} />,
    <Money value={sumNow} currency={currency} />,
    <Change value={difference(sumThen, sumNow)} since={sumThen} currency={currency} />,
  ];
}
