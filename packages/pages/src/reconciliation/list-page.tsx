// Whether transactions explain the balances: day by day, asset by asset.
import type { Ask, Day } from '../api/ask.ts';
import { listed } from '../api/words.ts';
import { type Page, parametersOf } from '../page/page.ts';
import { Export } from '../parts/export.tsx';
import { choice, type Field, Filters } from '../parts/form.tsx';
import { UnknownNotice } from '../parts/notice.tsx';
import { Moment } from '../parts/values.tsx';
import { dayInWords, daysBetween } from '../view/moments.ts';
import { accountZone, sameWith, useView } from '../view/view.ts';
import { Calendar, DayTable } from './calendar.tsx';
import { daysReached, type ShownDays, shownDays, verdict, wholeDays } from './words.tsx';

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
