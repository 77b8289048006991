// Whether transactions explain the balances: day by day, asset by asset.
import type { Given } from '../../api/answer/parameters.ts';
import type { Day, ReconciledDay } from '../page/api.ts';
import type { Ask } from '../page/ask.ts';
import { daysBetween } from '../page/days.ts';
import { type Page, parametersOf } from '../page/page.ts';
import { Export } from '../parts/export.tsx';
import { type Field, Filters } from '../parts/form.tsx';
import { UnknownNotice } from '../parts/notice.tsx';
import { Moment } from '../parts/values.tsx';
import { dayInWords } from '../view/days.ts';
import { accountZone, sameWith, useView } from '../view/view.ts';
import { DayTable } from './day-table.tsx';
import { daysAtOnce, daysDown, type ShownDays, shownDays, Verdict } from './days.tsx';

const mostRows = 500;
const { day_to } = parametersOf('listReconciliation', 'day_to');

const fields: readonly Field[] = [
  { name: 'day_from', label: 'From', kind: 'day' },
  { name: 'day_to', label: 'To', kind: 'day' },
  { name: 'asset_id', label: 'Asset' },
  {
    name: 'is_explained',
    label: 'Explained',
    choices: Object.entries({ false: 'not explained', unknown: 'not known', true: 'explained' }),
  },
];

export const reconciliationPage: Page = {
  path: '/reconciliation',
  section: 'reconciliation',
  about: ['balances', 'transactions'],
  parameters: {
    ...parametersOf('listReconciliation', ...fields.map(({ name }) => name), 'cursor'),
    shown_to: day_to,
  },
  async show({ given, view, ask, askCached }) {
    const { asset_id, is_explained, cursor } = given;
    const shown = await shownDays(ask, view, given);
    const query = { asset_id, is_explained, day_from: shown.first, day_to: shown.last };
    const { answer, askedAt } = await askCached('listReconciliation', {
      ...query,
      cursor,
      limit: mostRows,
    });
    const { data, next_cursor } = answer;
    const days = await daysBetween(ask, shown.first, shown.last);
    const groups = await daysShown(ask, days, {
      given,
      shown,
      rows: data,
      hasMore: next_cursor !== null,
      isCached: askedAt < view.now,
    });
    return {
      title: 'Reconciliation',
      content: (
        <>
          <p>
            The balance before a day, and what transactions did to it, must give the balance at its end. Days
            are those of {zonesOf(days) || accountZone(view)}. Computed <Moment at={askedAt} as="age" />.
          </p>
          <Filters label="Reconciliation" fields={fields} />
          <Verdict
            rows={data}
            shown={shown}
            isWhole={next_cursor === null && cursor === undefined}
            given={given}
          />
          {groups.length > 0 ? null : <NothingShown shown={shown} hasMore={next_cursor !== null} />}
          {groups.map((group) => (
            <section id={`day-${group.day}`}>
              <h2>
                {dayInWords(group.day)} {group.day === shown.today ? 'so far' : ''}
              </h2>
              {group.rows.length === 0 ? (
                <p>{group.none}</p>
              ) : (
                <>
                  <Ends row={group.rows[0]} />
                  <DayTable day={group.day} rows={group.rows} />
                </>
              )}
            </section>
          ))}
          <Onward shown={shown} next={next_cursor} query={query} />
        </>
      ),
    };
  },
};

/** Days that no row tells of: outside the mirror's time, not reached yet, or without a match. */
function NothingShown({ shown, hasMore }: { readonly shown: ShownDays; readonly hasMore: boolean }) {
  if (shown.first > shown.last) {
    const isToCome = shown.first > shown.today;
    const why = isToCome
      ? 'has not reached these days yet'
      : `watches this account since ${dayInWords(shown.first)}`;
    return <UnknownNotice title="Not known" why={`The mirror ${why}.`} />;
  }
  return hasMore ? (
    <p>Nothing matched so far, and not all of these days were reached: go on with the link below.</p>
  ) : (
    <p>No asset matches on any of these days.</p>
  );
}

