// Balances, now or as of any moment: all, warm and cold vaults side by side or one of them with its parts; or
// two moments side by side, and how far they differ.
import type { BalanceSplit, BalanceSplitAt, BalanceTrend, Found } from '../api/ask.ts';
import { isDay } from '../api/words.ts';
import { type Page, type PageRequest, parametersOf } from '../page/page.ts';
import { Change, Money, short } from '../parts/amount.tsx';
import { AssetOn, assetKey } from '../parts/assets.tsx';
import { ExportHoldings } from '../parts/export.tsx';
import { type Field, Filters, Jumps } from '../parts/form.tsx';
import { UnknownNotice } from '../parts/notice.tsx';
import { amountColumn, type Column, moneyColumns, numberColumn, Table } from '../parts/table.tsx';
import { Link, Moment } from '../parts/values.tsx';
import { dayInWords, dayThatHolds, endOf, observedEnds, todayOf } from '../view/moments.ts';
import { isSome, negated, sumOf } from '../view/numbers.ts';
import { type KnownValue, readTotalValue, vaultTypes } from './cells.tsx';
import { partsTable, splitTable } from './tables.tsx';

const names = ['vault_type', 'asset_id', 'network_id', 'at', 'cursor'] as const;
const { at: ofMoment, ...filters } = parametersOf('listBalances', ...names);

export const balancesPage: Page = {
  path: '/balances',
  section: 'balances',
  about: ['balances'],
  parameters: {
    ...filters,
    ...parametersOf('listBalanceSplit', 'currency'),
    at: ofMoment,
    compare: { ...ofMoment, description: 'The moment or day with which the balances are compared.' },
  },
  async show(request) {
    const { params, view, ask } = request;
    const { at, vault_type, compare } = params;
    const value = await readTotalValue(ask, at);
    const currency = params['currency'] ?? value.currencies[0] ?? null;
    const ends = await observedEnds(ask, await todayOf(ask, view.now));
    const trends = compare === undefined ? await readTrends(request) : [];
    const which = { asset_id: params['asset_id'], network_id: params['network_id'], currency };
    const wanted = { ...request, value, currency, trends };
    const compared = compare === undefined ? null : await comparison({ ask, params, currency, compare });
    return {
      title: 'Balances',
      actions: [
        <Filters label="Moment" word="Moment, compare" fields={momentFields(compare)} keep={stays}>
          <Jumps
            label="At the end of"
            jumps={ends.map(([word, day]) => [word, { at: day, compare: null }])}
          />
          <Jumps
            label="Compared with the end of"
            jumps={ends.map(([word, day]) => [word, { at: null, compare: day }])}
          />
        </Filters>,
        compared?.isKnown && (
          <ExportHoldings moments={Object.entries({ before: compare, after: at })} query={which} />
        ),
      ],
      content: [
        <div class="chips">
          <Filters label="Balances" fields={fieldsOf(value)} keep={['at', 'compare']} />
          <Link to="/balances/fees">Fees by asset</Link>
        </div>,
        compared !== null
          ? compared.content
          : vault_type === undefined
            ? await splitTable(wanted)
            : await partsTable(wanted, vault_type),
      ],
    };
  },
};

const fields: readonly Field[] = [
  { name: 'asset_id', label: 'Asset' },
  { name: 'vault_type', label: 'Vaults', choices: vaultTypes, any: 'side by side' },
];

function fieldsOf({ currencies }: KnownValue): readonly Field[] {
  const [first, ...others] = currencies;
  if (first === undefined || others.length === 0) return fields;
  return [...fields, { name: 'currency', label: 'Value in', choices: currencies, any: first }];
}

const stays = ['asset_id', 'network_id', 'vault_type', 'currency'];

