// A list of findings as a page: the way back, what is listed, its filters, and the rows.

import type { Known, Rows } from '../api/ask.ts';
import { type Operations, operationOf } from '../api/interface.ts';
import { type Page, parametersOf } from '../page/page.ts';
import { type Field, Filters } from '../parts/form.tsx';
import { KnownTable, type TableProps } from '../parts/table.tsx';
import { Link } from '../parts/values.tsx';

interface FoundList<Row> extends Omit<TableProps<Row>, 'rows' | 'next' | 'source' | 'caption' | 'empty'> {
  /** The operation that lists them. */
  readonly id: keyof Operations;
  readonly title: string;
  /** What is listed, in a sentence or two. */
  readonly about: string;
  readonly fields: readonly Field[];
  /** Default 50. */
  readonly rowsOfPage?: number;
  /** Default: the title. */
  readonly what?: string;
}

export function foundListPage<Row>(list: FoundList<Row>): Page {
  const { id, title, what = title, about, fields, rowsOfPage = 50, ...table } = list;
  return {
    path: `/sync/${title.toLowerCase()}`,
    section: 'sync',
    about: [],
    parameters: parametersOf(id, ...fields.map(({ name }) => name), 'cursor', 'limit'),
    async show({ params, ask }) {
      const query = { limit: rowsOfPage, ...params };
      const found = (await ask.known(id, query)) as Known<Rows<Row>>;
      return {
        title,
        content: (
          <>
            <p>
              <Link to="/sync">Sync</Link>
            </p>
            <p class="soft">{about}</p>
            <Filters label={title} fields={fields} />
            <KnownTable
              {...table}
              id={title.toLowerCase()}
              caption={`${what}, the latest first`}
              found={found}
              empty={`No ${table.noun} matches.`}
              source={{ path: operationOf(id).path, query }}
            />
          </>
        ),
      };
    },
  };
}
