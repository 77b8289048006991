// Whether transactions explain the balances: day by day, asset by asset.
import type { Ask, Day, ReconciledDay } from '../api/ask.ts';
import { grouped, listed } from '../api/words.ts';
import { type Page, parametersOf } from '../page/page.ts';
import { choice, type Field, Filters } from '../parts/form.tsx';
import { Badge, UnknownNotice } from '../parts/notice.tsx';
import { type Column, column, Export, Table } from '../parts/table.tsx';
import { Moment, TextLink } from '../parts/values.tsx';
import { dayInWords, daysBetween } from '../view/moments.ts';
import { isSome } from '../view/numbers.ts';
import { accountZone, addressOf, sameWith, useView } from '../view/view.ts';
import {
  byUrgency,
  dayPath,
  daysReached,
  explanationOf,
  type ShownDays,
  shownDays,
  verdict,
  wholeDays,
} from './words.tsx';

const mostRows = 500;
const { day_to } = parametersOf('listReconciliation', 'day_to');

const fields: readonly Field[] = [
  { name: 'day_from', label: 'From', kind: 'day' },
  { name: 'day_to', label: 'To', kind: 'day' },
  { name: 'asset_id', label: 'Asset' },
  choice('is_explained', 'Explained', { false: 'not explained', unknown: 'not known', true: 'explained' }),
];

export const reconciliationPage: Page = {
  path: '/reconciliation',
  section: 'reconciliation',
  about: ['balances', 'transactions'],
  parameters: {
    ...parametersOf('listReconciliation', ...fields.map(({ name }) => name), 'cursor'),
    shown_to: day_to,
  },
  async show({ params, view, ask }) {
    const { asset_id, is_explained, cursor } = params;
    const span = await shownDays(ask, view, params);
    const query = { asset_id, is_explained, day_from: span.first, day_to: span.last };
    const asked = { ...query, cursor, limit: mostRows };
    const { data, next_cursor, askedAt } = await ask.cached('listReconciliation', asked);
    const isOfAll = asset_id === undefined && is_explained === undefined;
    const found = { rows: data, hasMore: next_cursor !== null };
    const shown = isOfAll && cursor === undefined ? wholeDays(span, found) : span;
    const rows = found.rows.filter(({ day }) => day >= shown.first);
    const next = shown === span ? next_cursor : null;
    const isWhole = next === null && cursor === undefined;
    const isCalendar = isWhole && isOfAll && shown.first < shown.last && rows.length > 0;
    const days = daysReached(shown, { rows, hasMore: next !== null, isNext: cursor !== undefined });
    const known = await daysBetween(ask, span.first, span.last);
    const withRow = new Set(rows.map((row) => row.day));
    const without = days.filter((each) => !withRow.has(each));
    const gaps = await gapsOf(ask, without, known);
    const zones = [...new Set(known.map(({ time_zone }) => time_zone))].join(' and ');
    const day = shown.first === shown.last ? shown.first : null;
    const open = rows.filter((row) => row.is_explained !== true);
    const { day_from = span.first, day_to = span.last } = params;
    const source = { path: '/v1/reconciliation', query };
    return {
      title: 'Reconciliation',
      actions: rows.length > 0 && (
        <Export source={source} whole={{ ...query, day_from, day_to }} name="Reconciliation" />
      ),
      content: [
        <p class="soft">
          The opening balance plus the day’s transactions should equal the closing balance. Days are those of{' '}
          {zones || accountZone(view)}. Computed <Moment at={askedAt} as="age" />.
        </p>,
        <Filters label="Reconciliation" fields={fields} />,
        isWhole && isOfAll && verdict(rows, shown),
        isCalendar && <Calendar today={shown.today} days={days} rows={rows} gaps={gaps} />,
        gaps.length > 0 && (
          <p>
            {listed(gaps.map(dayInWords))}. Not known: no balances were observed on{' '}
            {gaps.length === 1 ? 'this day' : 'these days'}. The next observed day is counted from the last
            observation before.
          </p>
        ),
        rows.length + gaps.length === 0 && <NothingShown shown={shown} hasMore={next !== null} />,
        day !== null && rows[0] && (
          <p class="soft">
            {rows[0].opening_observed_at === null
              ? 'No observation before this day'
              : ['From the balances of ', <Moment at={rows[0].opening_observed_at} />]}{' '}
            to those of <Moment at={rows[0].closing_observed_at} />.
          </p>
        ),
        <DayTable
          isOfOne={day !== null}
          caption={
            day !== null ? `Assets of ${day}` : isCalendar ? 'Not explained or not known' : 'Assets by day'
          }
          rows={isCalendar ? open : rows}
        />,
        <Onward shown={shown} next={next} />,
      ],
    };
  },
};

