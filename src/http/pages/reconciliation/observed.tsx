// How the balance moved between the two observations of the day, as all observations in between showed it.
import type { ReconciledDay, Snapshot } from '../../../../packages/client/src/generated/types/api-types.ts';
import type { Ask } from '../page/ask.ts';
import { Amount } from '../parts/amount.tsx';
import { Between } from '../parts/moment.tsx';
import { Table } from '../parts/table.tsx';
import { UntrustedText } from '../parts/text.tsx';
import { assetAddress } from '../view/places.ts';
import type { View } from '../view/view.ts';

const shownAtOnce = 200;

interface ObservedProps {
  readonly view: View;
  readonly ask: Ask;
  readonly row: ReconciledDay;
  readonly closing: Snapshot | null;
}

export async function Observed({ view, ask, row, closing }: ObservedProps) {
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
        view={view}
        caption="How the balance moved, as it was observed"
        noun="change"
        cursorName="none"
        columns={[
          {
            title: 'When',
            cell: (change) => <Between view={view} after={change.changed_after} by={change.changed_before} />,
          },
          { title: 'What', cell: ({ change }) => <UntrustedText text={change} /> },
          {
            title: 'Before',
            isNumber: true,
            cell: (change) => <Amount view={view} value={change.total_before} />,
          },
          {
            title: 'After',
            isNumber: true,
            cell: (change) => <Amount view={view} value={change.total_after} />,
          },
          {
            title: 'Change',
            isNumber: true,
            cell: (change) => <Amount view={view} value={change.total_change} signed />,
          },
        ]}
        rows={rows}
        empty="No observation in between showed another balance."
        source={{ path: '/v1/balances/history', query }}
      />
      <p class="small">
        {next_cursor === null ? '' : `These are the first ${shownAtOnce}. `}A change here without a posting of
        the same amount at about that time is where to look.{' '}
        <a href={assetAddress(view, asset_id)}>History of this asset</a>
      </p>
    </section>
  );
}
