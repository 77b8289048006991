// Parts of a whole as one bar, drawn by the server, with each part's name, figure and share below it. Lengths
// are in thousandths and for the eye alone: the exact figures stand beside.
import type { Child } from 'hono/jsx';
import { perMille, shareOf } from '../view/numbers.ts';

export interface Share {
  readonly name: Child;
  /** Decimal text; null where it is unknown: then it has no length. */
  readonly value: string | null;
  /** What stands beside the name. */
  readonly figure: Child;
}

interface BarProps {
  readonly id?: string;
  readonly title: string;
  readonly whole: string | null;
  readonly shares: readonly Share[];
}

const colors = ['accent', 'teal', 'violet', 'good', 'note', 'bad', 'grey-500'];
const colorOf = (index: number) => `var(--${colors[Math.min(index, colors.length - 1)]})`;

/** What is drawn in it has an x and a width in thousandths. */
export function Bar({ children }: { readonly children: Child }) {
  return (
    <svg
      class="bar"
      width="100%"
      height="12"
      viewBox="0 0 1000 12"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

export function StackedBar({ id, title, whole, shares }: BarProps) {
  const lengths = shares.map(({ value }) => Math.max(0, perMille(value, whole) ?? 0));
  const begins = lengths.map((_, index) => lengths.slice(0, index).reduce((sum, each) => sum + each, 0));
  return (
    <div id={id}>
      <h3>{title}</h3>
      <Bar>
        <rect width="1000" height="12" fill="var(--grey-200)" />
        {lengths.map((length, index) =>
          length === 0 ? null : (
            <rect x={String(begins[index])} width={String(length)} height="12" fill={colorOf(index)} />
          ),
        )}
      </Bar>
      <ul class="legend">
        {shares.map(({ name, value, figure }, index) => (
          <li>
            <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
              <circle cx="5" cy="5" r="5" fill={colorOf(index)} />
            </svg>{' '}
            {name} {figure} <span class="soft">{shareOf(value, whole) ?? ''}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
