// What an asset is worth, and the prices that people gave for it.
import type {
  BalanceValue,
  BalanceValueAt,
  Price,
} from '../../../../packages/client/src/generated/types/api-types.ts';
import { addDecimals, parseDecimal } from '../../../domain/decimal.ts';
import { Amount } from '../parts/amount.tsx';
import { Moment } from '../parts/moment.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { UntrustedText } from '../parts/text.tsx';
import type { View } from '../view/view.ts';
import type { AssetParts } from './asset-parts.ts';

export function ValueOf({ view, values }: { readonly view: View; readonly values: readonly Value[] }) {
  if (values.length === 0) return <p class="soft">No price is known, so it is not valued.</p>;
  return (
    <p>
      In all vaults worth{' '}
      {valuesByCurrency(values).map(({ currency, price, price_as_of, total }, index) => (
        <>
          {index === 0 ? null : ' or '}
          <strong>
            <Amount view={view} value={total} unit={currency} decimals={2} />
          </strong>{' '}
          <span class="soft">
            at <Amount view={view} value={price} unit={currency} /> of <Moment view={view} at={price_as_of} />
          </span>
        </>
      ))}
    </p>
  );
}

type Value = BalanceValue | BalanceValueAt;

/** The networks of the asset together: it has one price on all of them. Unknown where one of the balances is. */
function valuesByCurrency(values: readonly Value[]) {
  const currencies = [...new Set(values.map(({ currency }) => currency))];
  return currencies.flatMap((currency) => {
    const rows = values.filter((row) => row.currency === currency);
    const parts = rows.flatMap(({ total_value }) => parseDecimal(total_value ?? '') ?? []);
    const total = parts.length < rows.length ? null : addDecimals(parts.map(({ value }) => value));
    return rows.slice(0, 1).map(({ price, price_as_of }) => ({ currency, price, price_as_of, total }));
  });
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
    { title: 'Currency', cell: (row) => <UntrustedText text={row.currency} most={20} /> },
    { title: 'Source', cell: (row) => <UntrustedText text={row.source} /> },
  ];
}
