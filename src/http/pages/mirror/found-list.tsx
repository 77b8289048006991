// A list of the mirror's own findings as a page: the way back, what is listed, its filters, and the rows.
import type { Operations } from '../page/api.ts';
import { type Known, operationOf, type Rows } from '../page/ask.ts';
import { type Page, parametersOf } from '../page/page.ts';
import { type Field, Filters } from '../parts/form.tsx';
import { KnownTable, type TableProps } from '../parts/table.tsx';
import { Link } from '../parts/values.tsx';

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
            <KnownTable
              {...table}
              id={title.toLowerCase()}
              found={found}
              source={{ path: operationOf(id).path, query }}
            />
          </>
        ),
      };
    },
  };
}
