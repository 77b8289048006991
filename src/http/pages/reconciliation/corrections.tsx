// What the service corrected after the day: figures of the day as known at its end, and as known now.
import type { LateCorrection } from '../../../../packages/client/src/generated/types/api-types.ts';
import { Amount } from '../parts/amount.tsx';
import { Moment } from '../parts/moment.tsx';
import { Table } from '../parts/table.tsx';
import { UntrustedText } from '../parts/text.tsx';
import type { View } from '../view/view.ts';

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

interface CorrectionsProps {
  readonly view: View;
  readonly rows: readonly LateCorrection[];
  /** What was asked for. */
  readonly query: Readonly<Record<string, string | number>>;
}

export function Corrections({ view, rows, query }: CorrectionsProps) {
  return (
    <section id="corrections">
      <Table
        view={view}
        caption="Corrected after the day"
        noun="figure"
        cursorName="none"
        columns={[
          { title: 'Figure', cell: ({ measure }) => measures[measure] ?? measure },
          {
            title: 'Type',
            cell: (row) => <UntrustedText text={row.transaction_type} none="not told" most={40} />,
          },
          {
            title: 'At the end of the day',
            isNumber: true,
            cell: (row) => <Amount view={view} value={row.as_reported} />,
          },
          { title: 'Now', isNumber: true, cell: (row) => <Amount view={view} value={row.as_known_now} /> },
          {
            title: 'Difference',
            isNumber: true,
            cell: (row) => <Amount view={view} value={row.difference} signed />,
          },
          { title: 'Seen', cell: (row) => <Moment view={view} at={row.corrected_at} /> },
        ]}
        rows={rows}
        empty="No correction of this day's settled transactions was seen after it ended."
        source={{ path: '/v1/late-corrections', query }}
      />
    </section>
  );
}
