// One day of the reconciliation: what needs a person first, and what is explained folded away where there is
// much of it.
import { counted } from '../../../domain/words.ts';
import type { ReconciledDay } from '../page/api.ts';
import { Badge } from '../parts/notice.tsx';
import { amountColumn, type Column, Table } from '../parts/table.tsx';
import { TextLink } from '../parts/values.tsx';
import { useView } from '../view/view.ts';
import { byUrgency, explanationOf, isSome } from './words.ts';

/** With fewer explained assets than this, they are shown with the others. */
const mostUnfolded = 12;

export function DayTable({ day, rows }: { readonly day: string; readonly rows: readonly ReconciledDay[] }) {
  const view = useView();
  const explained = rows.filter(({ is_explained }) => is_explained === true);
  const isFolded = explained.length > mostUnfolded && view.query['is_explained'] === undefined;
  const open = isFolded ? rows.filter(({ is_explained }) => is_explained !== true) : rows;
  return (
    <>
      {open.length === 0 ? null : <Rows caption={`Assets of ${day}`} rows={byUrgency(open)} />}
      {isFolded ? (
        <details id={`explained-${day}`}>
          <summary>{counted(explained.length, 'asset')} explained</summary>
          <Rows caption={`Explained assets of ${day}`} rows={explained} />
        </details>
      ) : null}
    </>
  );
}

function Rows({ caption, rows }: { readonly caption: string; readonly rows: readonly ReconciledDay[] }) {
  return <Table caption={caption} noun="asset" columns={columns} rows={rows} />;
}

const columns: readonly Column<ReconciledDay>[] = [
  {
    title: 'Asset',
    cell: ({ day, asset_id: id }) => (
      <TextLink
        to={id ? `/reconciliation/${day}/${encodeURIComponent(id)}` : null}
        text={id}
        none="not told"
        most={60}
      />
    ),
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
          {row.is_explained === null ? <div class="small">{why}</div> : null}
          {isSome(row.timing_difference) ? <div class="small">partly timing</div> : null}
        </>
      );
    },
  },
];
