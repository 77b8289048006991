// The days by asset: a square for each, which leads to the day with its bridge; and the same as rows. What
// needs attention comes first, and each state has its own sign besides its colour.
import type { ReconciledDay } from '../api/ask.ts';
import { grouped } from '../api/words.ts';
import { Badge } from '../parts/notice.tsx';
import { amountColumn, type Column, column, plainColumn, Table } from '../parts/table.tsx';
import { TextLink } from '../parts/values.tsx';
import { dayInWords } from '../view/moments.ts';
import { isSome } from '../view/numbers.ts';
import { addressOf, useView } from '../view/view.ts';
import { byUrgency, dayPath, explanationOf } from './words.tsx';

const mostAssets = 40;
const signs: Readonly<Record<string, string>> = { good: '✓', bad: '✗', note: '?' };
const weekdays = new Intl.DateTimeFormat('en-GB', { weekday: 'short', timeZone: 'UTC' });

interface CalendarProps {
  /** The latest first. */
  readonly days: readonly string[];
  readonly rows: readonly ReconciledDay[];
  readonly today: string;
  readonly gaps: readonly string[];
}

export function Calendar({ days, rows, gaps, today }: CalendarProps) {
  const view = useView();
  const assets = [...new Set(byUrgency(rows).map(({ asset_id }) => asset_id))];
  const columns = days.toReversed();
  return (
    <div class="table">
      <table class="calendar">
        <caption>
          Days by asset <span class="soft">✓ explained, ✗ not explained, ? not known</span>
        </caption>
        <thead>
          <tr>
            <th scope="col">Asset</th>
            {columns.map((day) => (
              <th scope="col">
                <a
                  href={addressOf(view, '/reconciliation', { day_from: day, day_to: day })}
                  title={`${dayInWords(day)}${day === today ? ', so far' : ''}`}
                >
                  {weekdays.format(Date.parse(day))} {Number(day.slice(8))}
                </a>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {assets.slice(0, mostAssets).map((asset_id) => (
            <tr>
              <th scope="row">
                <TextLink to={['/reconciliation', { asset_id }]} text={asset_id} none="not sent" most={20} />
              </th>
              {columns.map((day) => (
                <td>
                  {gaps.includes(day) ? (
                    <span title="not observed">?</span>
                  ) : (
                    <Square row={rows.find((row) => row.day === day && row.asset_id === asset_id)} />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {assets.length > mostAssets && (
        <p class="soft">{grouped(assets.length - mostAssets)} more assets: each day lists all.</p>
      )}
    </div>
  );
}

function Square({ row }: { readonly row: ReconciledDay | undefined }) {
  const view = useView();
  if (row === undefined) return null;
  const { word, tone } = explanationOf(row);
  const { unexplained_difference: difference } = row;
  const said = tone === 'bad' && isSome(difference) ? `${word}: ${difference.slice(0, 40)}` : word;
  const to = dayPath(row);
  if (to === null) return <span title={said}>{signs[tone]}</span>;
  return (
    <a class={tone} href={addressOf(view, to)} aria-label={said} title={tone === 'good' ? undefined : said}>
      {signs[tone]}
    </a>
  );
}

interface DayTableProps {
  readonly isOfOne: boolean;
  readonly rows: readonly ReconciledDay[];
  readonly caption: string;
}

export function DayTable({ isOfOne, rows, caption }: DayTableProps) {
  if (rows.length === 0) return null;
  const shown = isOfOne ? columns.slice(1) : columns;
  const noun = isOfOne ? 'asset' : 'figure';
  return <Table caption={caption} noun={noun} columns={shown} rows={byUrgency(rows)} isLinked />;
}

const columns: readonly Column<ReconciledDay>[] = [
  { title: 'Day', cell: (row) => <TextLink to={dayPath(row)} text={row.day} /> },
  plainColumn('Asset', (row) => <TextLink to={dayPath(row)} text={row.asset_id} none="not sent" most={60} />),
  amountColumn('Opening balance', (row) => row.opening_balance),
  amountColumn('In', (row) => row.inflow),
  amountColumn('Out', (row) => row.outflow),
  amountColumn('Fees', (row) => row.fees),
  amountColumn('Staking', (row) => row.staking_rewards),
  amountColumn('Closing balance', (row) => row.closing_balance),
  amountColumn('Not explained', (row) => row.unexplained_difference, { signed: true }),
  column('Explained?', (row) => {
    const { word, tone, why } = explanationOf(row);
    return (
      <>
        <Badge word={word} tone={tone} />
        {row.is_explained === null && <div class="small">{why}</div>}
        {isSome(row.timing_difference) && <div class="small">partly timing</div>}
      </>
    );
  }),
];
