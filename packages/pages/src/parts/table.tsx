// A table with its caption, its rows, their export and the next page. On narrow screens each row is a card.

import type { Child } from 'hono/jsx';
import type { Rows, Unknown } from '../api/ask.ts';
import { counted } from '../api/words.ts';
import { currencyDecimals } from '../view/numbers.ts';
import { apiAddress, type Query, sameWith, transactionPath, useView } from '../view/view.ts';
import { Icon } from './icon.tsx';
import { List, UnknownNotice } from './notice.tsx';
import { Amount, Money, placesOf, TextLink, type UntrustedProps, UntrustedText } from './values.tsx';

export interface Column<Row> {
  readonly title: string;
  readonly isNumber?: boolean;
  /** A card shows it without the column's title: a name, a badge. */
  readonly isPlain?: boolean;
  cell(row: Row): Child;
  /** The whole text of a cell that may be cut to one line. */
  whole?(row: Row): string;
  /** In narrower windows it stays away, so that what matters more is in sight; cards and paper show it. */
  readonly from?: 1280 | 1600;
  /** Of amounts: how many decimals the cell shows. They stand point under point. */
  places?(row: Row): number;
}

interface Answer<Row> extends Partial<Rows<Row>> {
  readonly data: readonly Row[];
  readonly unknown?: Unknown | null;
}

export interface TableProps<Row> {
  readonly id?: string;
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  /** An answer has pages, and may be unknown; without them the table shows all rows, or the first. */
  readonly rows: readonly Row[] | Answer<Row>;
  /** What stands in place of an unknown answer. */
  readonly unknown?: string;
  /** The text of an empty table, if it may be empty. */
  readonly empty?: string;
  readonly source?: Source;
  readonly below?: Child;
  /** Name of that parameter where a page has several lists. Default `cursor`. */
  readonly cursorName?: string;
  readonly totals?: readonly Child[] | undefined;
  readonly isCounted?: boolean;
  /** A noun for the count: `transaction`. Default `row`. */
  readonly noun?: string;
  readonly plural?: string;
  /** The first link of a row is that of its record: the whole row leads there. */
  readonly isLinked?: boolean;
}

export function Table<Row>(props: TableProps<Row>) {
  const { query } = useView();
  const { id, caption, columns, empty = '', noun = 'row', plural, isCounted = false } = props;
  const { below, source, cursorName = 'cursor' } = props;
  const answer: Answer<Row> = 'data' in props.rows ? props.rows : { data: props.rows };
  const { data: rows, next_cursor: next, unknown } = answer;
  if (unknown) return <UnknownNotice title={props.unknown ?? 'Not known'} why={unknown.why} />;
  const isPart = next !== undefined && (next !== null || query[cursorName] !== undefined);
  const count = `${counted(rows.length, noun, plural)}${isPart ? ' on this page' : ''}`;
  const Box = id === undefined ? 'div' : 'section';
  const classes = classesOf(columns, rows);
  return (
    <Box class="table" id={id}>
      {source && rows.length > 0 && <Export source={source} name={caption} />}
      {rows.length === 0 ? (
        <p class="soft">{empty}</p>
      ) : (
        <table class={props.isLinked ? 'linked' : undefined}>
          <caption>
            {caption} {isCounted ? null : <span class="soft">({count})</span>}
          </caption>
          <thead>
            <tr>
              {columns.map((column, index) => (
                <th scope="col" class={classes[index]}>
                  {column.title}
                </th>
              ))}
            </tr>
          </thead>
          <Body columns={columns} rows={rows} totals={props.totals} classes={classes} />
        </table>
      )}
      {below}
      {isPart && <Paging next={next} cursorName={cursorName} />}
    </Box>
  );
}

/** Of a column, and of its head: figures at the right, with room behind the point. */
function classesOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]) {
  return columns.map(({ isNumber, from, places }) => {
    const most = places === undefined ? 0 : Math.max(0, ...rows.map((row) => places(row)));
    const room = [2, 4, 8].find((places) => places >= most) ?? 8;
    const classes = [isNumber && 'number', isNumber && most > 0 && `places-${room}`, from && `from-${from}`];
    return classes.filter(Boolean).join(' ') || undefined;
  });
}

type BodyProps<Row> = Pick<TableProps<Row>, 'columns' | 'totals'> & {
  readonly rows: readonly Row[];
  readonly classes: readonly (string | undefined)[];
};

function Body<Row>({ columns, rows, totals, classes }: BodyProps<Row>) {
  const line = (cells: readonly Child[], row?: Row) => (
    <tr>
      {cells.map((cell, index) => (
        <td
          class={classes[index]}
          title={row && columns[index]?.whole?.(row)}
          data-label={columns[index]?.isPlain ? undefined : columns[index]?.title}
        >
          {cell}
        </td>
      ))}
    </tr>
  );
  return (
    <>
      <tbody>
        {rows.map((row) => {
          const cells = columns.map((column) => column.cell(row));
          return line(cells, row);
        })}
      </tbody>
      {totals && <tfoot>{line(totals)}</tfoot>}
    </>
  );
}

