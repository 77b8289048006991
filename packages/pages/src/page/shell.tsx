// The document around every page: navigation, search, the pill of freshness, the reader's preferences, and
// the scripts.

import type { Child } from 'hono/jsx';
import type { Freshness, Health, Resource, Tone } from '../api/ask.ts';
import { agoInWords, capitalized, isDay, onOneLine } from '../api/words.ts';
import { Choice } from '../parts/form.tsx';
import { Icon } from '../parts/icon.tsx';
import { List } from '../parts/notice.tsx';
import { Link, Moment } from '../parts/values.tsx';
import { dayInWords, shortTime } from '../view/moments.ts';
import { accountZone, addressOf, choices, sameWith, useView, type View, ViewProvider } from '../view/view.ts';
import type { Page, Rendered, Section } from './page.ts';

export interface AssetAddresses {
  readonly style: string;
  readonly font: string;
  readonly live: string;
  readonly charts: readonly string[];
}

interface DocumentParts {
  readonly view: View;
  readonly page: Page;
  readonly shown: Rendered;
  readonly assets: AssetAddresses;
  readonly version: string;
  /** The page shows the present: it may be refreshed. */
  readonly isLive: boolean;
  readonly asOf: Child;
}

const sections: readonly (readonly [Section, path: string, name: string])[] = [
  ['overview', '/', 'Overview'],
  ['balances', '/balances', 'Balances'],
  ['transactions', '/transactions', 'Transactions'],
  ['documents', '/documents', 'Vaults and whitelist'],
  ['reconciliation', '/reconciliation', 'Reconciliation'],
  ['sync', '/sync', 'Sync'],
];

const refreshSeconds = 15;

export async function writeDocument(parts: DocumentParts): Promise<string> {
  const document = (
    <ViewProvider value={parts.view}>
      <Shell {...parts} />
    </ViewProvider>
  );
  return `<!doctype html>\n${await document}`;
}

function Shell({ page, shown, assets, version, isLive, asOf }: DocumentParts) {
  const view = useView();
  const { title, content, actions, hasCharts = false } = shown;
  const { theme, rows } = view.preferences;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content={theme === 'auto' ? 'light dark' : theme} />
        <title>{`${title} · ${onOneLine(view.account)} · custody-mirror`}</title>
        <link rel="preload" href={assets.font} as="font" type="font/woff2" crossorigin="" />
        <link rel="stylesheet" href={assets.style} />
        <link rel="icon" href="data:," />
        {hasCharts ? assets.charts.map((address) => <script defer src={address}></script>) : null}
        {isLive ? <script defer src={assets.live}></script> : null}
      </head>
      <body class={rows}>
        <a class="skip" href="#content">
          Skip to the content
        </a>
        <header>
          <details class="menu pages" id="menu">
            <summary aria-label="Pages">
              <Icon name="menu" />
            </summary>
            <div class="panel">
              <Navigation section={page.section} name="Pages in the menu" />
            </div>
          </details>
          <Search />
          {asOf}
        </header>
        <aside class="side" aria-label="Account and pages">
          <p class="brand">custody-mirror</p>
          <Accounts />
          <Navigation section={page.section} name="Pages" />
        </aside>
        <main id="content" tabindex={-1} data-live-every={isLive ? refreshSeconds : undefined}>
          {view.query['at'] === undefined ? null : <PastBanner at={view.query['at']} />}
          <div class="heading">
            <h1>{title}</h1>
            {actions}
          </div>
          {content}
        </main>
        <footer>
          <p class="printed">
            Times in {view.zone}. Page: <bdi>{sameWith(view, {})}</bdi>
          </p>
          <Choices />
          <List items={[...links, `custody-mirror ${version}`]} />
        </footer>
      </body>
    </html>
  );
}

const links = [
  <a href="/api">Read API</a>,
  <Link to="/status.json">Status as JSON</Link>,
  <a href="/metrics">Metrics</a>,
];

function Navigation({ section, name }: { readonly section: Section; readonly name: string }) {
  const view = useView();
  return (
    <nav aria-label={name}>
      <List
        items={sections.map(([id, path, word]) => (
          <a href={addressOf(view, path)} aria-current={id === section ? 'page' : undefined}>
            <Icon name={id} /> {word}
          </a>
        ))}
      />
    </nav>
  );
}

