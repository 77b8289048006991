// What an asset is worth, and the prices that people gave for it.
import type { BalanceValue, BalanceValueAt, Price } from '../page/api.ts';
import { sumOf } from '../parts/sums.ts';
import { amountColumn, type Column, Table, textColumn } from '../parts/table.tsx';
import { Amount, Moment } from '../parts/values.tsx';
import type { AssetParts } from './cells.tsx';

export function ValueOf({ values }: { readonly values: readonly Value[] }) {
  if (values.length === 0) return <p class="soft">No price is known, so it is not valued.</p>;
  return (
    <p>
      In all vaults worth{' '}
      {valuesByCurrency(values).map(({ currency, price, price_as_of, total }, index) => (
        <>
          {index === 0 ? null : ' or '}
          <strong>
            <Amount value={total} unit={currency} decimals={2} />
          </strong>{' '}
          <span class="soft">
            at <Amount value={price} unit={currency} /> of <Moment at={price_as_of} />
          </span>
        </>
      ))}
    </p>
  );
}

type Value = BalanceValue | BalanceValueAt;

/**
 * The networks of the asset together: it has one price on all of them. Unknown where one of the balances is.
 */
function valuesByCurrency(values: readonly Value[]) {
  const currencies = [...new Set(values.map(({ currency }) => currency))];
  return currencies.flatMap((currency) => {
    const rows = values.filter((row) => row.currency === currency);
    const total = sumOf(rows.map(({ total_value }) => total_value));
    return rows.slice(0, 1).map(({ price, price_as_of }) => ({ currency, price, price_as_of, total }));
  });
}

/** The last prices by the end of the span. */
export async function AssetPrices({ ask, asset, span }: AssetParts) {
  const query = { asset_id: asset, as_of_to: span.to, sort: '-asset_id' as const };
  const found = await ask('listPrices', { ...query, limit: 10 });
  if (found.data.length === 0) return null;
  return (
    <details id="prices">
      <summary>Prices</summary>
      <Table
        caption="The last prices of this asset"
        noun="price"
        columns={columns}
        rows={found.data}
        empty=""
        source={{ path: '/v1/prices', query }}
      />
    </details>
  );
}

const columns: readonly Column<Price>[] = [
  { title: 'As of', cell: (row) => <Moment at={row.as_of} /> },
  amountColumn('Price', (row) => row.price),
  textColumn('Currency', (row) => row.currency, { most: 20 }),
  textColumn('Source', (row) => row.source),
];
