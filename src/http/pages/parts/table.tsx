// A table with its caption, its rows and where to get them: the same rows as CSV and as JSON, and the next
// page.
import type { Child } from 'hono/jsx';
import { counted } from '../../../domain/words.ts';
import { apiAddress, type Query, sameWith, transactionPath, useView } from '../view/view.ts';
import { UnknownNotice } from './notice.tsx';
import { Amount, TextLink, UntrustedText } from './values.tsx';

export interface Column<Row> {
  readonly title: string;
  /** Amounts and counts stand at the right. */
  readonly isNumber?: boolean;
  cell(row: Row): Child;
}

export interface TableProps<Row> {
  /** The table is a section of its own, found by this in the page. */
  readonly id?: string;
  /** What the rows are, in a few words; read before the table. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** What an empty table says, where it may be empty. Unknown rows are no empty table: use KnownTable. */
  readonly empty?: string;
  /** Where programs get the same rows. */
  readonly source?: Source;
  /** `next_cursor` of the answer. Without it the table has no pages: it shows all rows, or the first. */
  readonly next?: string | null;
  /** What is said below the rows, such as that there are more. */
  readonly below?: Child;
  /** Name of that parameter where a page has several lists. Default `cursor`. */
  readonly cursorName?: string;
  /** Sums, as a last row: one cell for each column. */
  readonly totals?: readonly Child[];
  /** The caption tells how many rows there are. */
  readonly isCounted?: boolean;
  /** A noun for the count: `transaction`. Default `row`. */
  readonly noun?: string;
  readonly plural?: string;
}

export interface KnownTableProps<Row> extends Omit<TableProps<Row>, 'rows' | 'next'> {
  /** What the API answered, or why it is not known. */
  readonly found:
    | { readonly answer: { readonly data: readonly Row[]; readonly next_cursor: string | null } }
    | { readonly unknown: { readonly why: string } };
  /** What is said where it is not known. */
  readonly unknown?: string;
}

/** The rows of an answer; unknown rows are no empty table. */
export function KnownTable<Row>({ found, unknown = 'Not known', ...table }: KnownTableProps<Row>) {
  if ('unknown' in found) return <UnknownNotice title={unknown} why={found.unknown.why} />;
  return <Table {...table} rows={found.answer.data} next={found.answer.next_cursor} />;
}

export function Table<Row>(props: TableProps<Row>) {
  const { query } = useView();
  const { id, caption, columns, rows, empty = '', totals, noun = 'row', plural, isCounted = false } = props;
  const { next, below, cursorName = 'cursor' } = props;
  const isPart = next !== undefined && (next !== null || query[cursorName] !== undefined);
  const classOf = (column: Column<Row> | undefined) => (column?.isNumber ? 'number' : undefined);
  const Box = id === undefined ? 'div' : 'section';
  return (
    <Box class="table" id={id}>
      {rows.length === 0 ? (
        <p class="soft">{empty}</p>
      ) : (
        <table>
          <caption>
            {caption}{' '}
            {isCounted ? null : (
              <span class="soft">
                ({counted(rows.length, noun, plural)}
                {isPart ? ' on this page' : ''})
              </span>
            )}
          </caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <th scope="col" class={classOf(column)}>
                  {column.title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr>
                {columns.map((column) => (
                  <td class={classOf(column)} data-label={column.title}>
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
          {totals === undefined ? null : (
            <tfoot>
              <tr>
                {totals.map((total, index) => (
                  <td class={classOf(columns[index])} data-label={columns[index]?.title}>
                    {total}
                  </td>
                ))}
              </tr>
            </tfoot>
          )}
        </table>
      )}
      {below}
      <Beside {...props} />
    </Box>
  );
}

/** The links below a table. */
function Beside<Row>({ caption, rows, source, next, cursorName = 'cursor' }: TableProps<Row>) {
  const view = useView();
  const isFirst = next === undefined || view.query[cursorName] === undefined;
  return (
    <p class="beside">
      {isFirst ? null : <a href={sameWith(view, { [cursorName]: null })}>First page</a>}
      {next === undefined || next === null ? null : (
        <a rel="next" href={sameWith(view, { [cursorName]: next })}>
          Next page
        </a>
      )}
      {source === undefined || rows.length === 0 ? null : <ForPrograms source={source} name={caption} />}
    </p>
  );
}

type Text = string | null | undefined;

interface AmountColumn<Row> {
  readonly signed?: boolean;
  readonly decimals?: number;
  readonly unitOf?: (row: Row) => string | null;
  /** What stands for null, of all rows or of each. */
  readonly none?: string | ((row: Row) => string);
}

export function amountColumn<Row>(
  title: string,
  amountOf: (row: Row) => Text,
  { none = 'unknown', unitOf = () => null, ...how }: AmountColumn<Row> = {},
): Column<Row> {
  const noneOf = typeof none === 'string' ? () => none : none;
  const cell = (row: Row) => <Amount value={amountOf(row)} none={noneOf(row)} unit={unitOf(row)} {...how} />;
  return { title, isNumber: true, cell };
}

export function textColumn<Row>(
  title: string,
  textOf: (row: Row) => Text,
  how: { readonly code?: boolean; readonly none?: string; readonly most?: number } = {},
): Column<Row> {
  return { title, cell: (row) => <UntrustedText text={textOf(row)} {...how} /> };
}

/** The transaction of a row by its identifier, leading to its page. */
export function transactionColumn<Row extends { readonly transaction_id: string }>(most = 40): Column<Row> {
  const cell = ({ transaction_id: id }: Row) => (
    <TextLink to={transactionPath(id)} text={id} code most={most} />
  );
  return { title: 'Transaction', cell };
}

export interface Source {
  /** Path of the operation below /api, such as `/v1/balances`. */
  readonly path: string;
  readonly query?: Query;
}

interface ForProgramsProps {
  readonly source: Source;
  /** What the CSV holds; without it, the query of the page from its beginning to its end. */
  readonly whole?: Query;
  /** Of the rows, for who hears it. */
  readonly name: string;
}

/**
 * The same rows for other programs: all of them as CSV with a summary behind them, and those of this page as
 * JSON.
 */
export function ForPrograms({ source: { path, query = {} }, whole, name }: ForProgramsProps) {
  const view = useView();
  const { cursor: _cursor, limit: _limit, ...all } = query;
  return (
    <>
      <a
        href={apiAddress(view, `${path}.csv`, { ...(whole ?? all), summary: true })}
        download
        aria-label={`${name}: all rows as CSV`}
      >
        CSV
      </a>
      <a href={apiAddress(view, path, query)} aria-label={`${name}: these rows as JSON`}>
        JSON
      </a>
    </>
  );
}
