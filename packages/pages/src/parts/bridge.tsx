// Steps of a sum as bars, drawn by the server: below each other they are its waterfall. The axis begins near
// the least level, not at zero: a day moves a small part of a balance. Lengths are in thousandths and for the
// eye alone: the exact figures stand beside.
import type { Child } from 'hono/jsx';
import { perMille } from '../view/numbers.ts';
import { Bar } from './bars.tsx';
import { negated, sumOf } from './sums.ts';

export interface Step {
  /** Decimal text of the levels between which the bar lies; `from` the edge without one. */
  readonly from?: string | null;
  readonly to: string | null;
  readonly color: 'grey-500' | 'accent' | 'good' | 'bad';
}

/** Room at the left, so that the least level has a length too. */
const edge = 150;

/** A bar for each step; null where a level is unknown. */
export function bridge(steps: readonly Step[]): readonly Child[] {
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
