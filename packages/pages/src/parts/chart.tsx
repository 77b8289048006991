// A chart with the data in a table beside it. The script reads the table, so that both show the same, and
// without the script the table stands alone.
import type { Child } from 'hono/jsx';
import { useView } from '../view/view.ts';
import { amountColumn, type Column, Table } from './table.tsx';
import { Moment } from './values.tsx';

export interface Series {
  readonly title: string;
  /** Exact values, one for each moment; null where nothing is known: a gap. */
  readonly values: readonly (string | null)[];
  /** What the table says in the place of a null; `unknown` without it. */
  readonly says?: readonly (string | null)[];
}

interface ChartProps {
  /** Unlike that of another chart of the page: by it the chart is known again when figures are refreshed. */
  readonly id?: string;
  readonly title: string;
  /** RFC 3339, ascending. */
  readonly moments: readonly string[];
  readonly series: readonly Series[];
  /** Unit of the values. */
  readonly unit?: string;
  /** Decimals of the values that are shown. Default: all. */
  readonly decimals?: number;
  /** Lower, and filled: beside other things. */
  readonly isSmall?: boolean;
  /** A sentence on what it shows. */
  readonly children?: Child;
  /** Links below the table, such as to the same rows as CSV. */
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
