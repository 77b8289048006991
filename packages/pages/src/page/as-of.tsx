// As of when the figures of a page hold, and whether they are verified: a pill in the bar of every page, its
// sentences behind it, and a banner where the page shows another moment than now.

import type { Child } from 'hono/jsx';
import type { Freshness, Health, Resource, Tone } from '../api/ask.ts';
import { agoInWords, capitalized, isDay } from '../api/words.ts';
import { List } from '../parts/notice.tsx';
import { Link, Moment } from '../parts/values.tsx';
import { dayInWords, shortTime } from '../view/moments.ts';
import { accountZone, sameWith, useView, type View } from '../view/view.ts';

interface AsOfProps {
  readonly about: readonly Resource[];
  readonly freshness: readonly Freshness[];
  readonly health: Health | null;
}

export function AsOf({ about, freshness, health }: AsOfProps) {
  const view = useView();
  const isAbout = ({ resource }: Freshness) => (about as readonly string[]).includes(resource);
  const rows = about.length === 0 ? freshness : freshness.filter(isAbout);
  return (
    <Pill {...verdictOf(rows, health, view)}>
      <List
        items={[...rows.map((row) => <ResourceState row={row} />), health && ['Health: ', healthOf(health)]]}
      />
    </Pill>
  );
}

function healthOf({ health }: Health) {
  return <Link to="/sync">{health === 'attention' ? 'needs attention' : health}</Link>;
}

interface PillProps {
  readonly tone: Tone;
  readonly says: string;
  readonly children: Child;
}

export function Pill({ tone, says, children }: PillProps) {
  return (
    <div class="as-of" id="as-of">
      <details class="menu" id="freshness">
        <summary class={`pill ${tone}`} aria-label={`Freshness: ${says}`}>
          {says}
        </summary>
        <div class="panel">{children}</div>
      </details>
    </div>
  );
}

const stale = ['replica-behind', 'stale', 'stopped', 'key-refused', 'failing', 'nothing-mirrored'];
const unverified = ['never-verified', 'verified-long-ago', 'starting', 'never-read', 'too-many-missing'];

function verdictOf(
  rows: readonly Freshness[],
  health: Health | null,
  view: View,
): Omit<PillProps, 'children'> {
  const read = rows.flatMap(({ is_mirrored, last_success_at: at }) => (is_mirrored ? [at] : []));
  if (read.length === 0 || read.includes(null)) return { tone: 'note', says: 'Not read completely yet' };
  const oldest = read.flatMap((at) => at ?? []).toSorted()[0] ?? view.now;
  const jobs = rows.map(({ resource }) => (resource === 'transactions' ? 'reconcile' : 'documents'));
  const about = new Set<string>(['account', ...jobs, ...rows.map(({ resource }) => resource)]);
  const problems = (health?.problems ?? []).filter(({ subject }) => about.has(subject));
  const has = (codes: readonly string[]) => problems.find(({ code }) => codes.includes(code));
  if (has(stale) !== undefined || rows.some(({ is_failing, is_mirrored }) => is_mirrored && is_failing))
    return { tone: 'bad', says: `Out of date since ${shortTime(oldest, view)}` };
  const doubt = has(unverified);
  const verified = rows.map(({ last_verified_at }) => last_verified_at ?? '').toSorted()[0];
  const since = verified ? `since ${shortTime(verified, view)}` : 'yet';
  if (doubt !== undefined || verified === '') return { tone: 'note', says: `Not verified ${since}` };
  return { tone: 'good', says: `Verified · ${agoInWords(oldest, view.now)}` };
}

export function PastBanner({ at }: { readonly at: string }) {
  const view = useView();
  const zone = isDay(at) ? (view.closed?.time_zone ?? accountZone(view)) : view.zone;
  return (
    <p class="past note" role="note">
      <strong>
        {isDay(at) ? `At the end of ${dayInWords(at)}` : ['As known at ', <Moment at={at} />]} ({zone})
      </strong>
      , not as it is now. <a href={sameWith(view, { at: null, cursor: null })}>Show present data</a>
    </p>
  );
}

function ResourceState({ row }: { readonly row: Freshness }) {
  const { is_mirrored, last_success_at: at, last_verified_at: verified } = row;
  const name = capitalized(row.resource);
  if (!is_mirrored && at === null) return <>{name}: not mirrored</>;
  const read = at === null ? ': not read completely yet' : [' as of ', <Moment at={at} as="both" />, ', '];
  const complete =
    verified === null ? 'not verified yet' : ['verified complete ', <Moment at={verified} as="age" />];
  return (
    <>
      {name}
      {read}
      {at === null ? null : complete}
      {row.is_failing && (
        <strong class="bad">
          , failing, last <Moment at={row.last_failure_at} as="age" />
        </strong>
      )}
      {at === null || is_mirrored ? null : ', no longer mirrored'}
    </>
  );
}
