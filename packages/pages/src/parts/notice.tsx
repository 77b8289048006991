// A judgement in one word, boxes for what matters (needs attention, unknown, wrong),
// and lines of facts.

import type { Child } from 'hono/jsx';
import type { Judgement, Tone } from '../api/interface.ts';
import { Moment, type UntrustedProps, UntrustedText } from './values.tsx';

export function Badge({ word, tone }: Judgement) {
  return <span class={`pill ${tone}`}>{word}</span>;
}

interface NoticeProps {
  readonly id?: string;
  readonly tone: Tone;
  readonly title: Child;
  readonly children?: Child;
}

export function Notice({ id, tone, title, children }: NoticeProps) {
  return (
    <section class={`verdict ${tone}`} id={id}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

interface UnknownProps {
  readonly title: string;
  /** A moment of it, RFC 3339 in UTC, is shown in the reader's zone. */
  readonly why: string;
}

/** Unknown is shown as such: it is neither zero nor empty. */
export function UnknownNotice({ title, why }: UnknownProps) {
  return (
    <Notice tone="note" title={title}>
      <p>
        {why.split(moments).map((part, index) => (index % 2 === 1 ? <Moment at={part} as="both" /> : part))}
      </p>
    </Notice>
  );
}

const moments = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/;

/** Whether the destination was whitelisted when it was paid. */
export function ListedBadge({ isWhitelisted }: { readonly isWhitelisted: boolean | null }) {
  if (isWhitelisted === null) return <Badge word="not known" tone="note" />;
  return isWhitelisted ? (
    <Badge word="whitelisted" tone="good" />
  ) : (
    <Badge word="not whitelisted" tone="bad" />
  );
}

export function Fact({ name, children }: { readonly name: Child; readonly children: Child }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

export function TextFact({ name, ...text }: UntrustedProps & { readonly name: string }) {
  return (
    <Fact name={name}>
      <UntrustedText {...text} />
    </Fact>
  );
}
