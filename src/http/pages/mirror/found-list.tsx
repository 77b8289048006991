// A list of the mirror's own findings as a page: the way back, what is listed, its filters, and the rows; and
// the columns that quarantine and anomalies share.
import { counted } from '../../../domain/words.ts';
import type { Operations } from '../page/api.ts';
import { type Known, operationOf, type Rows } from '../page/ask.ts';
import { type Page, parametersOf } from '../page/page.ts';
import { type Field, Filters } from '../parts/form.tsx';
import { Badge } from '../parts/notice.tsx';
import { type Column, KnownTable, type TableProps } from '../parts/table.tsx';
import { Link, Moment } from '../parts/values.tsx';

interface FoundList<Row> extends Omit<TableProps<Row>, 'rows' | 'next' | 'source'> {
  /** The operation that lists them. */
  readonly id: keyof Operations;
  readonly path: string;
  readonly title: string;
  /** What is listed, in a sentence or two. */
  readonly about: string;
  readonly fields: readonly Field[];
  readonly rowsOfPage: number;
}

export function foundListPage<Row>(list: FoundList<Row>): Page {
  const { id, path, title, about, fields, rowsOfPage, ...table } = list;
  return {
    path,
    section: 'mirror',
    about: [],
    parameters: parametersOf(id, ...fields.map(({ name }) => name), 'cursor', 'limit'),
    async show({ given, ask }) {
      const query = { limit: rowsOfPage, ...given };
      const found = (await ask.known(id, query)) as Known<Rows<Row>>;
      return {
        title,
        content: (
          <>
            <p>
              <Link to="/mirror">Mirror</Link>
            </p>
            <p class="soft">{about}</p>
            <Filters label={title} fields={fields} />
            <KnownTable {...table} found={found} source={{ path: operationOf(id).path, query }} />
          </>
        ),
      };
    },
  };
}

interface SeenRow {
  readonly first_observed_at: string;
  readonly last_observed_at: string;
  readonly occurrences: number;
  readonly resolved_at: string | null;
}

export const seenColumns: readonly Column<SeenRow>[] = [
  {
    title: 'Seen',
    cell: ({ first_observed_at, last_observed_at, occurrences }) => (
      <>
        <Moment at={first_observed_at} />
        <p class="soft">
          {counted(occurrences, 'time')}, last <Moment at={last_observed_at} as="age" />
        </p>
      </>
    ),
  },
  {
    title: 'State',
    cell: ({ resolved_at }) =>
      resolved_at === null ? (
        <Badge word="open" tone="note" />
      ) : (
        <>
          <Badge word="resolved" tone="good" />
          <p class="soft">
            <Moment at={resolved_at} />
          </p>
        </>
      ),
  },
];

export const stateField: Field = {
  name: 'resolved',
  label: 'State',
  choices: Object.entries({ false: 'open', true: 'resolved' }),
};
