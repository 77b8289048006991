// The export menu of a table or chart: all rows as a spreadsheet file or CSV, those of this page as JSON.

import { apiAddress, type Query, useView } from '../view/view.ts';
import { Icon } from './icon.tsx';
import { List } from './notice.tsx';

export interface Source {
  /** Path of the operation below /api, such as `/v1/balances`. */
  readonly path: string;
  readonly query?: Query;
}

interface ExportProps {
  readonly source: Source;
  readonly whole?: Query;
  readonly name: string;
}

export function Export({ source: { path, query = {} }, whole, name }: ExportProps) {
  const view = useView();
  const { cursor: _cursor, limit: _limit, ...all } = query;
  const links = [
    ['Spreadsheet', `${path}.xlsx`, whole ?? all, 'all rows as a spreadsheet'],
    ['CSV', `${path}.csv`, { ...(whole ?? all), download: true }, 'all rows as CSV'],
    ['JSON', path, query, 'these rows as JSON'],
  ] as const;
  return (
    <details class="menu export">
      <summary aria-label={`Export: ${name}`}>
        <Icon name="export" /> Export
      </summary>
      <div class="panel">
        {links.map(([word, to, of, what]) => (
          <a href={apiAddress(view, to, of)} download={word !== 'JSON'} aria-label={`${name}: ${what}`}>
            {word}
          </a>
        ))}
      </div>
    </details>
  );
}

interface HoldingsProps {
  readonly moments: readonly (readonly [word: string, at: string | undefined])[];
  readonly query: Query;
}

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
      <List
        class="panel"
        items={moments.map(([word, at]) => [
          `Holdings ${word}: `,
          <a href={to('xlsx', { at })} download aria-label={`Holdings ${word} as a spreadsheet`}>
            spreadsheet
          </a>,
          ' ',
          <a href={to('csv', { at, download: true })} download aria-label={`Holdings ${word} as CSV`}>
            CSV
          </a>,
        ])}
      />
    </details>
  );
}
