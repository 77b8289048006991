// A list of the mirror's own findings as a page: the way back, what is listed, its filters, and the rows.
import type { Child } from 'hono/jsx';
import type { Known } from '../page/ask.ts';
import type { Rendered } from '../page/page.ts';
import { UnknownNotice } from '../parts/notice.tsx';
import { Table, type TableProps } from '../parts/table.tsx';
import { addressOf } from '../view/view.ts';

interface FoundList<Row> extends Omit<TableProps<Row>, 'rows' | 'next'> {
  readonly title: string;
  /** What is listed, in a sentence or two. */
  readonly about: Child;
  readonly filters: Child;
  readonly found: Known<{ readonly data: readonly Row[]; readonly next_cursor: string | null }>;
}

export function foundList<Row>({ title, about, filters, found, ...table }: FoundList<Row>): Rendered {
  const { view } = table;
  return {
    title,
    content: (
      <>
        <p>
          <a href={addressOf(view, '/mirror')}>Mirror</a>
        </p>
        <p class="soft">{about}</p>
        {filters}
        {'unknown' in found ? (
          <UnknownNotice view={view} title="Not known" why={found.unknown.why} />
        ) : (
          <Table {...table} rows={found.answer.data} next={found.answer.next_cursor} />
        )}
      </>
    ),
  };
}
