// One asset: where it is held and since when, its history as a chart and as changes, what explains a change,
// and its prices.
import { onOneLine } from '../../../../src/domain/words.ts';
import { type Ask, isNamedByTransactions } from '../api/ask.ts';
import { type Page, parametersOf, type Rendered } from '../page/page.ts';
import { type Field, Filters, Jumps } from '../parts/form.tsx';
import { UnknownNotice } from '../parts/notice.tsx';
import { Link } from '../parts/values.tsx';
import { daysBefore, endOf } from '../view/days.ts';
import { useView, type View } from '../view/view.ts';
import { AssetChanges, Explanation } from './asset-changes.tsx';
import { AssetChart } from './asset-chart.tsx';
import { AssetHeld, AssetPrices } from './asset-held.tsx';
import { vaultTypes } from './cells.tsx';

const { changed_from, cursor } = parametersOf('listBalanceHistory', 'changed_from', 'cursor');

export const assetPage: Page = {
  path: '/balances/assets/:asset_id',
  section: 'balances',
  about: ['balances', 'transactions'],
  parameters: {
    ...parametersOf('listBalanceSeries', 'asset_id', 'network_id', 'vault_type', 'from', 'to'),
    ...parametersOf('listBalances', 'at'),
    cursor,
    change: {
      ...changed_from,
      description: 'The change to explain, by the moment at which it was observed.',
    },
  },
  async show({ params, view, ask }) {
    const asset = params['asset_id'] ?? '';
    const to = params['to'] ?? momentOfEnd(params['at'], view);
    const span = { from: params['from'], to };
    const { network_id, vault_type } = params;
    const wanted = { asset_id: asset, network_id, vault_type, ...span };
    const series = await ask.known('listBalanceSeries', { ...wanted, limit: 500 });
    if ('unknown' in series) return await notObserved(ask, asset, series.unknown.why);
    const parts = { view, ask, params, asset, span };
    const held = await AssetHeld(parts);
    const changes = await AssetChanges(parts);
    return {
      title: held.name,
      actions: (
        <>
          <Link to={['/transactions', { asset_id: asset }]}>Transactions</Link>
          <Link to={['/reconciliation', { asset_id: asset }]}>Reconciliation</Link>
          <Filters
            label="Moment"
            word="Moment"
            fields={[{ name: 'at', label: 'Held as of', kind: 'moment', hint: 'Empty: now' }]}
            keep={['from', 'to', 'vault_type', 'network_id']}
          />
        </>
      ),
      content: (
        <>
          {held.value}
          <SpanForm networks={held.networks} />
          {await AssetChart(parts)}
          {held.where}
          {changes.content}
          {await Explanation(parts, changes.first)}
          {await AssetPrices(parts)}
        </>
      ),
      hasCharts: true,
    };
  },
};

async function notObserved(ask: Ask, asset: string, why: string): Promise<Rendered> {
  const isNamed = await isNamedByTransactions(ask, { asset_id: asset });
  const content = (
    <>
      <UnknownNotice title="Not known" why={`No observed balance lists this asset. ${isNamed ? '' : why}`} />
      {isNamed && (
        <p>
          <Link to={['/transactions', { asset_id: asset }]}>All transactions of this asset</Link>
        </p>
      )}
    </>
  );
  return { title: onOneLine(asset).slice(0, 100), content, status: isNamed ? 200 : 404 };
}

/** The history goes up to where `at` looks from. */
function momentOfEnd(at: string | undefined, view: View): string | undefined {
  return at === undefined ? undefined : endOf(at, view.closed);
}

const fields: readonly Field[] = [
  { name: 'from', label: 'From', kind: 'moment', hint: 'Empty: 30 days' },
  { name: 'to', label: 'To', kind: 'moment', hint: 'Empty: until now' },
  { name: 'vault_type', label: 'Vaults', choices: vaultTypes, any: 'side by side' },
];
const networkField = { name: 'network_id', label: 'Network', any: 'all' };

const spans = [
  [1, 'a day'],
  [7, '7 days'],
  [30, '30 days'],
  [90, '90 days'],
  [366, 'a year'],
  [1096, '3 years'],
] as const;

function SpanForm({ networks }: { readonly networks: readonly (readonly [string, string])[] }) {
  const view = useView();
  const { query, now } = view;
  const end = query['to'] ?? momentOfEnd(query['at'], view) ?? now;
  return (
    <div class="chips">
      <Filters
        label="History"
        keep={['at']}
        fields={networks.length < 2 ? fields : [...fields, { ...networkField, choices: networks }]}
      />
      <Jumps
        label="Show the last"
        jumps={spans.map(([days, word]) => [word, { from: daysBefore(end, days), change: null }])}
      />
    </div>
  );
}
