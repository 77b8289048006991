// What the service corrected after the day: figures of the day as known at its end, and as known now.
import type { LateCorrection } from '../../../../packages/client/src/generated/types/api-types.ts';
import { amountColumn, type Column, Table, textColumn } from '../parts/table.tsx';
import { Moment } from '../parts/values.tsx';

const measures: Readonly<Record<string, string>> = {
  in_amount: 'Came in',
  out_amount: 'Went out',
  fee: 'Fees',
  completed_amount: 'Completed amount',
  unsuccessful_amount: 'Amount not completed',
  completed: 'Number completed',
  rejected: 'Number rejected',
  cancelled: 'Number cancelled',
  failed: 'Number failed',
};

const columns: readonly Column<LateCorrection>[] = [
  { title: 'Figure', cell: ({ measure }) => measures[measure] ?? measure },
  textColumn('Type', (row) => row.transaction_type, { none: 'not told', most: 40 }),
  amountColumn('At the end of the day', (row) => row.as_reported),
  amountColumn('Now', (row) => row.as_known_now),
  amountColumn('Difference', (row) => row.difference, { signed: true }),
  { title: 'Seen', cell: (row) => <Moment at={row.corrected_at} /> },
];

interface CorrectionsProps {
  readonly rows: readonly LateCorrection[];
  /** What was asked for. */
  readonly query: Readonly<Record<string, string | number>>;
}

export function Corrections({ rows, query }: CorrectionsProps) {
  return (
    <section id="corrections">
      <Table
        caption="Corrected after the day"
        noun="figure"
        cursorName="none"
        columns={columns}
        rows={rows}
        empty="No correction of this day's settled transactions was seen after it ended."
        source={{ path: '/v1/late-corrections', query }}
      />
    </section>
  );
}
