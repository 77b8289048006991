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
