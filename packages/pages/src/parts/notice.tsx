// A verdict in one word, boxes for what matters (needs attention, unknown, wrong), lines of facts, and types
// and statuses of transactions in words, the same on all pages.
import type { Child } from 'hono/jsx';
import type { Judgement, Tone } from '../api/ask.ts';
import { onOneLine, stuckAfterHours } from '../api/words.ts';
import { Moment } from './values.tsx';

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

/** @param props `why`: a moment of it, RFC 3339 in UTC, is shown in the reader's zone */
export function UnknownNotice({ title, why }: { readonly title: string; readonly why: string }) {
  return (
    <Notice tone="note" title={title}>
      <p>
        {why.split(moments).map((part, index) => (index % 2 === 1 ? <Moment at={part} as="both" /> : part))}
      </p>
    </Notice>
  );
}

const moments = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/;

export function ListedBadge({ isWhitelisted }: { readonly isWhitelisted: boolean | null }) {
  const [word, tone] = listings[String(isWhitelisted) as keyof typeof listings];
  return <Badge word={word} tone={tone} />;
}

const listings = {
  true: ['whitelisted', 'good'],
  false: ['not whitelisted', 'bad'],
  null: ['not known', 'note'],
} as const;

interface ListProps {
  readonly class?: string;
  /** False and null are left out. */
  readonly items: readonly Child[];
}

export function List({ items, ...how }: ListProps) {
  return <ul {...how}>{items.map((item) => item && <li>{item}</li>)}</ul>;
}

export type Fact = readonly [name: Child, ...what: Child[]];

/** Facts by name; false and null are left out. */
export function Facts({ of }: { readonly of: readonly (Fact | false | null)[] }) {
  return (
    <dl>
      {of.map((fact) => {
        if (!fact) return null;
        const [name, ...what] = fact;
        return [<dt>{name}</dt>, <dd>{what}</dd>];
      })}
    </dl>
  );
}

export const typeWords: readonly (readonly [type: string, word: string])[] = [
  ['deposit', 'Deposit'],
  ['withdraw', 'Withdrawal'],
  ['rebalance', 'Internal transfer'],
  ['stake', 'Stake'],
  ['unstake', 'Unstake'],
  ['claim', 'Claim of rewards'],
  ['change pool', 'Change of pool'],
];

const words = new Map(typeWords);

export function typeInWords(type: string | null): string {
  if (type === null || type === '') return 'Transaction of unknown type';
  return words.get(type) ?? onOneLine(type).slice(0, 60);
}

const tones = new Map<string, Tone>([
  ['completed', 'good'],
  ['rejected', 'bad'],
  ['failed', 'bad'],
  ['cancelled', 'plain'],
]);

/** A status as a badge: open and undocumented ones stand out. */
export function statusJudgement(status: string): Judgement {
  return { word: onOneLine(status).slice(0, 60), tone: tones.get(status) ?? 'note' };
}

const stuckMs = stuckAfterHours * 3_600_000;

/** Stuck ones, the oldest first: the filters of their list, to the minute. */
export function stuckOnly(now: string) {
  const since = Math.floor((Date.parse(now) - stuckMs) / 60_000) * 60_000;
  return { is_open: 'true', first_seen_to: new Date(since).toISOString(), sort: 'first_seen_at' };
}

export function isStuck(
  { first_seen_at }: { readonly first_seen_at: string },
  { now }: { readonly now: string },
): boolean {
  return Date.parse(now) - Date.parse(first_seen_at) >= stuckMs;
}
