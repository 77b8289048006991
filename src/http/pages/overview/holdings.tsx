// What is held, by asset: the largest by worth first, then by name.
import { counted } from '../../../domain/words.ts';
import type { Balance, BalanceSplit } from '../page/api.ts';
import { assetKey } from '../parts/sums.ts';
import { amountColumn, type Column, Table } from '../parts/table.tsx';
import { Link } from '../parts/values.tsx';
import { emptyWords, type Overview } from './load.ts';
import { AssetLink, money, Part, short } from './parts.tsx';

const shown = 12;

interface Holding extends Balance {
  /** Undefined where nothing tells. */
  readonly split: BalanceSplit | undefined;
  readonly value: string | null;
  readonly isPriced: boolean;
}

export function Holdings({ data }: { readonly data: Overview }) {
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
        <Link to={['/balances', { vault_type: 'all' }]}>
          {rest > 0 || data.hasMoreBalances ? `All balances: ${count} held` : 'All balances'}
        </Link>
      }
    >
      <Table
        caption={rest > 0 ? `The first ${shown} of ${count} held` : 'Every asset held'}
        isCounted={rest > 0}
        noun="asset"
        columns={columnsOf(data)}
        rows={rows}
        empty={emptyWords(data, 'balances', 'The account holds nothing.')}
        source={{ path: '/v1/balances', query: { vault_type: 'all' } }}
      />
    </Part>
  );
}

function columnsOf({ currency, split }: Overview): readonly Column<Holding>[] {
  const amount = (title: string, amountOf: (row: Holding) => string | null) =>
    amountColumn(title, amountOf, { ...short, none: (row) => (row.is_known ? '–' : 'unknown') });
  const lying = (title: string, where: 'warm' | 'cold') =>
    amountColumn<Holding>(title, (row) => row.split?.[`${where}_total`], {
      ...short,
      none: (row) => (row.split?.[`${where}_is_known`] === null ? '–' : 'unknown'),
    });
  const worth = amountColumn<Holding>(`Worth in ${currency}`, (row) => row.value, {
    ...money,
    none: (row) => (row.isPriced ? 'unknown' : 'no price'),
  });
  return [
    { title: 'Asset', cell: (row) => <AssetLink id={row.asset_id} network={row.network_id} /> },
    amount('Total', (row) => row.total_balance),
    ...(currency === null ? [] : [worth]),
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
  const splits = new Map(split.map((row) => [assetKey(row), row]));
  const valued = new Map(values.map((row) => [assetKey(row), row]));
  const rows = balances.map((row) => {
    const value = valued.get(assetKey(row));
    return {
      ...row,
      split: splits.get(assetKey(row)),
      value: value?.total_value ?? null,
      isPriced: value !== undefined,
    };
  });
  // Floats only decide on the order.
  const rank = ({ value, total_balance }: Holding) =>
    total_balance === null ? Infinity : value === null ? -1 : Number(value);
  return rows.toSorted((a, b) => rank(b) - rank(a) || a.asset_id.localeCompare(b.asset_id));
}
