// Balances, now or as of any moment: all, warm and cold vaults side by side or one of them with its parts; or
// two moments side by side, and how far they differ.
import type { Balance, BalanceAt, BalanceSplit, BalanceSplitAt, BalanceTrend, Found } from '../api/ask.ts';
import { isDay, lengthInWords, onOneLine } from '../api/words.ts';
import { type Content, type PageRequest, parametersOf } from '../page/page.ts';
import {
  AssetName,
  AssetOn,
  assetKey,
  byValue,
  shareColumn,
  trendColumn,
  unknownHolding,
} from '../parts/drawings.tsx';
import { type Field, Filters, Jumps } from '../parts/form.tsx';
import { UnknownNotice } from '../parts/notice.tsx';
import { type Column, column, ExportHoldings, Table, type TableProps } from '../parts/table.tsx';
import { Change, Link, Moment, Money, Sealed, short } from '../parts/values.tsx';
import { dayInWords, dayThatHolds, endOf, listsAll, observedEnds, todayOf } from '../view/moments.ts';
import { currencyName, isSome, negated, sumOf } from '../view/numbers.ts';
import * as cells from './cells.tsx';

const names = ['vault_type', 'asset_id', 'network_id', 'at', 'cursor'] as const;
const { at: ofMoment, ...filters } = parametersOf('listBalances', ...names);

export const balancesPage: Content = {
  parameters: {
    ...filters,
    ...parametersOf('listBalanceSplit', 'currency'),
    at: ofMoment,
    compare: { ...ofMoment, description: 'The moment or day with which the balances are compared.' },
  },
  async show(request) {
    const { params, view, ask } = request;
    const { at, vault_type, compare } = params;
    const value = await cells.readTotalValue(ask, at);
    const currency = params['currency'] ?? value.currencies[0] ?? null;
    const ends = await observedEnds(ask, await todayOf(ask, view.now));
    const jumps = (to: (day: string) => Record<string, string | null>) =>
      ends.map(([word, day]) => [word, to(day)] as const);
    const shown = vault_type === undefined ? splitTable : partsTable;
    const trends = compare === undefined ? await readTrends(request) : [];
    const which = { asset_id: params['asset_id'], network_id: params['network_id'], currency };
    const wanted = { ...request, value, currency, trends };
    const compared = compare === undefined ? null : await comparison(request, currency, compare);
    return {
      title: 'Balances',
      actions: [
        <Filters label="Moment" word="Moment, compare" fields={momentFields(compare)} keep={stays}>
          <Jumps label="At the end of" jumps={jumps((day) => ({ at: day, compare: null }))} />
          <Jumps label="Compared with the end of" jumps={jumps((day) => ({ at: null, compare: day }))} />
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
        compared?.content ?? (await shown(wanted)),
      ],
    };
  },
};

const fields: readonly Field[] = [
  { name: 'asset_id', label: 'Asset' },
  { name: 'vault_type', label: 'Vaults', choices: cells.vaultTypes, any: 'side by side' },
];

