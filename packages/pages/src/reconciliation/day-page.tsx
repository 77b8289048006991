// One asset on one day, down to the postings.

import type { Child } from 'hono/jsx';
import type * as api from '../api/ask.ts';
import { onOneLine } from '../api/words.ts';
import { type Content, parametersOf } from '../page/page.ts';
import { Bar } from '../parts/drawings.tsx';
import { Chips } from '../parts/form.tsx';
import { Badge, List, Notice, UnknownNotice } from '../parts/notice.tsx';
import { type Column, column, Table } from '../parts/table.tsx';
import { Amount, Between, Link, Moment, UntrustedText } from '../parts/values.tsx';
import { dayInWords, dayLater, daysBetween, dayThatHolds, todayOf } from '../view/moments.ts';
import { isSome, negated, perMille, sumOf } from '../view/numbers.ts';
import { assetPath } from '../view/view.ts';
import { dayPath, explanationOf } from './list-page.tsx';

const ofOneDay = parametersOf('listReconciliation', 'day_from', 'asset_id');

/** The first that an address can hold. */
const earliestDay = '1970-01-01';
const notNamed =
  'No balances were observed on this day, or neither the balances nor a transaction of this day name the asset.';

export const reconciliationDayPage: Content = {
  parameters: {
    day: { ...ofOneDay.day_from, in: 'path', required: true },
    asset_id: { ...ofOneDay.asset_id, in: 'path', required: true },
    ...parametersOf('listReconciledPostings', 'cursor'),
  },
  async show({ params: { day = '', asset_id = '', cursor }, view, ask }) {
    const title = `${onOneLine(asset_id).slice(0, 100)} on ${dayInWords(day)}`;
    const query = { day_from: day, day_to: day, asset_id };
    // Today's closing observation still changes: so all parts of the page show one state.
    const today = await todayOf(ask, view.now);
    const isOver = day < today;
    const before = day > earliestDay ? dayLater(day, -1) : day;
    const known = day > today ? [] : await daysBetween(ask, before, dayLater(day, 1));
    const near = known.map((each) => each.day);
    const askDay: api.Ask['cached'] = isOver
      ? ask.cached
      : async (id, asked) => ({ ...(await ask(id, asked)), askedAt: view.now });
    const days = await askDay('listReconciliation', { ...query, limit: 1 });
    const [row] = days.data;
    if (row === undefined) {
      const content = [<UnknownNotice title="Not known" why={notNamed} />, around(day, near, asset_id)];
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
        verdict(row),
        around(day, near, asset_id),
        sumOfDay(row, opening, closing),
        await postings(ask, row, cursor),
        await uncertainPostings(ask, row, opening),
        await observed(ask, row, closing),
        <Table
          id="corrections"
          caption="Late corrections"
          noun="figure"
          columns={correctionColumns}
          rows={corrections.data}
          empty="No correction to this day's settled transactions was observed after it ended."
          source={{ path: '/v1/late-corrections', query: correctionsQuery }}
        />,
      ],
    };
  },
};

/** The observation with this snapshot_at, for its answer: from then on it counts. */
async function observationOf(ask: api.Ask, at: string | null): Promise<api.Snapshot | null> {
  if (at === null) return null;
  const query = { vault_type: 'all', snapshot_from: at, sort: 'snapshot_at', limit: 1 } as const;
  const [found] = (await ask('listSnapshots', query)).data;
  return found?.snapshot_at === at ? found : null;
}

function verdict(row: Day) {
  const { word, tone, why, hints } = explanationOf(row);
  const { unexplained_difference: difference, asset_id } = row;
  const amount = difference?.replace('-', '');
  const exactly = ['/transactions', { asset_id, amount_from: amount, amount_to: amount }] as const;
  const search = (
    <>
      Look for it: <Link to={exactly}>transactions with exactly this amount</Link>,{' '}
      <Link to="/sync/quarantine">records that could not be read</Link>.
    </>
  );
  return (
    <Notice tone={tone} title={[`${why} `, <Badge word={word} tone={tone} />]}>
      {hints.length > 0 && <List items={[...hints, isSome(difference) && search]} />}
    </Notice>
  );
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
      <Chips links={chips} />
    </p>
  );
}

// From the opening balance to the closing one, as a calculation, and as bars that are its waterfall.

interface Line {
  readonly what: Child;
  readonly sign?: '+' | '−' | '=';
  readonly value: string | null;
  /** Decimal text of the levels between which the bar lies; `from` the edge without one. */
  readonly from?: string | null;
  readonly to: string | null;
  readonly color: 'grey-500' | 'accent' | 'good' | 'bad';
}

type Day = api.ReconciledDay;
type Observation = api.Snapshot | null;

