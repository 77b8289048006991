// A table with its caption, its rows and where to get them: the same rows as CSV and as JSON, and the next page.
import type { Child } from 'hono/jsx';
import { counted } from '../../../domain/words.ts';
import { sameWith, type View } from '../view/view.ts';
import { ForPrograms, type Source } from './for-programs.tsx';

export interface Column<Row> {
  readonly title: string;
  /** Amounts and counts stand at the right. */
  readonly isNumber?: boolean;
  cell(row: Row): Child;
}

export interface TableProps<Row> {
  readonly view: View;
  /** What the rows are, in a few words; read before the table. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** What an empty table says. Unknown rows are no empty table: use UnknownNotice. */
  readonly empty: string;
  /** Where programs get the same rows. */
  readonly source?: Source;
  /** `next_cursor` of the answer, where the page has the parameter `cursor`. */
  readonly next?: string | null;
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

export function Table<Row>(props: TableProps<Row>) {
  const { view, caption, columns, rows, empty, totals, noun = 'row', plural, isCounted = false } = props;
  return (
    <div class="table">
      {rows.length === 0 ? (
        <p class="soft">{empty}</p>
      ) : (
        <table>
          <caption>
            {caption}{' '}
            {isCounted ? null : (
              <span class="soft">
                ({counted(rows.length, noun, plural)}
                {hasMore(props) ? ' on this page' : ''})
              </span>
            )}
          </caption>
          <thead>
            <tr>
              {columns.map(({ title, isNumber }) => (
                <th scope="col" class={isNumber ? 'number' : undefined}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr>
                {columns.map(({ title, isNumber, cell }) => (
                  <td class={isNumber ? 'number' : undefined} data-label={title}>
                    {cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
          {totals === undefined ? null : (
            <tfoot>
              <tr>
                {totals.map((total, index) => (
                  <td
                    class={columns[index]?.isNumber ? 'number' : undefined}
                    data-label={columns[index]?.title}
                  >
                    {total}
                  </td>
                ))}
              </tr>
            </tfoot>
          )}
        </table>
      )}
      <Beside {...props} view={view} />
    </div>
  );
}

function hasMore<Row>({ view, next, cursorName = 'cursor' }: TableProps<Row>): boolean {
  return (next ?? null) !== null || view.query[cursorName] !== undefined;
}

/** The links below a table. */
function Beside<Row>({ view, caption, rows, source, next = null, cursorName = 'cursor' }: TableProps<Row>) {
  const isFirst = view.query[cursorName] === undefined;
  return (
    <p class="beside">
      {isFirst ? null : <a href={sameWith(view, { [cursorName]: null })}>First page</a>}
      {next === null ? null : (
        <a rel="next" href={sameWith(view, { [cursorName]: next })}>
          Next page
        </a>
      )}
      {source === undefined || rows.length === 0 ? null : (
        <ForPrograms
          view={view}
          source={source}
          csv={`${caption}: all rows as CSV`}
          json={`${caption}: these rows as JSON`}
        />
      )}
    </p>
  );
}