function Accounts() {
  const { accounts, account } = useView();
  if (accounts.length < 2) return <p class="account">{onOneLine(account)}</p>;
  const each = accounts.map(({ account_id: id }) => (
    <Choice name="account" value={id} word={onOneLine(id)} isChosen={id === account} />
  ));
  return (
    <details class="menu account" id="accounts">
      <summary>{onOneLine(account)}</summary>
      <List class="panel" items={[...each, <Link to="/accounts">All accounts</Link>]} />
    </details>
  );
}

function Search() {
  const { query } = useView();
  return (
    <search>
      <form method="get" action="/transactions">
        {query['account'] === undefined ? null : (
          <input type="hidden" name="account" value={query['account']} />
        )}
        <label>
          <Icon name="search" />
          <span class="hidden">Search transactions by identifier, hash, address or note</span>
          <input type="search" name="search" placeholder="Search id, hash, address, note" />
        </label>
        <button type="submit" class="hidden">
          Search
        </button>
      </form>
    </search>
  );
}

function Choices() {
  const view = useView();
  const own = accountZone(view);
  const present: Readonly<Record<string, string>> = view.preferences;
  const words: Readonly<Record<string, string>> = { account: own, utc: 'UTC', short: 'rounded' };
  const items = Object.entries(choices).map(([name, values]) => {
    if (name === 'zone' && own === 'UTC') return 'Times in UTC';
    const each = values.map((value) => {
      const word = words[value] ?? value;
      return [<Choice name={name} value={value} word={word} isChosen={present[name] === value} />, ' '];
    });
    return [`${capitalized(name)}: `, ...each];
  });
  return <List items={items} />;
}

// As of when the figures of a page hold, and whether they are verified: a pill in the bar of every page, its
// sentences behind it, and a banner where the page shows another moment than now.

interface AsOfProps {
  readonly about: readonly Resource[];
  readonly freshness: readonly Freshness[];
  readonly health: Health | null;
}

export function AsOf({ about, freshness, health }: AsOfProps) {
  const view = useView();
  const isAbout = ({ resource }: Freshness) => (about as readonly string[]).includes(resource);
  const rows = about.length === 0 ? freshness : freshness.filter(isAbout);
  const word = health?.health === 'attention' ? 'needs attention' : health?.health;
  const states = rows.map((row) => <ResourceState row={row} />);
  return (
    <Pill {...verdictOf(rows, health, view)}>
      <List items={[...states, health && ['Health: ', <Link to="/sync">{word}</Link>]]} />
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
const unverified = ['never-verified', 'verified-long-ago', 'starting', 'never-read', 'too-many-missing'];

type Verdict = Omit<PillProps, 'children'>;

function verdictOf(rows: readonly Freshness[], health: Health | null, view: View): Verdict {
  const read = rows.flatMap(({ is_mirrored, last_success_at: at }) => (is_mirrored ? [at] : []));
  if (read.length === 0 || read.includes(null)) return { tone: 'note', says: 'Not read completely yet' };
  const oldest = read.flatMap((at) => at ?? []).toSorted()[0] ?? view.now;
  const jobs = rows.map(({ resource }) => (resource === 'transactions' ? 'reconcile' : 'documents'));
  const about = new Set<string>(['account', ...jobs, ...rows.map(({ resource }) => resource)]);
  const problems = (health?.problems ?? []).filter(({ subject }) => about.has(subject));
  const has = (codes: readonly string[]) => problems.find(({ code }) => codes.includes(code));
  if (has(stale) !== undefined || rows.some(({ is_failing, is_mirrored }) => is_mirrored && is_failing))
    return { tone: 'bad', says: `Out of date since ${shortTime(oldest, view)}` };
  // Each reading of these is of the whole list: one since then was not verified.
  const doubtful = rows.filter(
    ({ resource, is_mirrored, last_success_at: at, last_verified_at }) =>
      is_mirrored && resource !== 'transactions' && at !== last_verified_at,
  );
  const isNamed = doubtful.length > 0 && doubtful.length < rows.length && has(unverified) === undefined;
  const verified = (isNamed ? doubtful : rows).map((row) => row.last_verified_at ?? '').toSorted()[0];
  const since = verified ? `since ${shortTime(verified, view)}` : 'yet';
  const names = isNamed ? doubtful.map(({ resource }) => resource).join(', ') : '';
  if (doubtful.length > 0 || has(unverified) !== undefined || verified === '')
    return { tone: 'note', says: capitalized(`${names} not verified ${since}`.trim()) };
  return { tone: 'good', says: `Verified · ${agoInWords(oldest, view.now)}` };
}

function PastBanner({ at }: { readonly at: string }) {
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
