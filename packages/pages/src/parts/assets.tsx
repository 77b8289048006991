// Assets in tables and bars: their names, their shares of the total value, and how each went in some days.
import type { BalanceTrend, PortfolioValue } from '../api/ask.ts';
import { counted } from '../api/words.ts';
import { dayLater } from '../view/moments.ts';
import { isSome, shareOf, sumOf } from '../view/numbers.ts';
import { assetPath, useView } from '../view/view.ts';
import { Money } from './amount.tsx';
import { type Share, Sparkline, StackedBar } from './drawings.tsx';
import { type Column, column } from './table.tsx';
import { Link, Moment, TextLink, UntrustedText } from './values.tsx';

export interface OfAsset {
  readonly asset_id: string | null;
  readonly network_id: string | null;
}

export function assetKey({ asset_id, network_id }: OfAsset): string {
  return JSON.stringify([asset_id, network_id]);
}

interface NamedAsset extends OfAsset {
  readonly asset_name?: string | null;
}

export function AssetName({ row: { asset_id: id, asset_name: name } }: { readonly row: NamedAsset }) {
  const to = id === null ? null : ([assetPath(id), { at: useView().query['at'] }] as const);
  return (
    <>
      <TextLink to={to} text={name || id} none="no asset named" most={40} />
      {!name || name === id
        ? null
        : [
            ' ',
            <span class="soft">
              <UntrustedText text={id} most={24} />
            </span>,
          ]}
    </>
  );
}

export function AssetOn({ row }: { readonly row: NamedAsset }) {
  const { asset_id, network_id: network } = row;
  return (
    <>
      <AssetName row={row} />
      {network && network !== asset_id && (
        <span class="soft">
          {' '}
          on <UntrustedText text={network} most={24} />
        </span>
      )}
    </>
  );
}

type Sum = Pick<PortfolioValue, 'without_price' | 'unknown' | 'oldest_price_as_of'>;

/** What the sum leaves out, or that it leaves out nothing, and how old its prices are. */
export function LeftOut({ row }: { readonly row: Sum }) {
  const { without_price, unknown, oldest_price_as_of } = row;
  const parts = [
    ...(without_price > 0 ? [`${counted(without_price, 'asset')} without a price`] : []),
    ...(unknown > 0 ? [`${counted(unknown, 'balance')} that could not be read`] : []),
  ];
  return (
    <p class={`small${parts.length > 0 ? ' left-out' : ''}`}>
      {parts.length > 0 ? `Leaves out ${parts.join(' and ')}.` : 'Every asset held has a price.'}
      {oldest_price_as_of === null ? null : (
        <span class="soft">
          {' '}
          Oldest price: <Moment at={oldest_price_as_of} as="age" />.
        </span>
      )}
    </p>
  );
}

interface Held extends NamedAsset {
  readonly total_value: string | null;
}

const mostNamed = 6;

interface AllocationProps {
  readonly rows: readonly Held[];
  readonly whole: string | null;
  readonly currency: string;
}

/** The total value by asset: the greatest by name. */
export function AllocationBar({ rows, whole, currency }: AllocationProps) {
  const held = rows.filter(({ total_value }) => isSome(total_value));
  const sorted = held.toSorted(byValue);
  const share = (name: Share['name'], value: string | null): Share => ({
    name,
    value,
    figure: <Money value={value} currency={currency} />,
  });
  const named = sorted
    .slice(0, mostNamed)
    .map((row) => share(<AssetOn row={{ ...row, asset_name: null }} />, row.total_value));
  const rest = sorted.slice(mostNamed).map(({ total_value }) => total_value);
  const others = share(<Link to="/balances">{rest.length} others</Link>, sumOf(rest));
  return (
    <StackedBar title="By asset" whole={whole} shares={rest.length === 0 ? named : [...named, others]} />
  );
}

/** The greatest value first, then what is not known or has none. Floats only decide on the order. */
export function byValue(a: Held, b: Held): number {
  const [first, second] = [a, b].map(({ total_value }) => (total_value === null ? -1 : Number(total_value)));
  return (second ?? 0) - (first ?? 0) || (a.asset_id ?? '').localeCompare(b.asset_id ?? '');
}

export function shareColumn<Row extends Held>(whole: string | null | undefined): Column<Row> {
  const cell = ({ total_value }: Row) => (
    <span class="amount">{shareOf(total_value, whole ?? null) ?? <span class="soft">–</span>}</span>
  );
  return { title: 'Share', isNumber: true, cell };
}

export function trendColumn<Row extends OfAsset>(trends: readonly BalanceTrend[]): Column<Row> {
  const known = new Map(trends.map((trend) => [assetKey(trend), trend]));
  return column('Held, 30 days', (row) => {
    const trend = known.get(assetKey(row));
    return <Sparkline values={trend === undefined ? [] : valuesOf(trend)} title="Held over 30 days" />;
  });
}

function valuesOf({ from_day, to_day, days, totals }: BalanceTrend): readonly (string | null)[] {
  const byDay = new Map(days.map((day, index) => [day, totals[index] ?? null]));
  const values: (string | null)[] = [];
  for (let day = from_day; day <= to_day; day = dayLater(day, 1)) values.push(byDay.get(day) ?? null);
  return values;
}
