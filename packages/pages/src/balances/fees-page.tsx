// What transactions cost in a month, by the asset in which the fees were paid.
import type { FeeTotal } from '../api/ask.ts';
import { type Content, parametersOf } from '../page/page.ts';
import { AssetName } from '../parts/drawings.tsx';
import { type Field, Filters, Jumps } from '../parts/form.tsx';
import { Badge } from '../parts/notice.tsx';
import { type Column, column, Table } from '../parts/table.tsx';
import { Money, UntrustedText } from '../parts/values.tsx';
import { dayInWords, dayLater, todayOf } from '../view/moments.ts';
import { productOf, sumOf } from '../view/numbers.ts';
import { readTotalValue } from './cells.tsx';

type FeesOfAsset = ReturnType<typeof valued>[number];

const mostMonths = 6;

export const feesPage: Content = {
  parameters: {
    ...parametersOf('listFeeTotals', 'day_from', 'day_to'),
    ...parametersOf('listBalanceSplit', 'currency'),
  },
  async show({ params, view, ask }) {
    const months = lastMonths(await todayOf(ask, view.now));
    const [, present] = months[0] ?? ['', { day_from: null, day_to: null }];
    const { day_from, day_to } = params;
    const isNamed = day_from !== undefined || day_to !== undefined;
    const query = isNamed ? { day_from, day_to } : present;
    const currency = params['currency'] ?? (await readTotalValue(ask, undefined)).currencies[0] ?? null;
    const { unknown } = await ask.known('listBalanceSplit', { currency, limit: 1 });
    const assets = unknown === null ? await ask.all('listBalanceSplit', { currency }) : [];
    const prices = new Map(assets.map(({ asset_id, price }) => [asset_id, price]));
    const rows = valued(await ask.all('listFeeTotals', query), prices);
    return {
      title: 'Fees by asset',
      content: [
        <div class="chips">
          <Jumps jumps={months.map(([word, span], index) => [word, index === 0 && !isNamed ? {} : span])} />
          <Filters label="Days" fields={days} />
        </div>,
        <Table
          caption={`Fees from ${query.day_from ?? 'the first day'} to ${query.day_to ?? 'today'}`}
          noun="asset"
          isLinked
          columns={columnsOf(currency)}
          rows={rows}
          empty="No transaction of these days had a fee."
          source={{ path: '/v1/fees', query }}
          totals={currency === null ? undefined : totalsOf(rows, currency)}
        />,
      ],
    };
  },
};

const days: readonly Field[] = [
  { name: 'day_from', label: 'From', kind: 'day' },
  { name: 'day_to', label: 'To', kind: 'day' },
];

function lastMonths(today: string) {
  const months: [word: string, span: { readonly day_from: string; readonly day_to: string }][] = [];
  for (let last = today; months.length < mostMonths; ) {
    const first = `${last.slice(0, 7)}-01`;
    months.push([dayInWords(last).split(' ').slice(2).join(' '), { day_from: first, day_to: last }]);
    last = dayLater(first, -1);
  }
  return months;
}

function valued(fees: readonly FeeTotal[], prices: ReadonlyMap<string, string | null>) {
  const rows = fees.map((row) => {
    const asset = row.fee_asset_id ?? '';
    const isHeld = prices.has(asset);
    const value = productOf(row.fee, prices.get(asset) ?? null);
    return { ...row, asset_id: row.fee_asset_id, network_id: null, isHeld, value };
  });
  // Floats only decide on the order.
  return rows.toSorted((a, b) => Number(b.value ?? -1) - Number(a.value ?? -1));
}

function columnsOf(currency: string | null): readonly Column<FeesOfAsset>[] {
  return [
    column.plain('Paid in', (row) => {
      const named = <UntrustedText text={row.asset_id} most={40} none="no asset named" />;
      const assumed = row.fee_asset_is_assumed && <Badge word="assumed" tone="plain" />;
      return [row.isHeld ? <AssetName row={row} /> : named, ' ', assumed];
    }),
    column.number('Transactions', (row) => String(row.transactions)),
    column.amount('Fees', (row) => row.fee),
    ...column.money<FeesOfAsset>('Present value', currency, (row) => row.value, { none: 'not valued' }),
  ];
}

function totalsOf(rows: readonly FeesOfAsset[], currency: string) {
  const priced = rows.flatMap(({ value }) => (value === null ? [] : [value]));
  const word = priced.length === rows.length ? 'All' : `All but ${rows.length - priced.length} not valued`;
  return [word, '', '', <Money value={priced.length === 0 ? null : sumOf(priced)} currency={currency} />];
}
