// As of when the figures of a page hold, and whether they are verified: a pill in the bar of every page, its
// sentences behind it, and a banner where the page shows another moment than now.

import type { Child } from 'hono/jsx';
import { isDay } from '../../../../src/domain/instant.ts';
import type { Resource } from '../../../../src/domain/jobs.ts';
import { agoInWords, capitalized } from '../../../../src/domain/words.ts';
import type { Freshness, Health, Tone } from '../api/interface.ts';
import { Link, Moment } from '../parts/values.tsx';
import { dayInWords } from '../view/days.ts';
import { accountZone, sameWith, useView, type View } from '../view/view.ts';
import { shortTime } from '../view/zone.ts';

interface AsOfProps {
  readonly about: readonly Resource[];
  readonly freshness: readonly Freshness[];
  readonly health: Health | null;
}

export function AsOf({ about, freshness, health }: AsOfProps) {
  const view = useView();
  const isAbout = ({ resource }: Freshness) => (about as readonly string[]).includes(resource);
  // A page about the mirror itself is about all that it reads.
  const rows = about.length === 0 ? freshness : freshness.filter(isAbout);
  return (
    <Pill {...verdictOf(rows, health, view)}>
      <ul>
        {rows.map((row) => (
          <li>
            <ResourceState row={row} />
          </li>
        ))}
        {health === null ? null : (
          <li>
            Health:{' '}
            <Link to="/sync">{health.health === 'attention' ? 'needs attention' : health.health}</Link>
          </li>
        )}
      </ul>
    </Pill>
  );
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
const unverified = ['never-verified', 'verified-long-ago', 'starting', 'never-read', 'too-many-vanished'];

/** The worst that applies to the lists behind the page. */
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

/** The page shows how things were then, and leads to the present. */
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
