// What an asset is worth, and the prices that people gave for it.
import type { BalanceValue, BalanceValueAt, Price } from '../../../client/api-types.ts';
import { Amount } from '../parts/amount.tsx';
import { Moment } from '../parts/moment.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Foreign } from '../parts/text.tsx';
import type { View } from '../view/view.ts';
import type { AssetParts } from './asset-parts.ts';

export function ValueOf({
  view,
  values,
}: {
  readonly view: View;
  readonly values: readonly (BalanceValue | BalanceValueAt)[];
}) {
  if (values.length === 0) return <p class="soft">No price is known, so it is not valued.</p>;
  return (
    <p>
      In all vaults worth{' '}
      {values.map((row, index) => (
        <>
          {index === 0 ? null : ' or '}
          <strong>
            <Amount view={view} value={row.total_value} unit={row.currency} decimals={2} />
          </strong>{' '}
          <span class="soft">
            at <Amount view={view} value={row.price} unit={row.currency} /> of{' '}
            <Moment view={view} at={row.price_as_of} />
          </span>
        </>
      ))}
    </p>
  );
}

/** The last prices by the end of the span. */
export async function AssetPrices({ view, ask, asset, span }: AssetParts) {
  const query = { asset_id: asset, as_of_to: span.to, sort: '-asset_id' as const };
  const found = await ask('listPrices', { ...query, limit: 10 });
  if (found.data.length === 0) return null;
  return (
    <details id="prices">
      <summary>Prices</summary>
      <Table
        view={view}
        caption="The last prices of this asset"
        noun="price"
        columns={columns(view)}
        rows={found.data}
        empty=""
        source={{ path: '/v1/prices', query }}
      />
    </details>
  );
}

function columns(view: View): readonly Column<Price>[] {
  return [
    { title: 'As of', cell: (row) => <Moment view={view} at={row.as_of} /> },
    { title: 'Price', isNumber: true, cell: (row) => <Amount view={view} value={row.price} /> },
    { title: 'Currency', cell: (row) => <Foreign text={row.currency} most={20} /> },
    { title: 'Source', cell: (row) => <Foreign text={row.source} /> },
  ];
}
