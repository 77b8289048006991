// A judgement in one word, and boxes that say what matters: what needs a person, what is unknown, what is wrong.
import type { Child } from 'hono/jsx';
import type { Judgement, Tone } from '../../../status/words.ts';

export function Badge({ word, tone }: Judgement) {
  return <span class={`pill ${tone}`}>{word}</span>;
}

export function Notice({
  tone,
  title,
  children,
}: {
  readonly tone: Tone;
  readonly title: string;
  readonly children?: Child;
}) {
  return (
    <section class={`verdict ${tone}`}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** Unknown is said: it is neither zero nor empty. */
export function UnknownNotice({ title, why }: { readonly title: string; readonly why: string }) {
  return (
    <Notice tone="note" title={title}>
      <p>{why}</p>
    </Notice>
  );
}
