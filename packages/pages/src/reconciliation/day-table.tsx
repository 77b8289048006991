// Rows of the reconciliation: of one day, or of several with their days. What needs attention comes first.
import type { ReconciledDay } from '../api/interface.ts';
import { Badge } from '../parts/notice.tsx';
import { amountColumn, type Column, Table } from '../parts/table.tsx';
import { TextLink } from '../parts/values.tsx';
import { isSome } from '../view/numbers.ts';
import { byUrgency, dayPath, explanationOf } from './words.ts';

interface DayTableProps {
  /** False: the rows are of several days. */
  readonly isOfOne: boolean;
  readonly rows: readonly ReconciledDay[];
  readonly caption: string;
}

export function DayTable({ isOfOne, rows, caption }: DayTableProps) {
  if (rows.length === 0) return null;
  const shown = isOfOne ? columns.slice(1) : columns;
  const noun = isOfOne ? 'asset' : 'figure';
  return <Table caption={caption} noun={noun} columns={shown} rows={byUrgency(rows)} isLinked />;
}

const columns: readonly Column<ReconciledDay>[] = [
  { title: 'Day', cell: (row) => <TextLink to={dayPath(row)} text={row.day} /> },
  {
    title: 'Asset',
    isPlain: true,
    cell: (row) => <TextLink to={dayPath(row)} text={row.asset_id} none="not sent" most={60} />,
  },
  amountColumn('Opening balance', (row) => row.opening_balance),
  amountColumn('In', (row) => row.inflow),
  amountColumn('Out', (row) => row.outflow),
  amountColumn('Fees', (row) => row.fees),
  amountColumn('Staking', (row) => row.staking_rewards),
  amountColumn('Closing balance', (row) => row.closing_balance),
  amountColumn('Not explained', (row) => row.unexplained_difference, { signed: true }),
  {
    title: 'Explained?',
    cell: (row) => {
      const { word, tone, why } = explanationOf(row);
      return (
        <>
          <Badge word={word} tone={tone} />
          {row.is_explained === null && <div class="small">{why}</div>}
          {isSome(row.timing_difference) && <div class="small">partly timing</div>}
        </>
      );
    },
  },
];
