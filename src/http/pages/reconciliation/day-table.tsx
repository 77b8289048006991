// One day of the reconciliation: what needs a person first, and what is explained folded away where there is much of it.
import type { ReconciledDay } from '../../../../packages/client/src/generated/types/api-types.ts';
import { counted } from '../../../domain/words.ts';
import { Amount } from '../parts/amount.tsx';
import { Badge } from '../parts/notice.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { UntrustedText } from '../parts/text.tsx';
import { addressOf, type View } from '../view/view.ts';
import { byUrgency, explanationOf, isSome } from './words.ts';

interface DayTableProps {
  readonly view: View;
  readonly day: string;
  readonly rows: readonly ReconciledDay[];
}

/** With fewer explained assets than this, they are shown with the others. */
const mostUnfolded = 12;

export function DayTable({ view, day, rows }: DayTableProps) {
  const explained = rows.filter(({ is_explained }) => is_explained === true);
  const isFolded = explained.length > mostUnfolded && view.query['is_explained'] === undefined;
  const open = isFolded ? rows.filter(({ is_explained }) => is_explained !== true) : rows;
  return (
    <>
      {open.length === 0 ? null : <Rows view={view} caption={`Assets of ${day}`} rows={byUrgency(open)} />}
      {isFolded ? (
        <details id={`explained-${day}`}>
          <summary>{counted(explained.length, 'asset')} explained</summary>
          <Rows view={view} caption={`Explained assets of ${day}`} rows={explained} />
        </details>
      ) : null}
    </>
  );
}

interface RowsProps {
  readonly view: View;
  readonly caption: string;
  readonly rows: readonly ReconciledDay[];
}

function Rows({ view, caption, rows }: RowsProps) {
  return (
    <Table
      view={view}
      caption={caption}
      noun="asset"
      columns={columnsOf(view)}
      rows={rows}
      empty=""
      cursorName="none"
    />
  );
}

function columnsOf(view: View): readonly Column<ReconciledDay>[] {
  const amount = (title: string, of: (row: ReconciledDay) => string | null): Column<ReconciledDay> => ({
    title,
    isNumber: true,
    cell: (row) => <Amount view={view} value={of(row)} />,
  });
  return [
    { title: 'Asset', cell: (row) => <AssetLink view={view} row={row} /> },
    amount('Opening balance', (row) => row.opening_balance),
    amount('In', (row) => row.inflow),
    amount('Out', (row) => row.outflow),
    amount('Fees', (row) => row.fees),
    amount('Staking', (row) => row.staking_rewards),
    amount('Closing balance', (row) => row.closing_balance),
    {
      title: 'Not explained',
      isNumber: true,
      cell: (row) => <Amount view={view} value={row.unexplained_difference} signed />,
    },
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
}

function AssetLink({ view, row }: { readonly view: View; readonly row: ReconciledDay }) {
  const shown = <UntrustedText text={row.asset_id} none="not told" most={60} />;
  if (!row.asset_id) return shown;
  return (
    <a href={addressOf(view, `/reconciliation/${row.day}/${encodeURIComponent(row.asset_id)}`)}>{shown}</a>
  );
}
