// The menu that gives the rows of a table, or what a chart is drawn from, to other programs: all rows as a
// spreadsheet file or as CSV, and those of this page as JSON.
import { lastEnds } from '../view/days.ts';
import { apiAddress, type Query, useView } from '../view/view.ts';
import { Icon } from './icon.tsx';

export interface Source {
  /** Path of the operation below /api, such as `/v1/balances`. */
  readonly path: string;
  readonly query?: Query;
}

interface ExportProps {
  readonly source: Source;
  /** What the CSV holds; without it, the query of the page from its beginning to its end. */
  readonly whole?: Query;
  /** Of the rows, for who hears it. */
  readonly name: string;
}

export function Export({ source: { path, query = {} }, whole, name }: ExportProps) {
  const view = useView();
  const { cursor: _cursor, limit: _limit, ...all } = query;
  return (
    <details class="menu export">
      <summary aria-label={`Export: ${name}`}>
        <Icon name="export" /> Export
      </summary>
      <div class="panel">
        <a
          href={apiAddress(view, `${path}.xlsx`, whole ?? all)}
          download
          aria-label={`${name}: all rows as a spreadsheet`}
        >
          Spreadsheet
        </a>
        <a
          href={apiAddress(view, `${path}.csv`, { ...(whole ?? all), download: true })}
          download
          aria-label={`${name}: all rows as CSV`}
        >
          CSV
        </a>
        <a href={apiAddress(view, path, query)} aria-label={`${name}: these rows as JSON`}>
          JSON
        </a>
      </div>
    </details>
  );
}

interface HoldingsProps {
  readonly today: string;
  readonly currency: string | null;
}

/** What is held with its worth, now and at the ends of the periods before, as files. */
export function ExportHoldings({ today, currency }: HoldingsProps) {
  const view = useView();
  const moments: readonly (readonly [word: string, at: string | null])[] = [
    ['now', null],
    ...lastEnds(today).map(([word, day]) => [`at the end of ${word}`, day] as const),
  ];
  const to = (form: string, query: Query) => apiAddress(view, `/v1/balances/split.${form}`, query);
  return (
    <details class="menu export" id="export-holdings">
      <summary>
        <Icon name="export" /> Export holdings
      </summary>
      <ul class="panel">
        {moments.map(([word, at]) => (
          <li>
            Holdings {word}:{' '}
            <a href={to('xlsx', { at, currency })} download aria-label={`Holdings ${word} as a spreadsheet`}>
              spreadsheet
            </a>{' '}
            <a
              href={to('csv', { at, currency, download: true })}
              download
              aria-label={`Holdings ${word} as CSV`}
            >
              CSV
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}
