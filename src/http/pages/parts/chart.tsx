// A chart with the data in a table beside it. The script reads the table, so that both show the same, and without the script
// the table stands alone.
import type { Child } from 'hono/jsx';
import type { View } from '../view/view.ts';
import { Amount } from './amount.tsx';
import { Moment } from './moment.tsx';

export interface Series {
  readonly title: string;
  /** Exact values, one for each moment; null where nothing is known: a gap. */
  readonly values: readonly (string | null)[];
}

interface ChartProps {
  readonly view: View;
  readonly title: string;
  /** RFC 3339, ascending. */
  readonly moments: readonly string[];
  readonly series: readonly Series[];
  /** Unit of the values. */
  readonly unit?: string;
  /** A sentence on what it shows. */
  readonly children?: Child;
}

export function Chart({ view, title, moments, series, unit, children }: ChartProps) {
  return (
    <figure class="chart" data-chart={view.zone} data-unit={unit}>
      <figcaption>
        {title}
        {children === undefined ? null : <span class="soft"> {children}</span>}
      </figcaption>
      <div class="plot" aria-hidden="true" hidden></div>
      <details>
        <summary>The figures of this chart</summary>
        <div class="table">
          <table>
            <caption>{title}</caption>
            <thead>
              <tr>
                <th scope="col">Time</th>
                {series.map((each) => (
                  <th scope="col" class="number">
                    {each.title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {moments.map((at, index) => (
                <tr>
                  <td data-label="Time">
                    <Moment view={view} at={at} />
                  </td>
                  {series.map(({ title: name, values }) => (
                    <td class="number" data-label={name}>
                      <Amount view={view} value={values[index] ?? null} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}
