// Links to the same page for what people ask most: of another time, with all else as it is.

import { sameWith, useView } from '../view/view.ts';

interface JumpsProps {
  /** What stands before them. */
  readonly label?: string;
  readonly jumps: readonly {
    readonly word: string;
    /** Parameters that differ; null takes one away. */
    readonly to: Readonly<Record<string, string | null>>;
  }[];
}

export function Jumps({ label, jumps }: JumpsProps) {
  const view = useView();
  return (
    <p class="jumps">
      {label === undefined ? null : `${label} `}
      {jumps.map(({ word, to }) => (
        <>
          <a href={sameWith(view, { ...to, cursor: null })}>{word}</a>{' '}
        </>
      ))}
    </p>
  );
}
