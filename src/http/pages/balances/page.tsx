// Balances, now or as of any moment, by asset and type of vault.
import type { Balance, BalanceAt } from '../../../client/api-types.ts';
import { type Page, parametersOf } from '../page/page.ts';
import { Amount } from '../parts/amount.tsx';
import { ChoiceField, Filters, MomentField, TextField } from '../parts/form.tsx';
import { Moment } from '../parts/moment.tsx';
import { UnknownNotice } from '../parts/notice.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Foreign } from '../parts/text.tsx';
import type { View } from '../view/view.ts';

type Row = Balance | BalanceAt;

function columnsOf(view: View): readonly Column<Row>[] {
  return [
    { title: 'Asset', cell: (row) => <Foreign text={row.asset_name ?? row.asset_id} /> },
    { title: 'Network', cell: (row) => <Foreign text={row.network_name ?? row.network_id} /> },
    { title: 'Vaults', cell: (row) => row.vault_type },
    { title: 'Total', isNumber: true, cell: (row) => <Amount view={view} value={row.total_balance} /> },
    {
      title: 'Available',
      isNumber: true,
      cell: (row) => <Amount view={view} value={row.available_balance} />,
    },
    { title: 'Unchanged since', cell: (row) => <Moment view={view} at={row.unchanged_since} /> },
  ];
}

export const balancesPage: Page = {
  path: '/balances',
  section: 'balances',
  about: ['balances'],
  parameters: parametersOf('listBalances', 'vault_type', 'asset_id', 'at', 'cursor', 'limit'),
  async show({ given, view, ask }) {
    const { account: _account, ...query } = given;
    const found = await ask.known('listBalances', query);
    return {
      title: 'Balances',
      content: (
        <>
          <Filters view={view} label="Balances">
            <MomentField view={view} name="at" label="As of" />
            <TextField view={view} name="asset_id" label="Asset" />
            <ChoiceField
              view={view}
              name="vault_type"
              label="Vaults"
              options={[
                ['all', 'all'],
                ['warm', 'warm'],
                ['cold', 'cold'],
              ]}
            />
          </Filters>
          {'unknown' in found ? (
            <UnknownNotice title="Not known" why={found.unknown.why} />
          ) : (
            <Table
              view={view}
              caption="Balances"
              noun="balance"
              columns={columnsOf(view)}
              rows={found.answer.data as readonly Row[]}
              empty="No balance matches."
              source={{ path: '/v1/balances', query }}
              next={found.answer.next_cursor}
            />
          )}
        </>
      ),
    };
  },
};