function sumOfDay(row: Day, opening: Observation, closing: Observation) {
  const lines = linesOf(row, opening, closing);
  const bars = bridge(lines);
  const query = { day_from: row.day, day_to: row.day, asset_id: row.asset_id };
  const amount = column.amount('Amount', ({ value }: Line) => value);
  const signed = ({ sign }: Line) => sign && <span class="soft">{`${sign}\u00a0`}</span>;
  const columns: readonly Column<Line>[] = [
    column.of('What', ({ what }) => what),
    { ...amount, cell: (line) => [signed(line), amount.cell(line)] },
    column.plain('Bridge', (line) => bars[lines.indexOf(line)]),
  ];
  return (
    <Table
      id="sum"
      caption={`From opening to closing balance, in ${onOneLine(row.asset_id ?? 'an unknown asset').slice(0, 40)}`}
      isCounted
      columns={columns}
      rows={lines}
      source={{ path: '/v1/reconciliation', query }}
    />
  );
}

function linesOf(row: Day, opening: Observation, closing: Observation): readonly Line[] {
  const { asset_id, opening_balance: opened, closing_balance: closed, expected_balance: expected } = row;
  const { unexplained_difference: unexplained } = row;
  let level = opened;
  const added = (what: string, value: string | null): Line => {
    const from = level;
    level = sumOf([from, value]);
    return { what, sign: '+', value, from, to: level, color: 'good' };
  };
  const taken = (what: string, value: string | null): Line => ({
    ...added(what, negated(value)),
    sign: '−',
    value,
    color: 'bad',
  });
  const aside = (what: string, value: string | null): readonly Line[] =>
    isSome(value) ? [{ what, value, from: null, to: null, color: 'bad' }] : [];
  const begun = ['Opening balance', seenAt(asset_id, row.opening_observed_at, opening)];
  const ended = ['Closing balance', seenAt(asset_id, row.closing_observed_at, closing)];
  const before = sumOf([closed, negated(unexplained)]);
  return [
    { what: begun, value: opened, to: opened, color: 'grey-500' },
    added('Came in', row.inflow),
    taken('Went out', row.outflow),
    taken('Fees', row.fees),
    added('Staking rewards, inferred', row.staking_rewards),
    { what: 'Expected balance', sign: '=', value: expected, to: expected, color: 'accent' },
    { what: ended, value: closed, to: closed, color: 'accent' },
    ...aside('Staking losses', row.staking_losses),
    ...aside('Of the difference, timing', row.timing_difference),
    { what: 'Not explained', sign: '=', value: unexplained, from: before, to: closed, color: 'bad' },
  ];
}

/** An observation counts from its answer on. */
function seenAt(asset_id: string | null, at: string | null, snapshot: Observation) {
  if (at === null) return <div class="small">never observed before</div>;
  const to = snapshot && (['/balances', { at: snapshot.answered_at, asset_id }] as const);
  const link = <Link to={to}>{['observed ', <Moment at={at} />]}</Link>;
  return <div class="small">{link}</div>;
}

/** Room at the left, so that the least level has a length too. */
const edge = 150;

function bridge(steps: readonly Line[]): readonly Child[] {
  const levels = steps.flatMap(({ from, to }) => [from, to].flatMap((level) => level ?? []));
  const above = (a: string, b: string) => !(sumOf([a, negated(b)]) ?? '-').startsWith('-');
  const sorted = levels.toSorted((a, b) => (above(a, b) ? 1 : -1));
  const [least = '0', most = '0'] = [sorted[0], sorted.at(-1)];
  const whole = sumOf([most, negated(least)]);
  const at = (level: string) =>
    edge + Math.round(((perMille(sumOf([level, negated(least)]), whole) ?? 1000) * (1000 - edge)) / 1000);
  return steps.map(({ from, to, color }) => {
    if (from === null || to === null) return null;
    const [begin, end] = [from === undefined ? 0 : at(from), at(to)];
    return (
      <Bar>
        <rect
          x={String(Math.min(begin, end, 995))}
          width={String(from === to ? 0 : Math.max(Math.abs(end - begin), 5))}
          height="12"
          fill={`var(--${color})`}
        />
      </Bar>
    );
  });
}

// What was seen of a day: what each change of a transaction did to the balance, how the balance moved, and
// what the service corrected after the day.

const mostChanges = 200;

const changeColumns: readonly Column<api.BalanceChange>[] = [
  { title: 'When', cell: (row) => <Between after={row.changed_after} by={row.changed_before} /> },
  column.text('What', (row) => row.change),
  ...column.amounts<api.BalanceChange>({ Before: 'total_before', After: 'total_after' }),
  column.amount('Change', (row) => row.total_change, { signed: true }),
];

async function observed(ask: api.Ask, row: Day, closing: Observation) {
  const { asset_id, opening_observed_at: opened, closing_observed_at: closed } = row;
  if (opened === null || closing === null || asset_id === null) return null;
  const span = { changed_from: opened, changed_to: closing.answered_at };
  const query = { vault_type: 'all', asset_id, ...span, sort: 'changed_at', limit: mostChanges } as const;
  const { data, next_cursor } = await ask('listBalanceHistory', query);
  return (
    <Table
      id="observed"
      caption="Observed balance changes"
      noun="change"
      columns={changeColumns}
      rows={data.filter(({ changed_at }) => changed_at > opened && changed_at <= closed)}
      empty="No observation in between showed a different balance."
      source={{ path: '/v1/balances/history', query }}
      below={
        <p class="small">
          {next_cursor === null ? '' : `These are the first ${mostChanges}. `}Look for a change here without a
          posting of the same amount at about that time.{' '}
          <Link to={assetPath(asset_id)}>History of this asset</Link>
        </p>
      }
    />
  );
}

