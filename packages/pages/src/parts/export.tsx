// The menu that gives the rows of a table, or what a chart is drawn from, to other programs: all rows as a
// spreadsheet file or as CSV, and those of this page as JSON.
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
  /** Each as `now` or `at the end of last month`, with its day or moment; without one, now. */
  readonly moments: readonly (readonly [word: string, at: string | undefined])[];
  /** Which holdings, and in which currency. */
  readonly query: Query;
}

/** What is held with its value at some moments, as files. */
export function ExportHoldings({ moments, query }: HoldingsProps) {
  const view = useView();
  if (moments.length === 0) return null;
  const to = (form: string, more: Query) =>
    apiAddress(view, `/v1/balances/split.${form}`, { ...more, ...query });
  return (
    <details class="menu export" id="export-holdings">
      <summary>
        <Icon name="export" /> Export holdings
      </summary>
      <ul class="panel">
        {moments.map(([word, at]) => (
          <li>
            Holdings {word}:{' '}
            <a href={to('xlsx', { at })} download aria-label={`Holdings ${word} as a spreadsheet`}>
              spreadsheet
            </a>{' '}
            <a href={to('csv', { at, download: true })} download aria-label={`Holdings ${word} as CSV`}>
              CSV
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}
