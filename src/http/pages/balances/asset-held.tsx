// Where an asset is held, and since when.
import { onOneLine } from '../../../domain/words.ts';
import type { Balance, BalanceAt } from '../page/api.ts';
import { type Field, Filters } from '../parts/form.tsx';
import { UnknownNotice } from '../parts/notice.tsx';
import { type Column, Table, textColumn } from '../parts/table.tsx';
import { ValueOf } from './asset-prices.tsx';
import { type AssetParts, partColumns, Since, vaultOrder, vaultWords } from './cells.tsx';

type Row = Balance | BalanceAt;

const fields: readonly Field[] = [{ name: 'at', label: 'Held as of', kind: 'moment', hint: 'Empty: now' }];

export async function AssetHeld({ ask, given, asset }: AssetParts) {
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
        <Filters label="Moment" fields={fields} keep={['from', 'to', 'vault_type', 'network_id']} />
        {'unknown' in found ? (
          <UnknownNotice title="Not known" why={found.unknown.why} />
        ) : (
          <>
            <ValueOf values={(await ask('listBalanceValues', { ...query, vault_type: 'all' })).data} />
            <Table
              caption="Where it is held"
              noun="balance"
              columns={columns(networks.size > 1)}
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

function columns(showNetwork: boolean): readonly Column<Row>[] {
  const network = textColumn('Network', (row: Row) => row.network_name ?? row.network_id, { most: 40 });
  return [
    { title: 'Where', cell: (row) => vaultWords(row.vault_type) },
    ...(showNetwork ? [network] : []),
    ...partColumns,
    { title: 'Unchanged since', cell: (row) => <Since row={row} isKnown={row.is_known} /> },
  ];
}
