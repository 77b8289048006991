// Where programs get the rows that a page shows.
import { apiAddress, type Query, type View } from '../view/view.ts';

export interface Source {
  /** Path of the operation below /api, such as `/v1/balances`. */
  readonly path: string;
  readonly query?: Query;
}

interface ForProgramsProps {
  readonly view: View;
  readonly source: Source;
  /** What the CSV holds; without it, the query of the page from its beginning to its end. */
  readonly whole?: Query;
  /** What each link leads to, for who hears it. */
  readonly csv: string;
  readonly json: string;
}

/** The same rows for other programs: all of them as CSV with a summary behind them, and those of this page as JSON. */
export function ForPrograms({ view, source: { path, query = {} }, whole, csv, json }: ForProgramsProps) {
  const { cursor: _cursor, limit: _limit, ...all } = query;
  return (
    <>
      <a
        href={apiAddress(view, `${path}.csv`, { ...(whole ?? all), summary: true })}
        download
        aria-label={csv}
      >
        CSV
      </a>
      <a href={apiAddress(view, path, query)} aria-label={json}>
        JSON
      </a>
    </>
  );
}
