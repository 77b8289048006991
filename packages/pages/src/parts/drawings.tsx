// Drawings by the server: a bar of the parts of a whole, and a small line; and charts, which a script draws
// from the table below them, so that both show the same.
import type { Child } from 'hono/jsx';
import { perMille, shareOf } from '../view/numbers.ts';
import { useView } from '../view/view.ts';
import { amountColumn, type Column, Table } from './table.tsx';
import { Moment } from './values.tsx';

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
        {lengths.map((length, index) =>
          length === 0 ? null : (
            <rect x={String(begins[index])} width={String(length)} height="12" fill={colorOf(index)} />
          ),
        )}
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
      return amountColumn<number>(title, (row) => values[row], { none, decimals });
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
