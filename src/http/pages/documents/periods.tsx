// When a vault or an entry was listed: its states that follow each other without a removal, each end with its bounds.
import type { DocumentChange } from '../../../../packages/client/src/generated/types/api-types.ts';
import { Between, Moment } from '../parts/moment.tsx';
import { Table } from '../parts/table.tsx';
import type { View } from '../view/view.ts';

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

export function Periods({ view, rows }: { readonly view: View; readonly rows: readonly DocumentChange[] }) {
  return (
    <Table
      view={view}
      caption="When it was listed"
      noun="period"
      columns={[
        { title: 'From', cell: ({ first }) => <From view={view} first={first} /> },
        { title: 'Until', cell: ({ last }) => <Until view={view} last={last} /> },
        {
          title: 'Last reading that showed it',
          cell: ({ last }) => <Moment view={view} at={last.known_until} />,
        },
      ]}
      rows={periodsOf(rows)}
      empty="No reading showed it."
    />
  );
}

function From({ view, first }: { readonly view: View; readonly first: DocumentChange }) {
  if (!first.is_older_than_mirror)
    return <Between view={view} after={first.observed_after} by={first.observed_at} />;
  return (
    <>
      before <Moment view={view} at={first.observed_at} />, the first reading
    </>
  );
}

function Until({ view, last }: { readonly view: View; readonly last: DocumentChange }) {
  if (last.valid_to === null) return <>still listed</>;
  return <Between view={view} after={last.known_until} by={last.valid_to} />;
}
