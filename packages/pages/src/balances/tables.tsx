// The tables of balances: one asset per row, with its value, its trend and how long it has been unchanged.
import type { Balance, BalanceAt, BalanceSplit, BalanceSplitAt, BalanceTrend, Found } from '../api/ask.ts';
import { lengthInWords, onOneLine } from '../api/words.ts';
import type { PageRequest } from '../page/page.ts';
import { Money, short } from '../parts/amount.tsx';
import { AssetName, assetKey, byValue, shareColumn, trendColumn } from '../parts/assets.tsx';
import { moneyColumns, Table, type TableProps, textColumn } from '../parts/table.tsx';
import { Moment, Sealed } from '../parts/values.tsx';
import { endOf } from '../view/moments.ts';
import { sumOf } from '../view/numbers.ts';
import {
  balanceParts,
  heldColumn,
  type Known as KnownBalance,
  type KnownValue,
  sinceColumn,
  TotalValue,
  vaultWords,
} from './cells.tsx';

/** Of what the service sent as a name, in characters. */
const longestTitle = 2_000;

/** A row of either table, with what all columns need. */
interface Shown
  extends KnownBalance,
    Pick<BalanceAt, 'asset_id' | 'asset_name' | 'network_id' | 'network_name' | 'observed_at'> {
  readonly isPriced: boolean;
  readonly total_value: string | null;
}
type Split = BalanceSplit | BalanceSplitAt;
type Parts = Balance | BalanceAt;

export interface Wanted extends PageRequest {
  readonly value: KnownValue;
  readonly currency: string | null;
  readonly trends: readonly BalanceTrend[];
}

export async function splitTable(wanted: Wanted) {
  const query = { ...wanted.params, currency: wanted.currency };
  const found = await wanted.ask.known('listBalanceSplit', { ...query, limit: 500 });
  const total = (title: string, type: 'all' | 'warm' | 'cold') =>
    heldColumn<Split>(title, (row) => [row[`${type}_total`], row[`${type}_is_known`]], short.decimals);
  return shownTable<Shown & Split>(wanted, {
    rows: {
      ...found,
      data: found.data.map((row) => ({ ...row, is_known: row.all_is_known, isPriced: row.price !== null })),
    },
    caption: 'Balances in all, warm and cold vaults',
    columns: [
      total('Total', 'all'),
      total('Warm', 'warm'),
      total('Cold', 'cold'),
      heldColumn('Available', (row) => [row.available_balance, row.all_is_known], short.decimals),
    ],
    empty: 'No balance matches.',
    source: { path: '/v1/balances/split', query },
  });
}

export async function partsTable({ ask, params, currency, ...wanted }: Wanted, vault_type: string) {
  const { currency: _currency, ...query } = params;
  const { at, asset_id } = query;
  const found = await ask.known('listBalances', { ...query, limit: 500 });
  // The list of values is as long as there are assets.
  const values =
    found.unknown !== null || currency === null
      ? []
      : await ask.all('listBalanceValues', { at, asset_id, vault_type, currency });
  const valueOfAsset = new Map(values.map((row) => [assetKey(row), row.total_value]));
  return shownTable<Shown & Parts>(
    { ...wanted, ask, params, currency },
    {
      rows: {
        ...found,
        data: found.data.map((row) => ({
          ...row,
          total_value: valueOfAsset.get(assetKey(row)) ?? null,
          isPriced: valueOfAsset.has(assetKey(row)),
        })),
      },
      caption: `Balances in ${vaultWords(vault_type)}`,
      columns: balanceParts.map(([name, title]) =>
        heldColumn(title, (row) => [row[name], row.is_known], short.decimals),
      ),
      empty: 'No balance matches in these vaults.',
      source: { path: '/v1/balances', query },
    },
  );
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
  const totalsIn = (currency: string) => {
    const sum = <Money value={sumOf(valued)} currency={currency} />;
    return ['All', '', ...columns.map(() => ''), sum, '', '', ''];
  };
  return [
    params['asset_id'] === undefined && value.isKnown && (
      <TotalValue sum={whole} currency={currency} rows={rows} />
    ),
    await lastRead(wanted, rows),
    <Table
      {...table}
      id="balances"
      totals={currency === null || !isAll || valued.length < 2 ? undefined : totalsIn(currency)}
      noun="asset"
      isLinked
      columns={[
        {
          title: 'Asset',
          isPlain: true,
          cell: (row: Row) => <AssetName row={row} />,
          whole: ({ asset_name, asset_id }) =>
            onOneLine([...new Set([asset_name, asset_id])].join(' ').slice(0, longestTitle)),
        },
        textColumn('Network', (row: Row) => row.network_name ?? row.network_id, { most: 24 }),
        ...columns,
        ...moneyColumns(`Value in ${currency}`, currency, (row: Row) => row.total_value, { none }),
        ...(currency === null ? [] : [shareColumn(whole?.total_value)]),
        trendColumn(trends),
        sinceColumn,
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
