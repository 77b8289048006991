// One asset on one day, down to the postings.
import type { Ask, ReconciledDay, Snapshot } from '../api/ask.ts';
import { onOneLine } from '../api/words.ts';
import { type Page, parametersOf } from '../page/page.ts';
import { Badge, List, Notice, UnknownNotice } from '../parts/notice.tsx';
import { Link, Moment, UntrustedText } from '../parts/values.tsx';
import { dayInWords, dayLater, daysBetween, todayOf } from '../view/moments.ts';
import { isSome } from '../view/numbers.ts';
import { Corrections, observed, postings, uncertainPostings } from './observed.tsx';
import { SumOfDay } from './sum-of-day.tsx';
import { dayPath, explanationOf } from './words.tsx';

const ofDay = parametersOf('listReconciliation', 'day_from', 'asset_id');

/** The first that an address can hold. */
const earliestDay = '1970-01-01';

export const reconciliationDayPage: Page = {
  path: '/reconciliation/:day/:asset_id',
  section: 'reconciliation',
  about: ['balances', 'transactions'],
  parameters: {
    day: { ...ofDay.day_from, in: 'path', required: true },
    asset_id: { ...ofDay.asset_id, in: 'path', required: true },
    ...parametersOf('listReconciledPostings', 'cursor'),
  },
  async show({ params: { day = '', asset_id = '', cursor }, view, ask }) {
    const title = `${onOneLine(asset_id).slice(0, 100)} on ${dayInWords(day)}`;
    const query = { day_from: day, day_to: day, asset_id };
    // Today's closing observation still changes: so all parts of the page show one state.
    const today = await todayOf(ask, view.now);
    const isOver = day < today;
    const near = day > today ? [] : await daysAround(ask, day);
    const askDay: Ask['cached'] = isOver
      ? ask.cached
      : async (id, asked) => ({ ...(await ask(id, asked)), askedAt: view.now });
    const days = await askDay('listReconciliation', { ...query, limit: 1 });
    const [row] = days.data;
    if (row === undefined) {
      const content = [
        <UnknownNotice
          title="Not known"
          why="No balances were observed on this day, or neither the balances nor a transaction of this day name the asset."
        />,
        around(day, near, asset_id),
      ];
      return { title, status: near.includes(day) ? 200 : 404, isPast: true, content };
    }
    const correctionsQuery = { ...query, limit: 100 };
    const corrections = await askDay('listLateCorrections', correctionsQuery);
    const opening = await observationOf(ask, row.opening_observed_at);
    const closing = await observationOf(ask, row.closing_observed_at);
    const [oldest] = [days.askedAt, corrections.askedAt].sort();
    return {
      title,
      isPast: true,
      actions: (
        <span class="soft">
          <UntrustedText text={row.asset_name} none="" most={40} /> · computed <Moment at={oldest} as="age" />
        </span>
      ),
      content: [
        <Verdict row={row} />,
        around(day, near, asset_id),
        <SumOfDay row={row} opening={opening} closing={closing} />,
        await postings(ask, row, cursor),
        await uncertainPostings(ask, row, opening),
        await observed(ask, row, closing),
        <Corrections rows={corrections.data} query={correctionsQuery} />,
      ],
    };
  },
};

/** The observation with this snapshot_at, for its answer: from then on it counts. */
async function observationOf(ask: Ask, at: string | null): Promise<Snapshot | null> {
  if (at === null) return null;
  const query = { vault_type: 'all', snapshot_from: at, sort: 'snapshot_at', limit: 1 } as const;
  const [found] = (await ask('listSnapshots', query)).data;
  return found?.snapshot_at === at ? found : null;
}

function Verdict({ row }: { readonly row: ReconciledDay }) {
  const { word, tone, why, hints } = explanationOf(row);
  const { unexplained_difference: difference, asset_id } = row;
  const amount = difference?.replace('-', '');
  const search = [
    'Look for it: ',
    <Link to={['/transactions', { asset_id, amount_from: amount, amount_to: amount }]}>
      transactions with exactly this amount
    </Link>,
    ', ',
    <Link to="/sync/quarantine">records that could not be read</Link>,
    '.',
  ];
  return (
    <Notice tone={tone} title={[`${why} `, <Badge word={word} tone={tone} />]}>
      {hints.length > 0 && <List items={[...hints, isSome(difference) && search]} />}
    </Notice>
  );
}

async function daysAround(ask: Ask, day: string): Promise<readonly string[]> {
  const before = dayLater(day, -1);
  const known = await daysBetween(ask, before < earliestDay ? earliestDay : before, dayLater(day, 1));
  return known.map((each) => each.day);
}

function around(day: string, near: readonly string[], asset_id: string) {
  const [before, after] = [dayLater(day, -1), dayLater(day, 1)];
  const chips = [
    ['Day before', near.includes(before) && dayPath({ day: before, asset_id })],
    ['Day after', near.includes(after) && dayPath({ day: after, asset_id })],
    ['Latest days of this asset', ['/reconciliation', { asset_id }]],
    ['All assets of this day', ['/reconciliation', { day_from: day, day_to: day }]],
  ] as const;
  return (
    <p class="chips">
      {chips.map(
        ([word, to]) =>
          to && (
            <Link isChip to={to}>
              {word}
            </Link>
          ),
      )}
    </p>
  );
}
