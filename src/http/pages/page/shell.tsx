// The document around every page: navigation, the line on freshness, what the reader may choose, and the
// scripts.
import type { Child } from 'hono/jsx';
import { onOneLine } from '../../../domain/words.ts';
import { Choice } from '../parts/form.tsx';
import { Link } from '../parts/values.tsx';
import { accountZone, addressOf, sameWith, useView, type View, ViewProvider } from '../view/view.ts';
import type { Page, Rendered, Section } from './page.ts';

/** Addresses of what a page loads (assets.ts). */
export interface AssetAddresses {
  readonly style: string;
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
  ['mirror', '/mirror', 'Mirror'],
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
  const { title, content, hasCharts = false } = shown;
  const name = `${title} · ${onOneLine(view.account)} · custody-mirror`;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{name}</title>
        <link rel="stylesheet" href={assets.style} />
        <link rel="icon" href="data:," />
        {hasCharts ? assets.charts.map((address) => <script defer src={address}></script>) : null}
        {isLive ? <script defer src={assets.live}></script> : null}
      </head>
      <body>
        <a class="skip" href="#content">
          Skip to the content
        </a>
        <Header section={page.section} />
        <aside class="freshness" aria-label="As of when the figures hold">
          {asOf}
        </aside>
        <main id="content" tabindex={-1} {...(isLive ? { 'data-live-every': refreshSeconds } : {})}>
          <h1>{title}</h1>
          {content}
        </main>
        <footer>
          <p class="printed">
            Times in {view.zone}. Page: <bdi>{sameWith(view, {})}</bdi>
          </p>
          <Choices />
          <ul class="choices">
            <li>
              <a href="/api">Read API</a>
            </li>
            <li>
              <Link to="/status.json">Status as JSON</Link>
            </li>
            <li>
              <a href="/metrics">Metrics</a>
            </li>
            <li>custody-mirror {version}</li>
          </ul>
        </footer>
      </body>
    </html>
  );
}

function Header({ section }: { readonly section: Section }) {
  const view = useView();
  return (
    <header>
      <p class="brand">
        custody-mirror <span class="soft">{onOneLine(view.account)}</span>
      </p>
      <nav aria-label="Pages">
        <ul>
          {sections.map(([id, path, word]) => (
            <li>
              <a href={addressOf(view, path)} {...(id === section ? { 'aria-current': 'page' } : {})}>
                {word}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <search>
        <form class="search" method="get" action="/transactions">
          {view.query['account'] === undefined ? null : (
            <input type="hidden" name="account" value={view.query['account']} />
          )}
          <label>
            <span class="hidden">Search transactions by identifier, hash, address or note</span>
            <input type="search" name="search" placeholder="Id, hash, address, note" />
          </label>
          <button type="submit">Search</button>
        </form>
      </search>
    </header>
  );
}

/** What the reader may choose, as links: each is remembered. */
function Choices() {
  const view = useView();
  const { preferences, accounts, account } = view;
  const own = accountZone(view);
  return (
    <ul class="choices">
      {own === 'UTC' ? (
        <li>Times in UTC</li>
      ) : (
        <li>
          Times in <Choice name="zone" value="account" word={own} isChosen={preferences.zone === 'account'} />{' '}
          or <Choice name="zone" value="utc" word="UTC" isChosen={preferences.zone === 'utc'} />
        </li>
      )}
      <li>
        Digits:{' '}
        <Choice name="digits" value="short" word="cut short" isChosen={preferences.digits === 'short'} /> or{' '}
        <Choice name="digits" value="all" word="all" isChosen={preferences.digits === 'all'} />
      </li>
      {accounts.length < 2 ? null : (
        <li>
          Account:{' '}
          {accounts.map(({ account_id }) => (
            <>
              <Choice
                name="account"
                value={account_id}
                word={onOneLine(account_id)}
                isChosen={account_id === account}
              />{' '}
            </>
          ))}
        </li>
      )}
    </ul>
  );
}
