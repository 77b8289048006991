// The history of an asset as a chart: all, warm and cold vaults side by side, or the parts of one of them. A
// gap stays a gap.

import { capitalized, onOneLine } from '../../../../src/domain/words.ts';
import { type BalancePoint, pathSegment } from '../api/interface.ts';
import { Chart, type Series } from '../parts/chart.tsx';
import { Export } from '../parts/export.tsx';
import { shownTime } from '../parts/values.tsx';
import type { View } from '../view/view.ts';
import { type AssetParts, type BalancePart, balanceParts, vaultOrder, vaultWords } from './cells.tsx';

export async function AssetChart({ view, ask, params, asset, span }: AssetParts) {
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
  for (const points of steps.values()) moments.push(momentOf(points, moments.at(-1) ?? ''));
  const sorted = [...lines].toSorted(
    ([a], [b]) => vaultOrder(JSON.parse(a)[0]) - vaultOrder(JSON.parse(b)[0]),
  );
  const series = sorted.map(([line, { title, figure }]): Series => {
    const points = [...steps.values()].map((each) => each.find((row) => lineOf(row, figure) === line));
    return {
      title,
      values: points.map((point) => point?.[figure] ?? null),
      says: points.map((point) => (point === undefined ? '–' : stateWords(view, point))),
    };
  });
  // A part that is never there is no line.
  const isThere = ({ values }: Series) => values.some((value) => value !== null && value !== '0');
  return { moments, series: series.filter((each, index) => index === 0 || isThere(each)) };
}

function lineOf({ vault_type, network_id }: BalancePoint, figure: BalancePart[0]): string {
  return JSON.stringify([vault_type, network_id, figure]);
}

/** When the step was observed; a gap begins with the last observation before it. */
function momentOf(points: readonly BalancePoint[], before: string): string {
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
