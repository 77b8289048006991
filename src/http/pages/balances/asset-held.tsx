// Where an asset is held, and since when.
import type { Balance, BalanceAt } from '../../../../packages/client/src/generated/types/api-types.ts';
import { onOneLine } from '../../../domain/words.ts';
import { Filters, MomentField } from '../parts/form.tsx';
import { UnknownNotice } from '../parts/notice.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { UntrustedText } from '../parts/text.tsx';
import type { View } from '../view/view.ts';
import type { AssetParts } from './asset-parts.ts';
import { ValueOf } from './asset-prices.tsx';
import { partColumns, Since } from './cells.tsx';
import { vaultOrder, vaultWords } from './vault-types.ts';

type Row = Balance | BalanceAt;

export async function AssetHeld({ view, ask, given, asset }: AssetParts) {
  const query = { asset_id: asset, at: given['at'] };
  const found = await ask.known('listBalances', query);
  const rows: readonly Row[] = 'answer' in found ? found.answer.data : [];
  const sorted = rows.toSorted((a, b) => vaultOrder(a.vault_type) - vaultOrder(b.vault_type));
  const networks = new Map(
    rows.map(({ network_id, network_name }) => [network_id, network_name ?? network_id]),
  );
  const names = rows.map(({ asset_name }) => asset_name).find((name) => name !== null && name !== '');
  const isNamed = names !== undefined && names !== null && names !== asset;
  return {
    name: onOneLine(isNamed ? `${names} (${asset})` : asset).slice(0, 150),
    networks: [...networks].map(([id, name]) => [id, onOneLine(name).slice(0, 60)] as const),
    content: (
      <>
        <Filters view={view} label="Moment" keep={['from', 'to', 'vault_type', 'network_id']}>
          <MomentField view={view} name="at" label="Held as of" hint="Empty: now" />
        </Filters>
        {'unknown' in found ? (
          <UnknownNotice view={view} title="Not known" why={found.unknown.why} />
        ) : (
          <>
            <ValueOf
              view={view}
              values={(await ask('listBalanceValues', { ...query, vault_type: 'all' })).data}
            />
            <Table
              view={view}
              caption="Where it is held"
              noun="balance"
              columns={columns(view, networks.size > 1)}
              rows={sorted}
              empty="The service listed no balance of this asset then."
              source={{ path: '/v1/balances', query }}
            />
          </>
        )}
      </>
    ),
  };
}

function columns(view: View, showNetwork: boolean): readonly Column<Row>[] {
  const network: Column<Row> = {
    title: 'Network',
    cell: (row) => <UntrustedText text={row.network_name ?? row.network_id} most={40} />,
  };
  return [
    { title: 'Where', cell: (row) => vaultWords(row.vault_type) },
    ...(showNetwork ? [network] : []),
    ...partColumns(view),
    { title: 'Unchanged since', cell: (row) => <Since view={view} row={row} isKnown={row.is_known} /> },
  ];
}
