// Drawings by the server: a bar of the parts of a whole, and a small line; and charts, which a script draws
// from the table below them, so that both show the same.

import type { Child } from 'hono/jsx';
import type { BalanceTrend, PortfolioValue } from '../api/ask.ts';
import { counted } from '../api/words.ts';
import { dayLater } from '../view/moments.ts';
import { isSome, perMille, shareOf, sumOf } from '../view/numbers.ts';
import { assetPath, useView } from '../view/view.ts';
import { type Column, column, Table } from './table.tsx';
import { Link, Moment, Money, TextLink, UntrustedText } from './values.tsx';

export interface Share {
  readonly name: Child;
  readonly value: string | null;
  readonly figure: Child;
}

interface BarProps {
  readonly title: string;
  readonly whole: string | null;
  readonly shares: readonly Share[];
}

const colors = ['accent', 'teal', 'violet', 'good', 'note', 'bad', 'grey-500'];
const colorOf = (index: number) => `var(--${colors[Math.min(index, colors.length - 1)]})`;

/** What is drawn in it has an x and a width in thousandths. */
export function Bar({ children }: { readonly children: Child }) {
  return (
    <svg
      class="bar"
      width="100%"
      height="12"
      viewBox="0 0 1000 12"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

export function StackedBar({ title, whole, shares }: BarProps) {
  const lengths = shares.map(({ value }) => Math.max(0, perMille(value, whole) ?? 0));
  const begins = lengths.map((_, index) => lengths.slice(0, index).reduce((sum, each) => sum + each, 0));
  return (
    <div>
      <h3>{title}</h3>
      <Bar>
        <rect width="1000" height="12" fill="var(--grey-200)" />
        {lengths.map((length, index) => {
          const place = { x: String(begins[index]), width: String(length), height: '12' };
          return length > 0 && <rect {...place} fill={colorOf(index)} />;
        })}
      </Bar>
      <ul class="legend">
        {shares.map(({ name, value, figure }, index) => (
          <li>
            <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
              <circle cx="5" cy="5" r="5" fill={colorOf(index)} />
            </svg>{' '}
            {name} {figure} <span class="soft">{shareOf(value, whole) ?? ''}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

const width = 96;
const height = 24;

/** @param values decimal texts, the oldest first; null where nothing is known: a gap */
export function Sparkline({ values, title }: Pick<Series, 'values' | 'title'>) {
  const known = values.flatMap((value) => (value === null ? [] : [Number(value)]));
  if (known.length < 2) return <span class="soft">–</span>;
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const x = (index: number) => ((index / (values.length - 1)) * width).toFixed(1);
  const y = (value: string) =>
    (most === least
      ? height / 2
      : height - 2 - ((Number(value) - least) / (most - least)) * (height - 4)
    ).toFixed(1);
  const path = values.map((value, index) => {
    if (value === null) return '';
    return `${index === 0 || values[index - 1] === null ? 'M' : 'L'}${x(index)} ${y(value)}`;
  });
  return (
    <svg
      class="sparkline"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={title}
    >
      <path d={path.join('')} fill="none" stroke="var(--accent)" stroke-width="1.5" />
    </svg>
  );
}

export interface Series {
  readonly title: string;
  readonly values: readonly (string | null)[];
  /** What the table shows for a null; default `unknown`. */
  readonly says?: readonly (string | null)[];
}

interface ChartProps {
  /** Unique on the page: it identifies the chart when figures are refreshed. */
  readonly id?: string;
  readonly title: string;
  readonly moments: readonly string[];
  readonly series: readonly Series[];
  readonly unit?: string;
  /** Decimals of the values that are shown. Default: all. */
  readonly decimals?: number;
  readonly isSmall?: boolean;
  readonly children?: Child;
  readonly links?: Child;
}

export function Chart({ id = 'chart', title, moments, series, unit, children, links, ...how }: ChartProps) {
  const { decimals = Infinity, isSmall = false } = how;
  const view = useView();
  const columns: readonly Column<number>[] = [
    { title: `Time (${view.zone})`, cell: (row) => <Moment at={moments[row]} /> },
    ...series.map(({ title, values, says }) => {
      const none = (row: number) => says?.[row] ?? 'unknown';
      return column.amount<number>(title, (row) => values[row], { none, decimals });
    }),
  ];
  return (
    <figure id={id} data-chart={view.zone} data-unit={unit} data-small={isSmall ? '' : undefined}>
      <figcaption>
        {title}
        {unit && <span class="soft"> in {unit}.</span>}
        {children && <span class="soft"> {children}</span>}
      </figcaption>
      <div class="plot" id={`${id}-plot`} aria-hidden="true" hidden></div>
      <details id={`${id}-figures`}>
        <summary>The figures of this chart as a table</summary>
        <Table caption={title} isCounted columns={columns} rows={[...moments.keys()]} />
      </details>
      {links && <div class="beside">{links}</div>}
    </figure>
  );
}

// Assets in tables and bars: their names, their shares of the total value, and how each went in some days.

export interface OfAsset {
  readonly asset_id: string | null;
  readonly network_id: string | null;
}

export function assetKey({ asset_id, network_id }: OfAsset): string {
  return JSON.stringify([asset_id, network_id]);
}

/** In a row of an asset that a list lacks, and that is not certainly not held. */
export const unknownHolding = { all_total: null, all_is_known: false, total_value: null };

interface NamedAsset extends OfAsset {
  readonly asset_name?: string | null;
}

export function AssetName({ row: { asset_id: id, asset_name: name } }: { readonly row: NamedAsset }) {
  const to = id === null ? null : ([assetPath(id), { at: useView().query['at'] }] as const);
  const shownId = <UntrustedText text={id} most={24} />;
  return (
    <>
      <TextLink to={to} text={name || id} none="no asset named" most={40} />
      {name && name !== id && [' ', <span class="soft">{shownId}</span>]}
    </>
  );
}

export function AssetOn({ row }: { readonly row: NamedAsset }) {
  const { asset_id, network_id: network } = row;
  const shownNetwork = <UntrustedText text={network} most={24} />;
  return (
    <>
      <AssetName row={row} />
      {network && network !== asset_id && <span class="soft">{[' on ', shownNetwork]}</span>}
    </>
  );
}

/** The currencies that have prices, first the one in which most assets have one: that is the default. */
export function currenciesOf(
  sums: readonly Pick<PortfolioValue, 'vault_type' | 'currency' | 'without_price' | 'valued'>[],
): readonly string[] {
  const best = sums
    .filter(({ vault_type }) => vault_type === 'all')
    .toSorted((a, b) => a.without_price - b.without_price || b.valued - a.valued);
  return [...new Set(best.map(({ currency }) => currency))];
}

type Sum = Pick<PortfolioValue, 'without_price' | 'unknown' | 'oldest_price_as_of'>;

/** What the sum leaves out, or that it leaves out nothing, and how old its prices are. */
export function LeftOut({ row }: { readonly row: Sum }) {
  const { without_price, unknown, oldest_price_as_of: oldest } = row;
  const parts = [
    ...(without_price > 0 ? [`${counted(without_price, 'asset')} without a price`] : []),
    ...(unknown > 0 ? [`${counted(unknown, 'balance')} that could not be read`] : []),
  ];
  const age = oldest && [' Oldest price: ', <Moment at={oldest} as="age" />, '.'];
  return (
    <p class={`small${parts.length > 0 ? ' left-out' : ''}`}>
      {parts.length > 0 ? `Leaves out ${parts.join(' and ')}.` : 'Every asset held has a price.'}
      {age && <span class="soft">{age}</span>}
    </p>
  );
}

export interface Valued extends NamedAsset {
  readonly total_value: string | null;
}

const mostNamed = 6;

interface AllocationProps {
  readonly rows: readonly Valued[];
  readonly whole: string | null;
  readonly currency: string;
}

/** The total value by asset: the greatest by name. */
export function AllocationBar({ rows, whole, currency }: AllocationProps) {
  const held = rows.filter(({ total_value }) => isSome(total_value));
  const sorted = held.toSorted(byValue);
  const share = (name: Share['name'], value: string | null): Share => {
    return { name, value, figure: <Money value={value} currency={currency} /> };
  };
  const named = sorted
    .slice(0, mostNamed)
    .map((row) => share(<AssetOn row={{ ...row, asset_name: null }} />, row.total_value));
  const rest = sorted.slice(mostNamed).map(({ total_value }) => total_value);
  if (rest.length > 0) named.push(share(<Link to="/balances">{rest.length} others</Link>, sumOf(rest)));
  return <StackedBar title="By asset" whole={whole} shares={named} />;
}

/** The greatest value first, then what is not known or has none. Floats only decide on the order. */
export function byValue(a: Valued, b: Valued): number {
  const [first, second] = [a, b].map(({ total_value }) => (total_value === null ? -1 : Number(total_value)));
  return (second ?? 0) - (first ?? 0) || (a.asset_id ?? '').localeCompare(b.asset_id ?? '');
}

export function shareColumn<Row extends Valued>(whole: string | null | undefined): Column<Row> {
  const cell = ({ total_value }: Row) => (
    <span class="amount">{shareOf(total_value, whole ?? null) ?? <span class="soft">–</span>}</span>
  );
  return { title: 'Share', isNumber: true, cell };
}

export function trendColumn<Row extends OfAsset>(trends: readonly BalanceTrend[]): Column<Row> {
  const known = new Map(trends.map((trend) => [assetKey(trend), trend]));
  return column.of('Held, 30 days', (row) => {
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
