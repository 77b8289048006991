// Whether transactions explain the balances: day by day, asset by asset.
import type { Ask, Day, Judgement, Params, ReconciledDay } from '../api/ask.ts';
import { counted, grouped, listed, pathSegment } from '../api/words.ts';
import { type Content, parametersOf } from '../page/page.ts';
import { choice, type Field, Filters } from '../parts/form.tsx';
import { Badge, Notice, UnknownNotice } from '../parts/notice.tsx';
import { type Column, column, Export, Table } from '../parts/table.tsx';
import { Moment, TextLink } from '../parts/values.tsx';
import { dayInWords, dayLater, daysBetween, dayThatHolds, todayOf } from '../view/moments.ts';
import { isSome } from '../view/numbers.ts';
import { accountOf, accountZone, addressOf, sameWith, type View } from '../view/view.ts';

const mostRows = 500;
const { day_to } = parametersOf('listReconciliation', 'day_to');

const fields: readonly Field[] = [
  { name: 'day_from', label: 'From', kind: 'day' },
  { name: 'day_to', label: 'To', kind: 'day' },
  { name: 'asset_id', label: 'Asset' },
  choice('is_explained', 'Explained', { false: 'not explained', unknown: 'not known', true: 'explained' }),
];

export const reconciliationPage: Content = {
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
        isCalendar && calendar(days, rows, gaps, view, shown.today),
        gaps.length > 0 && (
          <p>
            {listed(gaps.map(dayInWords))}. Not known: no balances were observed on{' '}
            {gaps.length === 1 ? 'this day' : 'these days'}. The next observed day is counted from the last
            observation before.
          </p>
        ),
        rows.length + gaps.length === 0 && nothingShown(shown, next !== null),
        day !== null && rows[0] && (
          <p class="soft">
            {rows[0].opening_observed_at === null
              ? 'No observation before this day'
              : ['From the balances of ', <Moment at={rows[0].opening_observed_at} />]}{' '}
            to those of <Moment at={rows[0].closing_observed_at} />.
          </p>
        ),
        day !== null && dayTable(rows, `Assets of ${day}`, true),
        day === null && isCalendar && dayTable(open, 'Not explained or not known', false),
        day === null && !isCalendar && dayTable(rows, 'Assets by day', false),
        onward(view, shown, next),
      ],
    };
  },
};

