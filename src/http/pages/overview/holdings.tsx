// What is held, by asset: the largest by worth first, then by name.
import type { Balance, BalanceSplit } from '../../../../packages/client/src/generated/types/api-types.ts';
import { counted } from '../../../domain/words.ts';
import { type Column, Table } from '../parts/table.tsx';
import type { View } from '../view/view.ts';
import { emptyWords, type Overview } from './load.ts';
import { AssetLink, Money, More, Part, Short } from './parts.tsx';

const shown = 12;

interface Holding extends Balance {
  /** Undefined where nothing tells. */
  readonly split: BalanceSplit | undefined;
  readonly value: string | null;
  readonly isPriced: boolean;
}

export function Holdings({ view, data }: { readonly view: View; readonly data: Overview }) {
  const all = holdingsOf(data);
  const held = all.filter(({ total_balance }) => total_balance === null || /[1-9]/.test(total_balance));
  const rows = held.slice(0, shown);
  const rest = held.length - rows.length;
  const count = data.hasMoreBalances
    ? `more than ${counted(held.length, 'asset')}`
    : counted(held.length, 'asset');
  return (
    <Part
      id="holdings"
      title="What is held"
      more={
        <More view={view} path="/balances" query={{ vault_type: 'all' }}>
          {rest > 0 || data.hasMoreBalances ? `All balances: ${count} held` : 'All balances'}
        </More>
      }
    >
      <Table
        view={view}
        caption={rest > 0 ? `The first ${shown} of ${count} held` : 'Every asset held'}
        isCounted={rest > 0}
        noun="asset"
        columns={columnsOf(view, data)}
        rows={rows}
        empty={emptyWords(data, 'balances', 'The account holds nothing.')}
        source={{ path: '/v1/balances', query: { vault_type: 'all' } }}
      />
    </Part>
  );
}

function columnsOf(view: View, { currency, split }: Overview): readonly Column<Holding>[] {
  const amount = (title: string, of: (row: Holding) => string | null): Column<Holding> => ({
    title,
    isNumber: true,
    cell: (row) => <Short view={view} value={of(row)} none={row.is_known ? '–' : 'unknown'} />,
  });
  const lying = (title: string, where: 'warm' | 'cold'): Column<Holding> => ({
    title,
    isNumber: true,
    cell: (row) => (
      <Short
        view={view}
        value={row.split?.[`${where}_total`]}
        none={row.split?.[`${where}_is_known`] === null ? '–' : 'unknown'}
      />
    ),
  });
  return [
    { title: 'Asset', cell: (row) => <AssetLink view={view} id={row.asset_id} network={row.network_id} /> },
    amount('Total', (row) => row.total_balance),
    ...(currency === null
      ? []
      : [
          {
            title: `Worth in ${currency}`,
            isNumber: true,
            cell: (row: Holding) =>
              row.isPriced ? (
                <Money view={view} value={row.value} currency={null} />
              ) : (
                <span class="soft">no price</span>
              ),
          },
        ]),
    ...(split.some((row) => row.warm_total !== null || row.cold_total !== null)
      ? [lying('Warm', 'warm'), lying('Cold', 'cold')]
      : []),
    amount('Available', (row) => row.available_balance),
    amount('On its way', (row) => row.processing_balance),
    amount('Staked', (row) => row.staking_balance),
    amount('Claimable', (row) => row.claimable_balance),
  ];
}

function holdingsOf({ balances, split, values }: Overview): readonly Holding[] {
  const [splits, valued] = [byAsset(split), byAsset(values)];
  const rows = balances.map((row) => {
    const value = valued.get(keyOf(row));
    return {
      ...row,
      split: splits.get(keyOf(row)),
      value: value?.total_value ?? null,
      isPriced: value !== undefined,
    };
  });
  // Floats only decide on the order.
  const rank = ({ value, total_balance }: Holding) =>
    total_balance === null ? Infinity : value === null ? -1 : Number(value);
  return rows.toSorted((a, b) => rank(b) - rank(a) || a.asset_id.localeCompare(b.asset_id));
}

interface OfAsset {
  readonly asset_id: string;
  readonly network_id: string;
}

function keyOf({ asset_id, network_id }: OfAsset): string {
  return JSON.stringify([asset_id, network_id]);
}

function byAsset<Row extends OfAsset>(rows: readonly Row[]): ReadonlyMap<string, Row> {
  return new Map(rows.map((row) => [keyOf(row), row]));
}
