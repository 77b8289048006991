// From the opening balance to the closing one, as a calculation, and as bars that are its waterfall.
import type { Child } from 'hono/jsx';
import type { ReconciledDay, Snapshot } from '../api/ask.ts';
import { onOneLine } from '../api/words.ts';
import { Amount, placesOf } from '../parts/amount.tsx';
import { Bar } from '../parts/drawings.tsx';
import { type Column, column, Table } from '../parts/table.tsx';
import { Link, Moment } from '../parts/values.tsx';
import { isSome, negated, perMille, sumOf } from '../view/numbers.ts';

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
    column('What', ({ what, of }) => [what, of && <BalancesAt asset_id={row.asset_id} {...of} />]),
    {
      title: 'Amount',
      isNumber: true,
      places: ({ value }) => placesOf(value),
      cell: ({ sign, value }) => [
        sign && <span class="soft">{`${sign}\u00a0`}</span>,
        <Amount value={value} />,
      ],
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

export interface Step {
  /** Decimal text of the levels between which the bar lies; `from` the edge without one. */
  readonly from?: string | null;
  readonly to: string | null;
  readonly color: 'grey-500' | 'accent' | 'good' | 'bad';
}

/** Room at the left, so that the least level has a length too. */
const edge = 150;

function bridge(steps: readonly Step[]): readonly Child[] {
  const levels = steps.flatMap(({ from, to }) => [from, to].flatMap((level) => level ?? []));
  const above = (a: string, b: string) => !(sumOf([a, negated(b)]) ?? '-').startsWith('-');
  const [least, most] = [
    levels.reduce((a, b) => (above(a, b) ? b : a), levels[0] ?? '0'),
    levels.reduce((a, b) => (above(a, b) ? a : b), levels[0] ?? '0'),
  ];
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