/** Days without a row: before the first or after the last known day, not searched yet, or without a match. */
function nothingShown(shown: ShownDays, hasMore: boolean) {
  if (shown.first > shown.today)
    return <UnknownNotice title="Not known" why="These days are in the future." />;
  const why = `This account has been mirrored since ${dayInWords(shown.first)}.`;
  if (shown.first > shown.last) return <UnknownNotice title="Not known" why={why} />;
  const unsearched = 'Nothing matched so far, but not all of these days were searched.';
  return (
    <p>
      {hasMore ? `${unsearched} Continue with the link below.` : 'No asset matches on any of these days.'}
    </p>
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

function onward(view: View, shown: ShownDays, next: string | null) {
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

/** @param days the latest first */
function calendar(
  days: readonly string[],
  rows: readonly ReconciledDay[],
  gaps: readonly string[],
  view: View,
  today: string,
) {
  const assets = [...new Set(byUrgency(rows).map(({ asset_id }) => asset_id))];
  const columns = days.toReversed();
  const head = (day: string) => (
    <a
      href={addressOf(view, '/reconciliation', { day_from: day, day_to: day })}
      title={`${dayInWords(day)}${day === today ? ', so far' : ''}`}
    >
      {weekdays.format(Date.parse(day))} {Number(day.slice(8))}
    </a>
  );
  const square = (day: string, asset: string | null) => {
    if (gaps.includes(day)) return <span title="not observed">?</span>;
    const row = rows.find((each) => each.day === day && each.asset_id === asset);
    return row && squareOf(view, row);
  };
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
              <th scope="col">{head(day)}</th>
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
                <td>{square(day, asset_id)}</td>
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

function squareOf(view: View, row: ReconciledDay) {
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

function dayTable(rows: readonly ReconciledDay[], caption: string, isOfOne: boolean) {
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
  ...column.from(1280, ...column.amounts<ReconciledDay>({ In: 'inflow', Out: 'outflow' })),
  ...column.from(1280, ...column.amounts<ReconciledDay>({ Fees: 'fees', Staking: 'staking_rewards' })),
  column.amount('Closing balance', (row) => row.closing_balance),
  column.amount('Not explained', (row) => row.unexplained_difference, { signed: true }),
  column.of('Explained?', (row) => {
    const { word, tone, why } = explanationOf(row);
    return [
      <Badge word={word} tone={tone} />,
      row.is_explained === null && <div class="small">{why}</div>,
      isSome(row.timing_difference) && <div class="small">partly timing</div>,
    ];
  }),
];

// The reconciliation in words, for the days of a page and for an asset on a day. A page shows some days at a
// time, because each is computed when it is asked for.

const daysAtOnce = 14;

type ShownDays = Awaited<ReturnType<typeof shownDays>>;

/**
 * @param params the chosen days, and `shown_to`, the last day of the page
 * @returns `earlier`: the last day of the page before it in time; null when the chosen days end here
 */
async function shownDays(ask: Ask, view: View, { day_from, day_to, shown_to }: Params) {
  const began = accountOf(view)?.first_seen_at;
  const today = await todayOf(ask, view.now);
  const last = [today, day_to, shown_to].flatMap((day) => day ?? []).sort()[0] ?? today;
  const firstDay = began === undefined ? null : await dayThatHolds(ask, began);
  const earliest = [firstDay ?? '1970-01-01', day_from ?? ''].sort().at(-1) ?? '';
  const first = [dayLater(last, 1 - daysAtOnce), earliest].sort().at(-1) ?? last;
  return { first, last, earlier: first > earliest ? dayLater(first, -1) : null, today };
}

interface Found {
  readonly rows: readonly ReconciledDay[];
  /** There is a next page, with the days after the last row. */
  readonly hasMore: boolean;
  readonly isNext: boolean;
}

/** The days that the page reached, from the last to the first. */
function daysReached({ first, last }: ShownDays, { rows, hasMore, isNext }: Found): readonly string[] {
  const [newest, oldest] = [rows[0]?.day, rows.at(-1)?.day];
  const days = [];
  for (let day = (isNext ? newest : undefined) ?? last; day >= first; day = dayLater(day, -1)) days.push(day);
  return hasMore ? days.filter((day) => oldest !== undefined && day >= oldest) : days;
}

/** The shown days of which the page has all rows; if there is none, the days as they are. */
function wholeDays(shown: ShownDays, { rows, hasMore }: Omit<Found, 'isNext'>): ShownDays {
  const cut = rows.at(-1)?.day;
  if (!hasMore || cut === undefined || cut >= shown.last) return shown;
  return { ...shown, first: dayLater(cut, 1), earlier: cut };
}

function verdict(rows: readonly ReconciledDay[], shown: ShownDays) {
  if (rows.length === 0) return null;
  const count = (state: boolean | null) => rows.filter(({ is_explained }) => is_explained === state).length;
  const [bad, unknown] = [count(false), count(null)];
  const days = [...new Set([shown.first, shown.last])].map(dayInWords);
  const doubt = unknown > 0 ? `, ${grouped(unknown)} not known` : '';
  const title = {
    bad: `${counted(bad, 'difference')} without an explanation`,
    note: `${counted(unknown, 'figure')} not known, all others explained`,
    good: 'Transactions explain every balance',
  };
  const tone = bad > 0 ? 'bad' : unknown > 0 ? 'note' : 'good';
  return (
    <Notice tone={tone} title={title[tone]}>
      <p>
        {days.join(' to ')}: {grouped(count(true))} of{' '}
        {counted(rows.length, days.length === 1 ? 'asset' : 'figure')} explained{doubt}.
      </p>
    </Notice>
  );
}

interface Explanation extends Judgement {
  readonly why: string;
  readonly hints: readonly string[];
}

export function explanationOf(row: ReconciledDay): Explanation {
  const hints = hintsOf(row);
  if (row.is_explained === null) return { word: 'not known', tone: 'note', why: unknown(row), hints };
  if (!row.is_explained) return { word: 'not explained', tone: 'bad', why: lost(row), hints };
  const why = 'Transactions explain the balance to the last digit.';
  return { word: 'explained', tone: 'good', why, hints };
}

function hintsOf(row: ReconciledDay): readonly string[] {
  const { is_explained, unexplained_difference: difference } = row;
  const isOff = is_explained === false && isSome(difference);
  return [
    is_explained === true &&
      isSome(row.staking_rewards) &&
      'Staked and claimable balances grew without a transaction. This counts as staking rewards.',
    is_explained === true &&
      isSome(row.timing_difference) &&
      'Part of the difference is timing: a change appeared in the balances before or after it appeared in the transactions. Neighbouring observations cancel it exactly.',
    is_explained === false &&
      isSome(row.staking_losses) &&
      'Staked or claimable balances fell without a transaction: possibly slashing, or a claim that the service does not list.',
    isOff &&
      (difference.startsWith('-')
        ? 'An outgoing transaction may be missing from the service’s list, or be in quarantine because it could not be read; or a fee was paid in a different asset than the fee rules say.'
        : 'A deposit or reward may be missing from the service’s list, or be in quarantine because it could not be read; or a fee counted here was paid in a different asset.'),
    isOff &&
      'If the difference equals the amount of one transaction, the service may have booked it twice, or not at all.',
    is_explained === null &&
      unknown(row) === undecided &&
      'Later observations and a later read of the transactions will settle it.',
    !row.is_comparable &&
      'Not all transactions had been read before the opening observation: some may be missing here.',
  ].filter((hint) => hint !== false);
}

function lost({ unexplained_difference: difference }: ReconciledDay): string {
  if (difference === null) return 'Something was lost; how much is not known.';
  if (!isSome(difference)) return 'Staked balances fell without a transaction.';
  return difference.startsWith('-')
    ? 'More went out than transactions explain.'
    : 'More came in than transactions explain.';
}

const undecided =
  'Undecided: transactions close to an observation may belong on either side of it, or the transactions have not been read since.';

function unknown(row: ReconciledDay): string {
  if (row.opening_observed_at === null)
    return 'Balances were not observed before this day, so there is no opening balance.';
  if (row.opening_balance === null || row.closing_balance === null)
    return 'One of the two balances could not be read.';
  if (row.inflow === null || row.outflow === null || row.fees === null)
    return 'The service sent no amount for one of the transactions.';
  return undecided;
}

/** First what needs attention, then what is unknown; assets from A to Z, the latest day first. */
function byUrgency(rows: readonly ReconciledDay[]): readonly ReconciledDay[] {
  const rank = ({ is_explained }: ReconciledDay) =>
    is_explained === false ? 0 : is_explained === null ? 1 : 2;
  return rows.toSorted(
    (a, b) =>
      rank(a) - rank(b) ||
      (a.asset_id ?? '').localeCompare(b.asset_id ?? '', 'en') ||
      b.day.localeCompare(a.day, 'en'),
  );
}

export function dayPath({ day, asset_id: asset }: Pick<ReconciledDay, 'day' | 'asset_id'>): string | null {
  return asset ? `/reconciliation/${day}/${pathSegment(asset)}` : null;
}
