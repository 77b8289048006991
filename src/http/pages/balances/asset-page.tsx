// One asset: where it is held and since when, its history as a chart and as changes, what explains a change, and its prices.
import { onOneLine } from '../../../domain/words.ts';
import { type Page, parametersOf } from '../page/page.ts';
import { ChoiceField, Filters, MomentField } from '../parts/form.tsx';
import { UnknownNotice } from '../parts/notice.tsx';
import { addressOf, sameWith, type View } from '../view/view.ts';
import { AssetChanges } from './asset-changes.tsx';
import { AssetChart } from './asset-chart.tsx';
import { AssetHeld } from './asset-held.tsx';
import { AssetPrices } from './asset-prices.tsx';
import { Explanation } from './explanation.tsx';
import { vaultTypes } from './vault-types.ts';

const chartParameters = parametersOf(
  'listBalanceSeries',
  'asset_id',
  'network_id',
  'vault_type',
  'from',
  'to',
);
const { at } = parametersOf('listBalances', 'at');
const { cursor } = parametersOf('listBalanceHistory', 'cursor');

export const assetPage: Page = {
  path: '/balances/assets/:asset_id',
  section: 'balances',
  about: ['balances', 'transactions'],
  parameters: {
    ...chartParameters,
    at,
    cursor,
    ...changeParameter(),
  },
  async show({ given, view, ask }) {
    const asset = given['asset_id'] ?? '';
    const to = given['to'] ?? given['at'];
    const span = { from: given['from'], to };
    const series = await ask.known('listBalanceSeries', {
      asset_id: asset,
      network_id: given['network_id'],
      vault_type: given['vault_type'],
      ...span,
      limit: 500,
    });
    if ('unknown' in series)
      return {
        title: onOneLine(asset).slice(0, 100),
        content: (
          <UnknownNotice
            view={view}
            title="Not known"
            why={`No observation of balances listed this asset. ${series.unknown.why}`}
          />
        ),
        status: 404 as const,
      };
    const parts = { view, ask, given, asset, span };
    const held = await AssetHeld(parts);
    const chart = await AssetChart({ ...parts, first: series.answer });
    const changes = await AssetChanges(parts);
    const explanation = await Explanation({ ...parts, first: changes.first });
    const prices = await AssetPrices(parts);
    return {
      title: held.name,
      content: (
        <>
          {held.content}
          <SpanForm view={view} networks={held.networks} />
          {chart}
          {changes.content}
          {explanation}
          <OtherPages view={view} asset={asset} />
          {prices}
        </>
      ),
      hasCharts: true,
    };
  },
};

/** The change that is explained, by its first observation. */
function changeParameter() {
  const { changed_from } = parametersOf('listBalanceHistory', 'changed_from');
  return changed_from === undefined
    ? {}
    : {
        change: {
          ...changed_from,
          description: 'The change to explain, by the moment at which it was observed.',
        },
      };
}

const spans = [
  [1, 'a day'],
  [7, '7 days'],
  [30, '30 days'],
  [90, '90 days'],
  [366, 'a year'],
  [1096, '3 years'],
] as const;

function SpanForm({
  view,
  networks,
}: {
  readonly view: View;
  readonly networks: readonly (readonly [string, string])[];
}) {
  const { query, now } = view;
  const endMs = Date.parse(query['to'] ?? query['at'] ?? now);
  const from = (days: number) => `${new Date(endMs - days * 86_400_000).toISOString().slice(0, 16)}:00Z`;
  return (
    <>
      <Filters view={view} label="History" keep={['at']}>
        <MomentField view={view} name="from" label="From" hint="Empty: 30 days" />
        <MomentField view={view} name="to" label="To" hint="Empty: until now" />
        <ChoiceField view={view} name="vault_type" label="Vaults" options={vaultTypes} any="side by side" />
        {networks.length < 2 ? null : (
          <ChoiceField view={view} name="network_id" label="Network" options={networks} any="all" />
        )}
      </Filters>
      <p class="beside spans">
        <span class="soft">Show the last</span>
        {spans.map(([days, words]) => (
          <a href={sameWith(view, { from: from(days), cursor: null, change: null })}>{words}</a>
        ))}
      </p>
    </>
  );
}

function OtherPages({ view, asset }: { readonly view: View; readonly asset: string }) {
  return (
    <p class="beside">
      <a href={addressOf(view, '/transactions', { asset_id: asset })}>All transactions of this asset</a>
      <a href={addressOf(view, '/reconciliation', { asset_id: asset })}>Its reconciliation by day</a>
    </p>
  );
}
