// When a vault or an entry was listed: its states that follow each other without a removal, each end with its
// bounds.
import type { DocumentChange } from '../page/api.ts';
import { Table } from '../parts/table.tsx';
import { Between, Moment } from '../parts/values.tsx';

interface Period {
  /** Its first state. */
  readonly first: DocumentChange;
  /** Its last state. */
  readonly last: DocumentChange;
}

/** @param rows the states, newest first */
function periodsOf(rows: readonly DocumentChange[]): readonly Period[] {
  const periods: Period[] = [];
  for (const row of rows.toReversed()) {
    const open = periods.at(-1);
    if (!row.is_listed) continue;
    if (open !== undefined && open.last.revision === row.revision - 1)
      periods[periods.length - 1] = { first: open.first, last: row };
    else periods.push({ first: row, last: row });
  }
  return periods.toReversed();
}

export function Periods({ rows }: { readonly rows: readonly DocumentChange[] }) {
  return (
    <Table
      caption="When it was listed"
      noun="period"
      columns={[
        { title: 'From', cell: ({ first }) => <From first={first} /> },
        { title: 'Until', cell: ({ last }) => <Until last={last} /> },
        {
          title: 'Last reading that showed it',
          cell: ({ last }) => <Moment at={last.known_until} />,
        },
      ]}
      rows={periodsOf(rows)}
      empty="No reading showed it."
    />
  );
}

function From({ first }: { readonly first: DocumentChange }) {
  if (!first.is_older_than_mirror) return <Between after={first.observed_after} by={first.observed_at} />;
  return (
    <>
      before <Moment at={first.observed_at} />, the first reading
    </>
  );
}

function Until({ last }: { readonly last: DocumentChange }) {
  if (last.valid_to === null) return <>still listed</>;
  return <Between after={last.known_until} by={last.valid_to} />;
}
