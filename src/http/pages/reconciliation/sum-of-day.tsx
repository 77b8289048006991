// From the opening balance to the closing one, as a calculation.
import type { ReconciledDay, Snapshot } from '../page/api.ts';
import { Amount } from '../parts/amount.tsx';
import { Table } from '../parts/table.tsx';
import { Link, Moment } from '../parts/values.tsx';
import { isSome } from './words.ts';

interface SumProps {
  readonly row: ReconciledDay;
  readonly opening: Snapshot | null;
  readonly closing: Snapshot | null;
}

interface Line {
  readonly what: string;
  readonly sign: '' | '+' | '−' | '=';
  readonly value: string | null;
  /** The observation that it is of. */
  readonly of?: { readonly at: string | null; readonly snapshot: Snapshot | null };
}

export function SumOfDay({ row, opening, closing }: SumProps) {
  return (
    <Table
      id="sum"
      caption="From the opening balance to the closing one"
      noun="line"
      columns={[
        {
          title: 'What',
          cell: ({ what, of }) => (
            <>
              {what}
              {of === undefined ? null : <BalancesAt asset={row.asset_id} {...of} />}
            </>
          ),
        },
        {
          title: 'Amount',
          isNumber: true,
          cell: ({ sign, value }) => (
            <>
              {sign === '' ? null : <span class="soft">{sign} </span>}
              <Amount value={value} unit={row.asset_id} />
            </>
          ),
        },
      ]}
      rows={linesOf(row, opening, closing)}
      source={{
        path: '/v1/reconciliation',
        query: { day_from: row.day, day_to: row.day, asset_id: row.asset_id },
      }}
    />
  );
}

function linesOf(row: ReconciledDay, opening: Snapshot | null, closing: Snapshot | null): readonly Line[] {
  const optional = (what: string, sign: Line['sign'], value: string | null): readonly Line[] =>
    isSome(value) ? [{ what, sign, value }] : [];
  return [
    {
      what: 'Opening balance',
      sign: '',
      value: row.opening_balance,
      of: { at: row.opening_observed_at, snapshot: opening },
    },
    { what: 'Came in', sign: '+', value: row.inflow },
    { what: 'Went out', sign: '−', value: row.outflow },
    { what: 'Fees', sign: '−', value: row.fees },
    { what: 'Rewards of staking, inferred', sign: '+', value: row.staking_rewards },
    { what: 'Balance expected', sign: '=', value: row.expected_balance },
    {
      what: 'Closing balance',
      sign: '',
      value: row.closing_balance,
      of: { at: row.closing_observed_at, snapshot: closing },
    },
    ...optional('Losses of staking', '−', row.staking_losses),
    ...optional('Of the difference, timing', '', row.timing_difference),
    { what: 'Not explained', sign: '=', value: row.unexplained_difference },
  ];
}

interface BalancesAtProps {
  readonly asset: string | null;
  readonly at: string | null;
  readonly snapshot: Snapshot | null;
}

/** An observation counts from its answer on. */
function BalancesAt({ asset, at, snapshot }: BalancesAtProps) {
  if (at === null) return <span class="soft"> never observed before</span>;
  return (
    <span class="soft">
      {' '}
      observed <Moment at={at} />
      {snapshot === null ? null : (
        <>
          {', '}
          <Link to={['/balances', { at: snapshot.answered_at, asset_id: asset }]}>balances then</Link>
        </>
      )}
    </span>
  );
}
