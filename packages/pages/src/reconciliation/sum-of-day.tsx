// From the opening balance to the closing one, as a calculation.

import { onOneLine } from '../../../../src/domain/words.ts';
import type { ReconciledDay, Snapshot } from '../api/interface.ts';
import { Amount, placesOf } from '../parts/amount.tsx';
import { bridge, type Step } from '../parts/bridge.tsx';
import { negated, sumOf } from '../parts/sums.ts';
import { type Column, Table } from '../parts/table.tsx';
import { Link, Moment } from '../parts/values.tsx';
import { isSome } from '../view/numbers.ts';

interface SumProps {
  readonly row: ReconciledDay;
  readonly opening: Snapshot | null;
  readonly closing: Snapshot | null;
}

interface Line extends Step {
  readonly what: string;
  readonly sign?: '+' | '−' | '=';
  readonly value: string | null;
  readonly of?: Observation;
}

interface Observation {
  readonly at: string | null;
  readonly snapshot: Snapshot | null;
}

export function SumOfDay(props: SumProps) {
  const { row } = props;
  const lines = linesOf(props);
  const bars = bridge(lines);
  const query = { day_from: row.day, day_to: row.day, asset_id: row.asset_id };
  const columns: readonly Column<Line>[] = [
    {
      title: 'What',
      cell: ({ what, of }) => (
        <>
          {what}
          {of && <BalancesAt asset_id={row.asset_id} {...of} />}
        </>
      ),
    },
    {
      title: 'Amount',
      isNumber: true,
      places: ({ value }) => placesOf(value),
      cell: ({ sign, value }) => (
        <>
          {sign && <span class="soft">{`${sign}\u00a0`}</span>}
          <Amount value={value} />
        </>
      ),
    },
    { title: 'Bridge', isPlain: true, cell: (line) => bars[lines.indexOf(line)] },
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

function linesOf({ row, opening, closing }: SumProps): readonly Line[] {
  const { opening_balance: opened, closing_balance: closed, expected_balance: expected } = row;
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
  const openedAt = { at: row.opening_observed_at, snapshot: opening };
  const closedAt = { at: row.closing_observed_at, snapshot: closing };
  const before = sumOf([closed, negated(unexplained)]);
  return [
    { what: 'Opening balance', value: opened, of: openedAt, to: opened, color: 'grey-500' },
    added('Came in', row.inflow),
    taken('Went out', row.outflow),
    taken('Fees', row.fees),
    added('Staking rewards, inferred', row.staking_rewards),
    { what: 'Expected balance', sign: '=', value: expected, to: expected, color: 'accent' },
    { what: 'Closing balance', value: closed, of: closedAt, to: closed, color: 'accent' },
    ...aside('Staking losses', row.staking_losses),
    ...aside('Of the difference, timing', row.timing_difference),
    { what: 'Not explained', sign: '=', value: unexplained, from: before, to: closed, color: 'bad' },
  ];
}

/** An observation counts from its answer on. */
function BalancesAt({ asset_id, at, snapshot }: Observation & { readonly asset_id: string | null }) {
  if (at === null) return <div class="small">never observed before</div>;
  return (
    <div class="small">
      <Link to={snapshot && ['/balances', { at: snapshot.answered_at, asset_id }]}>
        observed <Moment at={at} />
      </Link>
    </div>
  );
}
