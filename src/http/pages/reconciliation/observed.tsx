// How the balance moved between the two observations of the day, as all observations in between showed it.
import type {
  BalanceChange,
  ReconciledDay,
  Snapshot,
} from '../../../../packages/client/src/generated/types/api-types.ts';
import type { Ask } from '../page/ask.ts';
import { amountColumn, type Column, Table, textColumn } from '../parts/table.tsx';
import { Between, Link } from '../parts/values.tsx';
import { assetPath } from '../view/view.ts';

const shownAtOnce = 200;

const columns: readonly Column<BalanceChange>[] = [
  { title: 'When', cell: (row) => <Between after={row.changed_after} by={row.changed_before} /> },
  textColumn('What', (row) => row.change),
  amountColumn('Before', (row) => row.total_before),
  amountColumn('After', (row) => row.total_after),
  amountColumn('Change', (row) => row.total_change, { signed: true }),
];

interface ObservedProps {
  readonly ask: Ask;
  readonly row: ReconciledDay;
  readonly closing: Snapshot | null;
}

export async function Observed({ ask, row, closing }: ObservedProps) {
  const { asset_id, opening_observed_at: opened, closing_observed_at: closed } = row;
  if (opened === null || closing === null || asset_id === null) return null;
  const query = {
    vault_type: 'all',
    asset_id,
    changed_from: opened,
    changed_to: closing.answered_at,
    sort: 'changed_at',
    limit: shownAtOnce,
  } as const;
  const { data, next_cursor } = await ask('listBalanceHistory', query);
  const rows = data.filter(({ changed_at }) => changed_at > opened && changed_at <= closed);
  return (
    <section id="observed">
      <Table
        caption="How the balance moved, as it was observed"
        noun="change"
        cursorName="none"
        columns={columns}
        rows={rows}
        empty="No observation in between showed another balance."
        source={{ path: '/v1/balances/history', query }}
      />
      <p class="small">
        {next_cursor === null ? '' : `These are the first ${shownAtOnce}. `}A change here without a posting of
        the same amount at about that time is where to look.{' '}
        <Link to={assetPath(asset_id)}>History of this asset</Link>
      </p>
    </section>
  );
}
