// The changes of an asset's balances, each between two observations.
import type { BalanceChange } from '../page/api.ts';
import { amountColumn, type Column, Table } from '../parts/table.tsx';
import { Between, shownTime } from '../parts/values.tsx';
import { sameWith, type View, ViewProvider } from '../view/view.ts';
import { type AssetParts, vaultWords } from './cells.tsx';

export async function AssetChanges({ view, ask, given, asset, span }: AssetParts) {
  const { vault_type, network_id, cursor } = given;
  const query = {
    asset_id: asset,
    network_id,
    vault_type: vault_type ?? 'all',
    changed_from: span.from ?? monthBefore(span.to ?? view.now),
    changed_to: span.to,
  };
  const found = await ask('listBalanceHistory', { ...query, limit: 20, cursor });
  const [first] = found.data;
  // The next page is of the same span, also when its address is opened on another day.
  const pinned = { ...view, query: { ...view.query, from: query.changed_from } };
  return {
    first: first ?? null,
    content: (
      <ViewProvider value={found.next_cursor === null && cursor === undefined ? view : pinned}>
        <Table
          caption={`Changes in ${vaultWords(query.vault_type)}`}
          noun="change"
          columns={columns(view)}
          rows={found.data}
          empty="No change was observed in this span."
          source={{ path: '/v1/balances/history', query }}
          next={found.next_cursor}
        />
      </ViewProvider>
    ),
  };
}

function monthBefore(moment: string): string {
  return `${new Date(Date.parse(moment) - 30 * 86_400_000).toISOString().slice(0, 10)}T00:00:00Z`;
}

function columns(view: View): readonly Column<BalanceChange>[] {
  return [
    { title: 'Happened', cell: (row) => <Between after={row.changed_after} by={row.changed_before} /> },
    { title: 'What', cell: (row) => (isOfParts(row) ? 'its parts' : row.change) },
    amountColumn('Before', (row) => row.total_before, { none: '–' }),
    amountColumn('Change', (row) => row.total_change, { none: '–', signed: true }),
    amountColumn('After', (row) => row.total_after, { none: '–' }),
    {
      title: 'Why',
      cell: (row) =>
        row.unchanged_until === null ? (
          <span class="soft">no earlier observation</span>
        ) : (
          <a href={`${sameWith(view, { change: row.changed_at })}#explanation`}>
            What explains it
            <span class="hidden">: the change observed {shownTime(row.changed_at, view)}</span>
          </a>
        ),
    },
  ];
}

/** The total stayed: what changed is how much of it is available, on its way, staked or claimable. */
function isOfParts({ change, total_before, total_after }: BalanceChange): boolean {
  return change === 'changed' && total_before !== null && total_before === total_after;
}
