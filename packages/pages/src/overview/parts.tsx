// Small parts of the overview: sections, and what is said where transactions are missing.
import type { Child } from 'hono/jsx';
import { type Overview, readState } from './load.ts';

interface PartProps {
  readonly id: string;
  readonly title: string;
  readonly children: Child;
  /** Links to pages that show all of it. */
  readonly more?: Child;
}

export function Part({ id, title, children, more }: PartProps) {
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
      {more === undefined ? null : <p class="beside">{more}</p>}
    </section>
  );
}

/** Says that transactions are missing, while they are read for the first time. */
export function PartOnly({ data, what }: { readonly data: Overview; readonly what: string }) {
  if (readState(data, 'transactions') !== 'in part') return null;
  return <p class="left-out">Not all transactions have been read yet: {what} are incomplete.</p>;
}