interface Group {
  readonly day: string;
  readonly rows: readonly ReconciledDay[];
  /** What a day without rows says. */
  readonly none: string;
}

interface Found {
  readonly given: Given;
  readonly shown: ShownDays;
  readonly rows: readonly ReconciledDay[];
  /** There is a next page, with the days behind the last row. */
  readonly hasMore: boolean;
  /** The rows were computed for a page before. */
  readonly isCached: boolean;
}

async function daysShown(
  ask: Ask,
  days: readonly Day[],
  { given, shown, rows, hasMore, isCached }: Found,
): Promise<readonly Group[]> {
  const [newest, oldest] = [rows[0]?.day, rows.at(-1)?.day];
  const isOnThisPage = (day: string) =>
    (!hasMore || (oldest !== undefined && day >= oldest)) &&
    (given['cursor'] === undefined || newest === undefined || day <= newest);
  const isOfAll = given['asset_id'] === undefined && given['is_explained'] === undefined;
  const groups: Group[] = [];
  for (const day of daysDown(shown).filter(isOnThisPage)) {
    const own = rows.filter((row) => row.day === day);
    const isObserved =
      own.length > 0 ||
      (await wasObserved(
        ask,
        days.find((each) => each.day === day),
      ));
    // Nothing of the day matches the filters: then there is nothing to say of it.
    if (own.length === 0 && isObserved && !(isCached && isOfAll)) continue;
    const none = isObserved
      ? 'Not computed yet: the balances were observed since. Load the page again.'
      : 'Not known: the mirror did not observe the balances on this day. The next day that it did counts from the observation before.';
    groups.push({ day, rows: own, none });
  }
  return groups;
}

/** The time zones of the days, such as `UTC and Europe/Berlin` where it changed. */
function zonesOf(days: readonly Day[]): string {
  return [...new Set(days.map(({ time_zone }) => time_zone))].join(' and ');
}

async function wasObserved(ask: Ask, day: Day | undefined): Promise<boolean> {
  if (day === undefined) return false;
  const span = { snapshot_from: day.starts_at, snapshot_to: day.ends_at };
  return (await ask('listSnapshots', { vault_type: 'all', ...span, limit: 1 })).data.length > 0;
}

function Ends({ row }: { readonly row: ReconciledDay | undefined }) {
  if (row === undefined) return null;
  return (
    <p class="soft">
      {row.opening_observed_at === null ? (
        'No observation before this day'
      ) : (
        <>
          From the balances of <Moment at={row.opening_observed_at} />
        </>
      )}{' '}
      to those of <Moment at={row.closing_observed_at} />.
    </p>
  );
}

interface OnwardProps {
  readonly shown: ShownDays;
  readonly next: string | null;
  readonly query: Readonly<Record<string, string | undefined>>;
}

function Onward({ shown, next, query }: OnwardProps) {
  const view = useView();
  const { day_from, day_to } = view.query;
  const whole = { ...query, day_from: day_from ?? shown.first, day_to: day_to ?? shown.last };
  const isFirst = view.query['cursor'] === undefined && view.query['shown_to'] === undefined;
  return (
    <p class="beside">
      {isFirst ? null : <a href={sameWith(view, { cursor: null, shown_to: null })}>First page</a>}
      {next !== null ? (
        <a rel="next" href={sameWith(view, { cursor: next, shown_to: shown.last })}>
          More of these days
        </a>
      ) : shown.earlier === null ? null : (
        <a rel="next" href={sameWith(view, { cursor: null, shown_to: shown.earlier })}>
          {daysAtOnce} earlier days
        </a>
      )}
      <Export source={{ path: '/v1/reconciliation', query }} whole={whole} name="Reconciliation" />
    </p>
  );
}