function momentFields(compare: string | undefined): readonly Field[] {
  const kind = compare === undefined || isDay(compare) ? 'day' : 'moment';
  return [
    { name: 'at', label: 'As of', kind: 'moment', hint: 'Empty: now' },
    { name: 'compare', label: 'Compare with', kind, hint: 'Empty: nothing' },
  ];
}

/** The 30 days until then, of as many assets as are computed. */
async function readTrends({ ask, params, view }: PageRequest): Promise<readonly BalanceTrend[]> {
  const { at, vault_type = 'all', asset_id, network_id } = params;
  const to = at === undefined ? null : isDay(at) ? at : await dayThatHolds(ask, endOf(at, view.closed));
  const query = { vault_type, asset_id, network_id, day_to: to, limit: 500 };
  const trends: BalanceTrend[] = [];
  let cursor: string | null = null;
  do {
    const found: Found<BalanceTrend> = await ask.last('listBalanceTrends', { ...query, cursor });
    trends.push(...found.data);
    cursor = found.next_cursor;
  } while (cursor !== null);
  return trends;
}

type Split = BalanceSplit | BalanceSplitAt;

type Pair = ReturnType<typeof pairsOf>[number];

interface Compared extends Pick<PageRequest, 'ask' | 'params'> {
  readonly currency: string | null;
  /** The earlier moment or day. */
  readonly compare: string;
}

async function comparison({ ask, params, currency, compare }: Compared) {
  const { at, asset_id, network_id } = params;
  const query = { asset_id, network_id, currency };
  const sides: (readonly Split[])[] = [];
  for (const moment of [compare, at]) {
    const found = await ask.known('listBalanceSplit', { ...query, at: moment, limit: 500 });
    if (found.unknown)
      return { isKnown: false, content: <UnknownNotice title="Not known" why={found.unknown.why} /> };
    sides.push(await ask.all('listBalanceSplit', { ...query, at: moment }));
  }
  const pairs = pairsOf(sides);
  const content = [
    <p>
      From <MomentName at={compare} /> to <MomentName at={at} />.
    </p>,
    <Table
      caption="Balances of all vaults at both moments, largest changes first"
      noun="asset"
      isLinked
      columns={columnsOf(currency)}
      rows={pairs}
      empty="No balance matches at either moment."
      totals={currency === null ? undefined : totalsOf(pairs, currency)}
    />,
  ];
  return { isKnown: true, content };
}

function MomentName({ at }: { readonly at: string | undefined }) {
  if (at === undefined) return <strong>now</strong>;
  return <strong>{isDay(at) ? `the end of ${dayInWords(at)}` : <Moment at={at} />}</strong>;
}

/** An asset that one of the two does not list was not held: each lists everything. */
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

/** Null where it is unknown; an asset that is not listed is not held. */
const totalOf = (row: Side) => (isListed(row) ? row.all_total : '0');
const valueAt = (row: Side) => (isListed(row) ? row.total_value : '0');
/** What is not held needs no price. */
const isPriced = (row: Side) => !isListed(row) || row.price !== null;

function columnsOf(currency: string | null): readonly Column<Pair>[] {
  const value = (title: string, side: 'before' | 'after') =>
    moneyColumns<Pair>(title, currency, (row) => valueAt(row[side]), {
      none: (row) => (isPriced(row[side]) ? 'unknown' : 'no price'),
    });
  const valueChange = (currency: string) =>
    numberColumn<Pair>('Change in value', ({ before, valueChange }) => (
      <Change value={valueChange} since={valueAt(before)} currency={currency} none="–" />
    ));
  return [
    { title: 'Asset', isPlain: true, cell: (row) => <AssetOn row={row} /> },
    amountColumn('Before', ({ before }) => totalOf(before), short),
    amountColumn('After', ({ after }) => totalOf(after), short),
    amountColumn('Change', ({ change }) => change, { ...short, signed: true }),
    ...value('Value before', 'before'),
    ...value('Value after', 'after'),
    ...(currency === null ? [] : [valueChange(currency)]),
  ];
}

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
