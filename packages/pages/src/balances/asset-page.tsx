// One asset: its history as a chart and as changes, where it is held, and what explains a change. The chart
// shows the vault types side by side, or the parts of one; a gap stays a gap.

import { type Ask, type BalancePoint, isNamedByTransactions } from '../api/ask.ts';
import { capitalized, onOneLine, pathSegment } from '../api/words.ts';
import { type Page, parametersOf, type Rendered } from '../page/page.ts';
import { Chart, type Series } from '../parts/drawings.tsx';
import { Export } from '../parts/export.tsx';
import { type Field, Filters, Jumps } from '../parts/form.tsx';
import { UnknownNotice } from '../parts/notice.tsx';
import { Link, shownTime } from '../parts/values.tsx';
import { daysBefore, endOf } from '../view/moments.ts';
import type { View } from '../view/view.ts';
import { AssetChanges, Explanation } from './asset-changes.tsx';
import { AssetHeld, AssetPrices } from './asset-held.tsx';
import { type AssetParts, type BalancePart, balanceParts, vaultTypes, vaultWords } from './cells.tsx';

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
    // The history goes up to where `at` looks from.
    const to = params['to'] ?? (params['at'] && endOf(params['at'], view.closed));
    const span = { from: params['from'], to };
    const { network_id, vault_type } = params;
    const wanted = { asset_id: asset, network_id, vault_type, ...span };
    const { unknown } = await ask.known('listBalanceSeries', { ...wanted, limit: 500 });
    if (unknown !== null) return await notObserved(ask, asset, unknown.why);
    const parts = { view, ask, params, asset, span };
    const held = await AssetHeld(parts);
    const jumps = spans.map(
      ([days, word]) => [word, { from: daysBefore(to ?? view.now, days), change: null }] as const,
    );
    const changes = await AssetChanges(parts);
    return {
      title: held.name,
      actions: [
        <Link to={['/transactions', { asset_id: asset }]}>Transactions</Link>,
        <Link to={['/reconciliation', { asset_id: asset }]}>Reconciliation</Link>,
        <Filters
          label="Moment"
          word="Moment"
          fields={[{ name: 'at', label: 'Held as of', kind: 'moment', hint: 'Empty: now' }]}
          keep={['from', 'to', 'vault_type', 'network_id']}
        />,
      ],
      content: [
        held.value,
        <div class="chips">
          <Filters label="History" keep={['at']} fields={fieldsOf(held.networks)} />
          <Jumps label="Show the last" jumps={jumps} />
        </div>,
        await AssetChart(parts),
        held.where,
        changes.content,
        await Explanation(parts, changes.first),
        await AssetPrices(parts),
      ],
      hasCharts: true,
    };
  },
};

async function notObserved(ask: Ask, asset: string, why: string): Promise<Rendered> {
  const isNamed = await isNamedByTransactions(ask, { asset_id: asset });
  const content = [
    <UnknownNotice title="Not known" why={`No observed balance lists this asset. ${isNamed ? '' : why}`} />,
    isNamed && (
      <p>
        <Link to={['/transactions', { asset_id: asset }]}>All transactions of this asset</Link>
      </p>
    ),
  ];
  return { title: onOneLine(asset).slice(0, 100), content, status: isNamed ? 200 : 404 };
}

const fieldsOf = (networks: readonly (readonly [string, string])[]): readonly Field[] => [
  { name: 'from', label: 'From', kind: 'moment', hint: 'Empty: 30 days' },
  { name: 'to', label: 'To', kind: 'moment', hint: 'Empty: until now' },
  { name: 'vault_type', label: 'Vaults', choices: vaultTypes, any: 'side by side' },
  ...(networks.length < 2 ? [] : [{ name: 'network_id', label: 'Network', any: 'all', choices: networks }]),
];

const spans = [
  [1, 'a day'],
  [7, '7 days'],
  [30, '30 days'],
  [90, '90 days'],
  [366, 'a year'],
  [1096, '3 years'],
] as const;

