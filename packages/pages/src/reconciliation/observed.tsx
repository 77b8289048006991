// What was seen of the balance and the transactions of a day: how the balance moved between its two
// observations, and what the service corrected after the day.

import type { Ask } from '../api/ask.ts';
import type { BalanceChange, LateCorrection, ReconciledDay, Snapshot } from '../api/interface.ts';
import { amountColumn, type Column, Table, type TableProps, textColumn } from '../parts/table.tsx';
import { Between, Link, Moment } from '../parts/values.tsx';
import { assetPath, type Query } from '../view/view.ts';

const shownAtOnce = 200;

const columns: readonly Column<BalanceChange>[] = [
  { title: 'When', cell: (row) => <Between after={row.changed_after} by={row.changed_before} /> },
  textColumn('What', (row) => row.change),
  amountColumn('Before', (row) => row.total_before),
  amountColumn('After', (row) => row.total_after),
  amountColumn('Change', (row) => row.total_change, { signed: true }),
];

export async function observed(ask: Ask, row: ReconciledDay, closing: Snapshot | null) {
  const { asset_id, opening_observed_at: opened, closing_observed_at: closed } = row;
  if (opened === null || closing === null || asset_id === null) return null;
  const span = { changed_from: opened, changed_to: closing.answered_at };
  const query = { vault_type: 'all', asset_id, ...span, sort: 'changed_at', limit: shownAtOnce } as const;
  const { data, next_cursor } = await ask('listBalanceHistory', query);
  return (
    <Table
      id="observed"
      caption="Observed balance changes"
      noun="change"
      columns={columns}
      rows={data.filter(({ changed_at }) => changed_at > opened && changed_at <= closed)}
      empty="No observation in between showed a different balance."
      source={{ path: '/v1/balances/history', query }}
      below={
        <p class="small">
          {next_cursor === null ? '' : `These are the first ${shownAtOnce}. `}Look for a change here without a
          posting of the same amount at about that time.{' '}
          <Link to={assetPath(asset_id)}>History of this asset</Link>
        </p>
      }
    />
  );
}

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

const correctionColumns: readonly Column<LateCorrection>[] = [
  { title: 'Figure', cell: ({ measure }) => measures[measure] ?? measure },
  textColumn('Type', (row) => row.transaction_type, { none: 'not sent', most: 40 }),
  amountColumn('At the end of the day', (row) => row.as_reported),
  amountColumn('Now', (row) => row.as_known_now),
  amountColumn('Difference', (row) => row.difference, { signed: true }),
  { title: 'Seen', cell: (row) => <Moment at={row.corrected_at} /> },
  textColumn('Why', ({ reason }) => reason.replace(/answer|fee rule/g, 'another $&')),
];

export function Corrections({ rows, query }: Pick<TableProps<LateCorrection>, 'rows'> & { query: Query }) {
  return (
    <Table
      id="corrections"
      caption="Late corrections"
      noun="figure"
      columns={correctionColumns}
      rows={rows}
      empty="No correction to this day's settled transactions was observed after it ended."
      source={{ path: '/v1/late-corrections', query }}
    />
  );
}
