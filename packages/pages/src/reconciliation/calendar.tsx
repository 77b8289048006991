// The days by asset: a square for each, which leads to the day with its bridge. What needs attention comes
// first, and each state has a sign of its own beside its colour.

import { grouped } from '../../../../src/domain/words.ts';
import type { ReconciledDay } from '../api/interface.ts';
import { TextLink } from '../parts/values.tsx';
import { dayInWords } from '../view/days.ts';
import { isSome } from '../view/numbers.ts';
import { addressOf, useView } from '../view/view.ts';
import { byUrgency, dayPath, explanationOf } from './words.ts';

/** More would weigh too much, and nobody reads them at once: each day lists all. */
const mostAssets = 40;
const signs: Readonly<Record<string, string>> = { good: '✓', bad: '✗', note: '?' };
const weekdays = new Intl.DateTimeFormat('en-GB', { weekday: 'short', timeZone: 'UTC' });

interface CalendarProps {
  /** The latest first. */
  readonly days: readonly string[];
  readonly rows: readonly ReconciledDay[];
  /** The day that goes on. */
  readonly today: string;
  /** Days on which nothing was observed. */
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