function fieldsOf({ currencies }: cells.KnownValue): readonly Field[] {
  const [first, second] = currencies;
  if (first === undefined || second === undefined) return fields;
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

/** @param compare the earlier moment or day */
async function comparison({ ask, params }: PageRequest, currency: string | null, compare: string) {
  const { at, asset_id, network_id } = params;
  const query = { asset_id, network_id, currency };
  const sides: Listed[] = [];
  for (const moment of [compare, at]) {
    const found = await ask.known('listBalanceSplit', { ...query, at: moment, limit: 500 });
    if (found.unknown)
      return { isKnown: false, content: <UnknownNotice title="Not known" why={found.unknown.why} /> };
    const rows = await ask.all('listBalanceSplit', { ...query, at: moment });
    sides.push({ rows, isWhole: await listsAll(ask, moment) });
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

interface Listed {
  readonly rows: readonly Split[];
  /** What is not among them was not held. If not, it may be a record that could not be identified. */
  readonly isWhole: boolean;
}

function pairsOf(sides: readonly Listed[]) {
  const [first, last] = sides.map(({ rows, isWhole }) => {
    const listed = new Map(rows.map((row) => [assetKey(row), row]));
    const unlisted = (row: Split) => (isWhole ? undefined : { ...row, ...unknownHolding });
    return (row: Split) => listed.get(assetKey(row)) ?? unlisted(row);
  });
  const assets = new Map(sides.flatMap(({ rows }) => rows).map((row) => [assetKey(row), row]));
  const pairs = [...assets.values()].map((row) => {
    const [before, after] = [first?.(row), last?.(row)];
    const change = difference(totalOf(before), totalOf(after));
    const isValued = isPriced(before) && isPriced(after);
    const valueChange = isValued ? difference(valueAt(before), valueAt(after)) : null;
    return { ...row, before, after, change, isValued, valueChange };
  });
  // Floats only decide on the order.
  const size = ({ valueChange }: (typeof pairs)[number]) => Math.abs(Number(valueChange ?? 0));
  // What is not known comes first, and what did not change last.
  const rank = ({ change }: (typeof pairs)[number]) => (change === null ? 0 : change === '0' ? 2 : 1);
  return pairs.toSorted(
    (a, b) => rank(a) - rank(b) || size(b) - size(a) || a.asset_id.localeCompare(b.asset_id),
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
  const value = (title: string, side: 'before' | 'after') => {
    const none = (row: Pair) => (isPriced(row[side]) ? 'unknown' : 'no price');
    return column.money<Pair>(title, currency, (row) => valueAt(row[side]), { none });
  };
  const valueChange = (currency: string) =>
    column.number<Pair>('Change in value', ({ before, valueChange }) => (
      <Change value={valueChange} since={valueAt(before)} currency={currency} none="–" />
    ));
  return [
    column.plain('Asset', (row) => <AssetOn row={row} />),
    column.amount('Before', ({ before }) => totalOf(before), short),
    column.amount('After', ({ after }) => totalOf(after), short),
    column.amount('Change', ({ change }) => change, { ...short, signed: true }),
    ...column.from(1280, ...value('Value before', 'before'), ...value('Value after', 'after')),
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

// The tables of balances: one asset per row, with its value, its trend and how long it has been unchanged.

/** Of what the service sent as a name, in characters. */
const longestTitle = 2_000;

function wholeName({ asset_name, asset_id }: Pick<Shown, 'asset_name' | 'asset_id'>): string {
  return onOneLine([...new Set([asset_name, asset_id])].join(' ').slice(0, longestTitle));
}

/** A row of either table, with what all columns need. */
interface Shown
  extends cells.Known,
    Pick<BalanceAt, 'asset_id' | 'asset_name' | 'network_id' | 'network_name' | 'observed_at'> {
  readonly isPriced: boolean;
  readonly total_value: string | null;
}
type Parts = Balance | BalanceAt;

interface Wanted extends PageRequest {
  readonly value: cells.KnownValue;
  readonly currency: string | null;
  readonly trends: readonly BalanceTrend[];
}

async function splitTable(wanted: Wanted) {
  const query = { ...wanted.params, currency: wanted.currency };
  const found = await wanted.ask.known('listBalanceSplit', { ...query, limit: 500 });
  const total = (title: string, type: 'all' | 'warm' | 'cold') =>
    cells.heldColumn<Split>(title, (row) => [row[`${type}_total`], row[`${type}_is_known`]], short.decimals);
  const data = found.data.map((row) => ({
    ...row,
    is_known: row.all_is_known,
    isPriced: row.price !== null,
  }));
  return shownTable<Shown & Split>(wanted, {
    rows: { ...found, data },
    caption: 'Balances in all, warm and cold vaults',
    columns: [
      total('Total', 'all'),
      total('Warm', 'warm'),
      total('Cold', 'cold'),
      ...column.from(
        1280,
        cells.heldColumn<Split>(
          'Available',
          (row) => [row.available_balance, row.all_is_known],
          short.decimals,
        ),
      ),
    ],
    empty: 'No balance matches.',
    source: { path: '/v1/balances/split', query },
  });
}

async function partsTable(wanted: Wanted) {
  const { ask, params, currency } = wanted;
  const { currency: _currency, ...query } = params;
  const { at, asset_id, vault_type = '' } = query;
  const found = await ask.known('listBalances', { ...query, limit: 500 });
  // The list of values is as long as there are assets.
  const isValued = found.unknown === null && currency !== null;
  const valued = { at, asset_id, vault_type, currency };
  const values = isValued ? await ask.all('listBalanceValues', valued) : [];
  const valueOfAsset = new Map(values.map((row) => [assetKey(row), row.total_value]));
  const data = found.data.map((row) => {
    const total_value = valueOfAsset.get(assetKey(row)) ?? null;
    return { ...row, total_value, isPriced: valueOfAsset.has(assetKey(row)) };
  });
  return shownTable<Shown & Parts>(wanted, {
    rows: { ...found, data },
    caption: `Balances in ${cells.vaultWords(vault_type)}`,
    columns: cells.balanceParts.map(([name, title]) =>
      cells.heldColumn(title, (row) => [row[name], row.is_known], short.decimals),
    ),
    empty: 'No balance matches in these vaults.',
    source: { path: '/v1/balances', query },
  });
}

/** @param columns those between the network and the value */
async function shownTable<Row extends Shown>(
  wanted: Wanted,
  { rows: found, columns, ...table }: TableProps<Row> & { readonly rows: Found<Row> },
) {
  const { params, value, currency, trends } = wanted;
  const { data: rows, next_cursor, unknown } = found;
  const isAll = unknown === null && next_cursor === null && params['cursor'] === undefined;
  const valued = rows.filter(({ isPriced }) => isPriced).map(({ total_value }) => total_value);
  const whole = value.rows.find(
    (row) => row.vault_type === (params['vault_type'] ?? 'all') && row.currency === currency,
  );
  const none = ({ isPriced, is_known }: Row) =>
    !isPriced ? 'no price' : is_known === null ? 'not listed' : 'unknown';
  const sum = currency && <Money value={sumOf(valued)} currency={currency} />;
  const totals = ['All', '', ...columns.map(() => ''), sum, '', '', ''];
  return [
    params['asset_id'] === undefined && value.isKnown && cells.totalValue(whole, currency, rows),
    await lastRead(wanted, rows),
    <Table
      {...table}
      id="balances"
      totals={currency === null || !isAll || valued.length < 2 ? undefined : totals}
      noun="asset"
      isLinked
      columns={[
        { ...column.plain('Asset', (row: Row) => <AssetName row={row} />), whole: wholeName },
        column.text('Network', (row: Row) => row.network_name ?? row.network_id, { most: 24 }),
        ...columns,
        ...column.money(`Value in ${currencyName(currency)}`, currency, (row: Row) => row.total_value, {
          none,
        }),
        ...(currency === null ? [] : [shareColumn(whole?.total_value)]),
        ...column.from(1280, trendColumn<Row>(trends)),
        ...column.from<Row>(1600, cells.sinceColumn),
      ]}
      rows={isAll ? { ...found, data: rows.toSorted(byValue) } : found}
    />,
  ];
}

/** For a past moment: the age of the observation, and the checkpoint that seals it. */
async function lastRead({ ask, params: { at }, view }: Wanted, rows: readonly Shown[]) {
  const observed = rows.flatMap(({ observed_at }) => observed_at ?? []);
  const latest = observed.toSorted().at(-1);
  if (at === undefined || latest === undefined) return null;
  const { sealed } = (await ask('getTick', { snapshot_at: latest })).data;
  // The close of today is what was observed until now.
  const until = Math.min(Date.parse(endOf(at, view.closed)), Date.parse(view.now));
  const before = lengthInWords(Math.max(0, until - Date.parse(latest)));
  return (
    <p>
      As last read at <Moment at={latest} />, {before} before that moment
      {sealed && [', ', <Sealed {...sealed} />]}.
    </p>
  );
}