const measures: Readonly<Record<string, string>> = {
  in_amount: 'Came in',
  out_amount: 'Went out',
  fee: 'Fees',
  completed_amount: 'Completed amount',
  unsuccessful_amount: 'Amount not completed',
  completed: 'Number completed',
  rejected: 'Number rejected',
  cancelled: 'Number cancelled',
  failed: 'Number failed',
};

const correctionColumns: readonly Column<api.LateCorrection>[] = [
  { title: 'Figure', cell: ({ measure }) => measures[measure] ?? measure },
  column.text('Type', (row) => row.transaction_type, { none: 'not sent', most: 40 }),
  ...column.amounts<api.LateCorrection>({ 'At the end of the day': 'as_reported', Now: 'as_known_now' }),
  column.amount('Difference', (row) => row.difference, { signed: true }),
  { title: 'Seen', cell: (row) => <Moment at={row.corrected_at} /> },
  column.text('Why', ({ reason }) => reason.replace(/answer|fee rule/g, 'another $&')),
];

type Posting = api.ReconciliationPosting | api.UncertainPosting;

const mostPostings = 100;

async function postings(ask: api.Ask, row: Day, cursor: string | undefined) {
  const query = { ...ofDay(row.day, row), limit: mostPostings };
  const found = await ask('listReconciledPostings', { ...query, cursor });
  const isWhole = cursor === undefined && found.next_cursor === null;
  const sums = [row.inflow, row.outflow, row.fees].map((sum) => <Amount value={sum} />);
  return (
    <Table
      id="postings"
      caption="Postings"
      noun="posting"
      columns={postingColumns}
      rows={found}
      empty={
        row.opening_observed_at === null
          ? 'Without an observation before this day there is no period to count in.'
          : 'No transaction changed the balance between the two observations.'
      }
      source={{ path: '/v1/reconciliation/postings', query }}
      totals={isWhole ? ['Sum', '', '', ...sums, ''] : undefined}
    />
  );
}

function ofDay(day: string, { asset_id }: Day) {
  return { day_from: day, day_to: day, asset_id, sort: 'day' } as const;
}

const postingColumns: readonly Column<Posting>[] = [
  { title: 'When', cell: (row) => <Between after={row.observed_after} by={row.observed_at} /> },
  column.transaction(),
  { title: 'What', cell: whatOf },
  ...column.amounts<Posting>({ In: 'inflow', Out: 'outflow', Fee: 'fee' }),
  column.number('Change', (row) => [
    <Amount value={row.total_change} signed />,
    isSome(row.staked_change) && (
      <div class="small soft">
        staked <Amount value={row.staked_change} signed />
      </div>
    ),
  ]),
];

function whatOf({ transaction_type, kind, from_status, to_status }: Posting) {
  const from = from_status === null ? 'first seen' : <UntrustedText text={from_status} most={40} />;
  const step = [from, ' → ', <UntrustedText text={to_status} most={40} />];
  return [
    <UntrustedText text={transaction_type} none="not sent" most={40} />,
    ' ',
    kind === 'correction' ? <Badge word="corrected" tone="note" /> : <span class="small">{step}</span>,
  ];
}

/** They are computed, and named, only if balances differ from the flows. */
async function uncertainPostings(ask: api.Ask, row: Day, opening: Observation) {
  const dayBefore = opening === null ? null : await dayThatHolds(ask, opening.answered_at);
  const ends = [
    ['opening', row.opening_observed_at, row.uncertain_at_opening, dayBefore],
    ['closing', row.closing_observed_at, row.uncertain_at_closing, row.day],
  ] as const;
  const shown = [];
  for (const [name, at, moved, day] of ends) {
    if (!isSome(moved) || day === null) continue;
    const query = { ...ofDay(day, row), limit: mostPostings };
    const { data, next_cursor } = await ask('listUncertainPostings', query);
    shown.push(
      <section id={`uncertain-${name}`}>
        <p>
          These may belong on either side of the {name} observation of <Moment at={at} />: the balances were
          read between the two reads that bound the change. Together they moved{' '}
          <Amount value={moved} unit={row.asset_id} />.
        </p>
        <Table
          caption={`Uncertain at the ${name} observation`}
          noun="posting"
          columns={postingColumns}
          rows={data as readonly Posting[]}
          empty="None."
          source={{ path: '/v1/reconciliation/uncertain', query }}
          below={next_cursor !== null && <p>These are the first {mostPostings}.</p>}
        />
      </section>,
    );
  }
  return shown;
}
