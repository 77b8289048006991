// What each change of a transaction did to the balance of the day, and which of them may lie on either side
// of an observation.

import type { Ask } from '../api/ask.ts';
import type { ReconciledDay, ReconciliationPosting, Snapshot, UncertainPosting } from '../api/interface.ts';
import { dayThatHolds } from '../page/days.ts';
import { Amount } from '../parts/amount.tsx';
import { Badge } from '../parts/notice.tsx';
import { amountColumn, type Column, Table, transactionColumn } from '../parts/table.tsx';
import { Between, Moment, UntrustedText } from '../parts/values.tsx';
import { isSome } from '../view/numbers.ts';

type Posting = ReconciliationPosting | UncertainPosting;

const shownAtOnce = 100;

export async function postings(ask: Ask, row: ReconciledDay, cursor: string | undefined) {
  const query = { ...ofDay(row.day, row), limit: shownAtOnce };
  const { data, next_cursor } = await ask('listReconciledPostings', { ...query, cursor });
  const isWhole = cursor === undefined && next_cursor === null;
  const sums = [row.inflow, row.outflow, row.fees].map((sum) => <Amount value={sum} />);
  return (
    <Table
      id="postings"
      caption="Postings"
      noun="posting"
      columns={columns}
      rows={data as readonly Posting[]}
      empty={
        row.opening_observed_at === null
          ? 'Without an observation before this day there is no period to count in.'
          : 'No transaction changed the balance between the two observations.'
      }
      source={{ path: '/v1/reconciliation/postings', query }}
      next={next_cursor}
      totals={isWhole ? ['Sum', '', '', ...sums, ''] : undefined}
    />
  );
}

function ofDay(day: string, { asset_id }: ReconciledDay) {
  return { day_from: day, day_to: day, asset_id, sort: 'day' } as const;
}

const columns: readonly Column<Posting>[] = [
  { title: 'When', cell: (row) => <Between after={row.observed_after} by={row.observed_at} /> },
  transactionColumn(),
  { title: 'What', cell: whatOf },
  amountColumn('In', (row) => row.inflow),
  amountColumn('Out', (row) => row.outflow),
  amountColumn('Fee', (row) => row.fee),
  {
    title: 'Change',
    isNumber: true,
    cell: (row) => (
      <>
        <Amount value={row.total_change} signed />
        {isSome(row.staked_change) && (
          <div class="small soft">
            staked <Amount value={row.staked_change} signed />
          </div>
        )}
      </>
    ),
  },
];

function whatOf({ transaction_type, kind, from_status, to_status }: Posting) {
  return (
    <>
      <UntrustedText text={transaction_type} none="not sent" most={40} />{' '}
      {kind === 'correction' ? (
        <Badge word="corrected" tone="note" />
      ) : (
        <span class="small">
          {from_status === null ? 'first seen' : <UntrustedText text={from_status} most={40} />} →{' '}
          <UntrustedText text={to_status} most={40} />
        </span>
      )}
    </>
  );
}

/** They are computed where balances differ from the flows, and named then. */
export async function uncertainPostings(ask: Ask, row: ReconciledDay, opening: Snapshot | null) {
  const dayBefore = opening === null ? null : await dayThatHolds(ask, opening.answered_at);
  const ends = [
    ['opening', row.opening_observed_at, row.uncertain_at_opening, dayBefore],
    ['closing', row.closing_observed_at, row.uncertain_at_closing, row.day],
  ] as const;
  const shown = [];
  for (const [name, at, moved, day] of ends) {
    if (!isSome(moved) || day === null) continue;
    const query = { ...ofDay(day, row), limit: shownAtOnce };
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
          columns={columns}
          rows={data as readonly Posting[]}
          empty="None."
          source={{ path: '/v1/reconciliation/uncertain', query }}
          below={next_cursor !== null && <p>These are the first {shownAtOnce}.</p>}
        />
      </section>,
    );
  }
  return shown;
}