/** Days without a row: before the first or after the last known day, not searched yet, or without a match. */
function NothingShown({ shown, hasMore }: { readonly shown: ShownDays; readonly hasMore: boolean }) {
  if (shown.first > shown.today)
    return <UnknownNotice title="Not known" why="These days are in the future." />;
  const why = `This account has been mirrored since ${dayInWords(shown.first)}.`;
  if (shown.first > shown.last) return <UnknownNotice title="Not known" why={why} />;
  if (!hasMore) return <p>No asset matches on any of these days.</p>;
  return (
    <p>Nothing matched so far, but not all of these days were searched. Continue with the link below.</p>
  );
}

async function gapsOf(ask: Ask, days: readonly string[], known: readonly Day[]): Promise<readonly string[]> {
  const gaps = [];
  for (const day of days) {
    const of = known.find((each) => each.day === day);
    const span = { snapshot_from: of?.starts_at, snapshot_to: of?.ends_at };
    const observed = of && (await ask('listSnapshots', { vault_type: 'all', ...span, limit: 1 })).data;
    if (!observed?.length) gaps.push(day);
  }
  return gaps;
}

function Onward({ shown, next }: { readonly shown: ShownDays; readonly next: string | null }) {
  const view = useView();
  const isFirst = view.query['cursor'] === undefined && view.query['shown_to'] === undefined;
  const to = sameWith(view, { cursor: next, shown_to: next === null ? shown.earlier : shown.last });
  return (
    <p class="beside">
      {isFirst ? null : <a href={sameWith(view, { cursor: null, shown_to: null })}>First page</a>}
      {next === null && shown.earlier === null ? null : (
        <a rel="next" href={to}>
          {next === null ? 'Earlier days' : 'More of these days'}
        </a>
      )}
    </p>
  );
}

// The days by asset: a square for each, which leads to the day with its bridge; and the same as rows. What
// needs attention comes first, and each state has its own sign besides its colour.

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

function Calendar({ days, rows, gaps, today }: CalendarProps) {
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

function DayTable({ isOfOne, rows, caption }: DayTableProps) {
  if (rows.length === 0) return null;
  const shown = isOfOne ? columns.slice(1) : columns;
  const noun = isOfOne ? 'asset' : 'figure';
  return <Table caption={caption} noun={noun} columns={shown} rows={byUrgency(rows)} isLinked />;
}

const columns: readonly Column<ReconciledDay>[] = [
  { title: 'Day', cell: (row) => <TextLink to={dayPath(row)} text={row.day} /> },
  column.plain('Asset', (row) => (
    <TextLink to={dayPath(row)} text={row.asset_id} none="not sent" most={60} />
  )),
  column.amount('Opening balance', (row) => row.opening_balance),
  column.amount('In', (row) => row.inflow),
  column.amount('Out', (row) => row.outflow),
  column.amount('Fees', (row) => row.fees),
  column.amount('Staking', (row) => row.staking_rewards),
  column.amount('Closing balance', (row) => row.closing_balance),
  column.amount('Not explained', (row) => row.unexplained_difference, { signed: true }),
  column.of('Explained?', (row) => {
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
