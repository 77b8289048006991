// What was seen of a day: what each change of a transaction did to the balance, how the balance moved, and
// what the service corrected after the day.
import type * as api from '../api/ask.ts';
import { Amount } from '../parts/amount.tsx';
import { Badge } from '../parts/notice.tsx';
import {
  amountColumn,
  type Column,
  numberColumn,
  Table,
  textColumn,
  transactionColumn,
} from '../parts/table.tsx';
import { Between, Link, Moment, UntrustedText } from '../parts/values.tsx';
import { dayThatHolds } from '../view/moments.ts';
import { isSome } from '../view/numbers.ts';
import { assetPath, type Query } from '../view/view.ts';

const mostChanges = 200;

const changeColumns: readonly Column<api.BalanceChange>[] = [
  { title: 'When', cell: (row) => <Between after={row.changed_after} by={row.changed_before} /> },
  textColumn('What', (row) => row.change),
  amountColumn('Before', (row) => row.total_before),
  amountColumn('After', (row) => row.total_after),
  amountColumn('Change', (row) => row.total_change, { signed: true }),
];

export async function observed(ask: api.Ask, row: api.ReconciledDay, closing: api.Snapshot | null) {
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
  textColumn('Type', (row) => row.transaction_type, { none: 'not sent', most: 40 }),
  amountColumn('At the end of the day', (row) => row.as_reported),
  amountColumn('Now', (row) => row.as_known_now),
  amountColumn('Difference', (row) => row.difference, { signed: true }),
  { title: 'Seen', cell: (row) => <Moment at={row.corrected_at} /> },
  textColumn('Why', ({ reason }) => reason.replace(/answer|fee rule/g, 'another $&')),
];

export function Corrections({
  rows,
  query,
}: {
  readonly rows: readonly api.LateCorrection[];
  readonly query: Query;
}) {
  return (
    <Table
      id="corrections"
      caption="Late corrections"
      noun="figure"
      columns={correctionColumns}
      rows={rows}
      empty="No correction to this day's settled transactions was observed after it ended."
      source={{ path: '/v1/late-corrections', query }}
    />
  );
}

type Posting = api.ReconciliationPosting | api.UncertainPosting;

const mostPostings = 100;

export async function postings(ask: api.Ask, row: api.ReconciledDay, cursor: string | undefined) {
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

function ofDay(day: string, { asset_id }: api.ReconciledDay) {
  return { day_from: day, day_to: day, asset_id, sort: 'day' } as const;
}

const postingColumns: readonly Column<Posting>[] = [
  { title: 'When', cell: (row) => <Between after={row.observed_after} by={row.observed_at} /> },
  transactionColumn(),
  { title: 'What', cell: whatOf },
  amountColumn('In', (row) => row.inflow),
  amountColumn('Out', (row) => row.outflow),
  amountColumn('Fee', (row) => row.fee),
  numberColumn('Change', (row) => [
    <Amount value={row.total_change} signed />,
    isSome(row.staked_change) && (
      <div class="small soft">
        staked <Amount value={row.staked_change} signed />
      </div>
    ),
  ]),
];

function whatOf({ transaction_type, kind, from_status, to_status }: Posting) {
  return [
    <UntrustedText text={transaction_type} none="not sent" most={40} />,
    ' ',
    kind === 'correction' ? (
      <Badge word="corrected" tone="note" />
    ) : (
      <span class="small">
        {from_status === null ? 'first seen' : <UntrustedText text={from_status} most={40} />} →{' '}
        <UntrustedText text={to_status} most={40} />
      </span>
    ),
  ];
}

/** They are computed, and named, only if balances differ from the flows. */
export async function uncertainPostings(ask: api.Ask, row: api.ReconciledDay, opening: api.Snapshot | null) {
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
