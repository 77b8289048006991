// The greatest holdings by value, with how each changed and went.

import { counted } from '../../../../src/domain/words.ts';
import type { BalanceSplit } from '../api/interface.ts';
import { short } from '../parts/amount.tsx';
import { AssetOn, byValue, shareColumn, trendColumn } from '../parts/assets.tsx';
import { assetKey, negated, sumOf } from '../parts/sums.ts';
import { amountColumn, type Column, moneyColumn, Table } from '../parts/table.tsx';
import { Link } from '../parts/values.tsx';
import { isSome } from '../view/numbers.ts';
import { emptyWords, type Overview, rowsOf, valueIn } from './load.ts';
import { Part } from './parts.tsx';

const shown = 10;

export function Holdings({ data }: { readonly data: Overview }) {
  const held = data.balances
    .filter(({ all_total, all_is_known }) => all_is_known === false || isSome(all_total))
    .toSorted((a, b) => Number(a.all_is_known) - Number(b.all_is_known) || byValue(a, b));
  const count = `${data.hasMoreBalances ? 'more than ' : ''}${counted(held.length, 'asset')}`;
  const isPart = held.length > shown || data.hasMoreBalances;
  return (
    <Part
      id="holdings"
      title="Greatest holdings"
      more={<Link to="/balances">{isPart ? `All balances: ${count} held` : 'All balances'}</Link>}
    >
      <Table
        caption={isPart ? `The first ${shown} of ${count} held` : 'Every asset held'}
        isCounted={isPart}
        isLinked
        noun="asset"
        columns={columnsOf(data)}
        rows={held.slice(0, shown)}
        empty={emptyWords(data, 'balances', 'The account holds nothing.')}
        source={{ path: '/v1/balances/split', query: { currency: data.currency } }}
      />
    </Part>
  );
}

function columnsOf(data: Overview): readonly Column<BalanceSplit>[] {
  const { currency } = data;
  const before = new Map(rowsOf(data.before).map((row) => [assetKey(row), row.total_value]));
  const change = (row: BalanceSplit) =>
    row.total_value === null ? null : sumOf([row.total_value, negated(before.get(assetKey(row)) ?? null)]);
  const inMoney: readonly Column<BalanceSplit>[] =
    currency === null
      ? []
      : [
          moneyColumn<BalanceSplit>('Value', currency, (row) => row.total_value, {
            none: (row) => (row.price === null ? 'no price' : 'unknown'),
          }),
          shareColumn<BalanceSplit>(valueIn(data, 'all')?.total_value),
          moneyColumn<BalanceSplit>('Since yesterday', currency, change, { none: '–', signed: true }),
        ];
  return [
    { title: 'Asset', isPlain: true, cell: (row) => <AssetOn row={row} /> },
    amountColumn('Held', (row) => row.all_total, short),
    ...inMoney,
    trendColumn(rowsOf(data.trends)),
  ];
}
