// From the opening balance to the closing one, as a calculation.

import { onOneLine } from '../../../domain/words.ts';
import type { ReconciledDay, Snapshot } from '../page/api.ts';
import { Amount, placesOf } from '../parts/amount.tsx';
import { bridge, type Step } from '../parts/bridge.tsx';
import { negated, sumOf } from '../parts/sums.ts';
import { type Column, Table } from '../parts/table.tsx';
import { Link, Moment } from '../parts/values.tsx';
import { isSome } from './words.ts';

interface SumProps {
  readonly row: ReconciledDay;
  readonly opening: Snapshot | null;
  readonly closing: Snapshot | null;
}

interface Line extends Step {
  readonly what: string;
  readonly sign?: '+' | '−' | '=';
  readonly value: string | null;
  /** The observation that it is of. */
  readonly of?: { readonly at: string | null; readonly snapshot: Snapshot | null };
}

export function SumOfDay({ row, opening, closing }: SumProps) {
  const lines = linesOf(row, opening, closing);
  const bars = bridge(lines);
  const columns: readonly Column<Line>[] = [
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
      places: ({ value }) => placesOf(value),
      cell: ({ sign, value }) => (
        <>
          {sign === undefined ? null : <span class="soft">{`${sign}\u00a0`}</span>}
          <Amount value={value} />
        </>
      ),
    },
    { title: 'Bridge', isPlain: true, cell: (line) => bars[lines.indexOf(line)] },
  ];
  return (
    <Table
      id="sum"
      caption={`From the opening balance to the closing one, in ${onOneLine(row.asset_id ?? 'an unknown asset').slice(0, 40)}`}
      isCounted
      columns={columns}
      rows={lines}
      source={{
        path: '/v1/reconciliation',
        query: { day_from: row.day, day_to: row.day, asset_id: row.asset_id },
      }}
    />
  );
}

function linesOf(row: ReconciledDay, opening: Snapshot | null, closing: Snapshot | null): readonly Line[] {
  const { opening_balance: opened, closing_balance: closed, expected_balance: expected } = row;
  const [came, went] = [sumOf([opened, row.inflow]), sumOf([opened, row.inflow, negated(row.outflow)])];
  const paid = sumOf([went, negated(row.fees)]);
  const optional = (what: string, value: string | null, line: Pick<Line, 'sign'> = {}): readonly Line[] =>
    isSome(value) ? [{ what, value, from: null, to: null, color: 'bad', ...line }] : [];
  const unexplained = row.unexplained_difference;
  return [
    {
      what: 'Opening balance',
      value: opened,
      of: { at: row.opening_observed_at, snapshot: opening },
      to: opened,
      color: 'grey-500',
    },
    { what: 'Came in', sign: '+', value: row.inflow, from: opened, to: came, color: 'good' },
    { what: 'Went out', sign: '−', value: row.outflow, from: came, to: went, color: 'bad' },
    { what: 'Fees', sign: '−', value: row.fees, from: went, to: paid, color: 'bad' },
    {
      what: 'Rewards of staking, inferred',
      sign: '+',
      value: row.staking_rewards,
      from: paid,
      to: sumOf([paid, row.staking_rewards]),
      color: 'good',
    },
    { what: 'Balance expected', sign: '=', value: expected, to: expected, color: 'accent' },
    {
      what: 'Closing balance',
      value: closed,
      of: { at: row.closing_observed_at, snapshot: closing },
      to: closed,
      color: 'accent',
    },
    ...optional('Losses of staking', row.staking_losses, { sign: '−' }),
    ...optional('Of the difference, timing', row.timing_difference),
    {
      what: 'Not explained',
      sign: '=',
      value: unexplained,
      from: sumOf([closed, negated(unexplained)]),
      to: closed,
      color: 'bad',
    },
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
