// The document around every page: navigation, search, the pill of freshness, the reader's preferences, and
// the scripts.

import type { Child } from 'hono/jsx';
import { capitalized, onOneLine } from '../api/words.ts';
import { Choice } from '../parts/form.tsx';
import { Icon } from '../parts/icon.tsx';
import { List } from '../parts/notice.tsx';
import { Link } from '../parts/values.tsx';
import { accountZone, addressOf, choices, sameWith, useView, type View, ViewProvider } from '../view/view.ts';
import { PastBanner } from './as-of.tsx';
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
        <Foot version={version} />
      </body>
    </html>
  );
}

function Foot({ version }: Pick<DocumentParts, 'version'>) {
  const view = useView();
  const links = [
    <a href="/api">Read API</a>,
    <Link to="/status.json">Status as JSON</Link>,
    <a href="/metrics">Metrics</a>,
    `custody-mirror ${version}`,
  ];
  return (
    <footer>
      <p class="printed">
        Times in {view.zone}. Page: <bdi>{sameWith(view, {})}</bdi>
      </p>
      <Choices />
      <List items={links} />
    </footer>
  );
}

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