async function AssetChart({ view, ask, params, asset, span }: AssetParts) {
  const { vault_type, network_id } = params;
  const query = { network_id, vault_type, ...span };
  const rows = await ask.all('listBalanceSeries', { asset_id: asset, ...query });
  const path = `/v1/balances/assets/${pathSegment(asset)}/series`;
  const { moments, series } = chartOf(view, rows, vault_type !== undefined);
  if (moments.length === 0) return <p class="soft">Nothing was observed in this span.</p>;
  return (
    <Chart
      id="history"
      title={vault_type === undefined ? 'Total held' : `Held in ${vaultWords(vault_type)}`}
      moments={moments}
      series={series}
      unit={onOneLine(asset).slice(0, 40)}
      links={<Export source={{ path, query }} name="This chart" />}
    >
      {stepWords(rows)}
    </Chart>
  );
}

/** The points of all series by their step: each step has one moment. */
function chartOf(view: View, rows: readonly BalancePoint[], inParts: boolean) {
  const steps = new Map<string, BalancePoint[]>();
  const lines = new Map<string, { readonly title: string; readonly figure: BalancePart[0] }>();
  const networks = new Set(rows.map(({ network_id }) => network_id));
  for (const row of rows) {
    steps.set(row.starts_at, [...(steps.get(row.starts_at) ?? []), row]);
    const network =
      networks.size < 2 ? '' : ` on ${onOneLine(row.network_name ?? row.network_id).slice(0, 40)}`;
    for (const [figure, words] of inParts ? balanceParts : balanceParts.slice(0, 1)) {
      if (lines.has(lineOf(row, figure)) && row.network_name === null) continue;
      const title = capitalized(inParts ? words : vaultWords(row.vault_type));
      lines.set(lineOf(row, figure), { title: `${title}${network}`, figure });
    }
  }
  const moments: string[] = [];
  for (const points of steps.values()) moments.push(momentOfStep(points, moments.at(-1) ?? ''));
  const order = ([line]: readonly [string, unknown]) =>
    vaultTypes.findIndex(([type]) => type === JSON.parse(line)[0]);
  const sorted = [...lines].toSorted((a, b) => order(a) - order(b));
  const series = sorted.map(([line, { title, figure }]): Series => {
    const points = [...steps.values()].map((each) => each.find((row) => lineOf(row, figure) === line));
    return {
      title,
      values: points.map((point) => point?.[figure] ?? null),
      says: points.map((point) => (point === undefined ? '–' : stateWords(view, point))),
    };
  });
  const isThere = ({ values }: Series) => values.some((value) => value !== null && value !== '0');
  return { moments, series: series.filter((each, index) => index === 0 || isThere(each)) };
}

function lineOf({ vault_type, network_id }: BalancePoint, figure: BalancePart[0]): string {
  return JSON.stringify([vault_type, network_id, figure]);
}

/** When the step was observed; a gap begins with the last observation before it. */
function momentOfStep(points: readonly BalancePoint[], before: string): string {
  const observed = points.flatMap(({ observed_at }) => observed_at ?? []).toSorted();
  const last = observed.at(-1);
  if (last !== undefined) return last;
  const [{ starts_at, gap_from } = { starts_at: before, gap_from: null }] = points;
  return gap_from !== null && gap_from >= before && before !== '' ? gap_from : starts_at;
}

function stateWords(view: View, { state, gap_to }: BalancePoint): string {
  if (state === 'not listed') return 'not listed';
  if (state === 'observed') return 'not sent';
  if (state !== 'not observed') return 'unknown';
  return gap_to === null ? 'not observed since' : `not observed until ${shownTime(gap_to, view)}`;
}

const units = [
  [604_800, 'week'],
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
] as const;

/** Says which observations the chart shows. */
function stepWords(rows: readonly BalancePoint[]): string {
  const seconds = Math.max(
    60,
    ...rows.slice(0, 50).map((row) => (Date.parse(row.ends_at) - Date.parse(row.starts_at)) / 1000),
  );
  const [unit, word] = units.find(([length]) => seconds >= length * 0.95) ?? [60, 'minute'];
  const count = Math.round(seconds / unit);
  return `The last observation of each ${count === 1 ? word : `${count} ${word}s`}; every change is in the table below. A triangle marks where the first line rose or fell, a gap a time without observations.`;
}