function Paging({ next, cursorName }: { readonly next: string | null; readonly cursorName: string }) {
  const view = useView();
  const to = (cursor: string | null) => sameWith(view, { [cursorName]: cursor });
  return (
    <p class="beside">
      {view.query[cursorName] === undefined ? null : <a href={to(null)}>First page</a>}
      {next === null ? null : (
        <a rel="next" href={to(next)}>
          Next page
        </a>
      )}
    </p>
  );
}

type Text = string | null | undefined;

/** The fields of a row that hold an amount. */
type AmountOf<Row> = { [Name in keyof Row]: Row[Name] extends Text ? Name : never }[keyof Row];

interface FigureColumn<Row> {
  readonly signed?: boolean;
  readonly decimals?: number;
  readonly isPlain?: boolean;
  readonly unitOf?: (row: Row) => string | null;
  readonly none?: string | ((row: Row) => string);
}

type Cell<Row> = Column<Row>['cell'];

/** A column by the kind of what it shows. */
export const column = {
  of: <Row,>(title: string, cell: Cell<Row>): Column<Row> => ({ title, cell }),
  plain: <Row,>(title: string, cell: Cell<Row>): Column<Row> => ({ title, isPlain: true, cell }),
  from: <Row,>(from: 1280 | 1600, ...columns: readonly Column<Row>[]): readonly Column<Row>[] =>
    columns.map((each) => ({ ...each, from })),
  number: <Row,>(title: string, cell: Cell<Row>): Column<Row> => ({ title, isNumber: true, cell }),
  text<Row>(title: string, textOf: (row: Row) => Text, how: Omit<UntrustedProps, 'text'> = {}): Column<Row> {
    return { title, cell: (row) => <UntrustedText text={textOf(row)} {...how} /> };
  },
  amount<Row>(title: string, of: (row: Row) => Text, how: FigureColumn<Row> = {}): Column<Row> {
    const { none = 'unknown', unitOf = () => null, isPlain = false, ...shown } = how;
    const noneOf = typeof none === 'string' ? () => none : none;
    const cell = (row: Row) => <Amount value={of(row)} none={noneOf(row)} unit={unitOf(row)} {...shown} />;
    return { title, isNumber: true, isPlain, cell, places: (row) => placesOf(of(row), shown.decimals) };
  },
  /** A column for each title, of the field with that name. */
  amounts<Row>(fields: Readonly<Record<string, AmountOf<Row>>>, how?: FigureColumn<Row>) {
    const each = ([title, name]: [string, AmountOf<Row>]) =>
      column.amount<Row>(title, (row) => row[name] as Text, how);
    return Object.entries(fields).map(each);
  },
  /** In this currency; none without one. */
  money<Row>(
    title: string,
    currency: string | null,
    of: (row: Row) => Text,
    { none = 'unknown', isPlain = false, signed = false }: FigureColumn<Row> = {},
  ): readonly Column<Row>[] {
    if (currency === null) return [];
    const noneOf = typeof none === 'string' ? () => none : none;
    const shown = { currency, signed };
    const cell = (row: Row) => <Money value={of(row)} none={noneOf(row)} {...shown} />;
    const { most, least } = currencyDecimals(currency);
    return [{ title, isNumber: true, isPlain, cell, places: (row) => placesOf(of(row), most, least) }];
  },
  transaction: <Row extends { readonly transaction_id: string }>(): Column<Row> => ({
    title: 'Transaction',
    cell: ({ transaction_id: id }) => <TextLink to={transactionPath(id)} text={id} code most={20} />,
  }),
};

// The export menu of a table or chart: all rows as a spreadsheet file or CSV, those of this page as JSON.

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
  const link = (form: string, word: string, said: string, of: Query) => {
    const to = apiAddress(view, `/v1/balances/split.${form}`, { ...of, ...query });
    return <a href={to} download aria-label={said} children={word} />;
  };
  const linksOf = (when: string, at: string | undefined) => [
    `${when}: `,
    link('xlsx', 'spreadsheet', `${when} as a spreadsheet`, { at }),
    ' ',
    link('csv', 'CSV', `${when} as CSV`, { at, download: true }),
  ];
  return (
    <details class="menu export" id="export-holdings">
      <summary>
        <Icon name="export" /> Export holdings
      </summary>
      <List class="panel" items={moments.map(([word, at]) => linksOf(`Holdings ${word}`, at))} />
    </details>
  );
}
