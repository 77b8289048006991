// The overview of an account, in the first minutes with the progress of the first sync; and all accounts that
// the reader may see, a line each.

import type { Child } from 'hono/jsx';
import type { Ask, DestinationUse, Health, PortfolioValue, Tone } from '../api/ask.ts';
import { agoInWords, checkedDays, counted, lengthInWords, onOneLine, resources } from '../api/words.ts';
import { type Content, parametersOf } from '../page/page.ts';
import { Badge, isStuck, List, Notice, stuckOnly, UnknownNotice } from '../parts/notice.tsx';
import { type Column, column, ExportHoldings, Table } from '../parts/table.tsx';
import { Link, type LinkProps, Moment, Money, UntrustedText } from '../parts/values.tsx';
import { sumOf } from '../view/numbers.ts';
import { accountOf, useView, type View } from '../view/view.ts';
import { Allocation, Currencies, Flows, Holdings, InProgress, TotalValue } from './lists.tsx';
import { type Checks, currencyOf, loadOverview, type Overview, readState, resourceWords } from './load.ts';

export const overviewPage: Content = {
  parameters: parametersOf('listPortfolioValue', 'currency'),
  async show(request) {
    const { view } = request;
    const data = await loadOverview(request);
    if (data === null && view.query['account'] !== undefined && view.accounts.length > 0)
      // Other accounts are mirrored here: the name in the address is probably wrong, rather than just added.
      return { title: 'Overview', status: 404, content: <UnknownNotice {...noSuchAccount} /> };
    if (data === null) return { title: 'Overview', content: <NothingMirrored /> };
    const ends = data.ends.map(([word, day]) => [`at the end of ${word}`, day] as const);
    return {
      title: 'Overview',
      hasCharts: data.currency !== null,
      // Now, and the known ends of earlier periods.
      actions: <ExportHoldings moments={[['now', undefined], ...ends]} query={{ currency: data.currency }} />,
      content: [
        <FirstReading data={data} />,
        <div class="first">
          {data.currency && <TotalValue data={data} currency={data.currency} />}
          {data.currency === null && data.balances.data.length > 0 && <WithoutPrices data={data} />}
          <Attention data={data} />
        </div>,
        data.currency && <Allocation data={data} currency={data.currency} />,
        <InProgress data={data} />,
        <Holdings data={data} />,
        <Flows data={data} />,
      ],
    };
  },
};

const noSuchAccount = {
  title: 'Unknown account',
  why: 'No account of the name in the address is mirrored here.',
};

function WithoutPrices({ data }: { readonly data: Overview }) {
  const wanted = useView().query['currency'];
  const isOther = wanted !== undefined && data.sums.length > 0;
  return (
    <Notice tone="plain" title={`Value unknown, there are no prices${isOther ? ` in ${wanted}` : ''}`}>
      {isOther ? (
        [<p>There are prices in these currencies:</p>, <Currencies data={data} />]
      ) : (
        <p>
          The custody service sends no prices. Add them to the table <code>custody.asset_prices</code>, and
          this page shows the value of the account and how it changed.
        </p>
      )}
    </Notice>
  );
}

function NothingMirrored() {
  return (
    <Notice tone="plain" title="Nothing is mirrored yet">
      <p>
        This page will show what the account holds and where, what came in and went out, and what needs
        attention. Nothing has been read from this account yet, so its balances are unknown, not zero.
      </p>
      <p>
        If <code>custody-mirror run</code> has just started, the first figures appear here within a minute. If
        they do not, <Link to="/sync">Sync</Link> shows the cause.
      </p>
    </Notice>
  );
}

/** Nothing once everything was read. The pill of freshness says how far each list is. */
function FirstReading({ data }: { readonly data: Overview }) {
  const read = accountOf(useView())?.transactions_total ?? 0;
  const isReading = resources.some((resource) => ['unread', 'in part'].includes(readState(data, resource)));
  if (!isReading) return null;
  const [title, word] =
    data.health.writer === null
      ? ['The first sync has not finished', 'What to do']
      : ['The first sync is in progress', 'Progress'];
  return (
    <Notice id="first-reading" tone="plain" title={title}>
      <p>
        This page shows what has been read so far; anything missing is unknown, not zero.{' '}
        {read > 0 && `${counted(read, 'transaction')} so far. `}
        <Link to="/sync">{word}</Link>
      </p>
    </Notice>
  );
}

/** Each takes two queries: further accounts are found by their name in the address. */
const mostAccounts = 50;
const more = `The first ${mostAccounts}. Open any other at /?account= with its name.`;

type Row = Awaited<ReturnType<typeof rowOf>>;

export const accountsPage: Content = {
  parameters: parametersOf('listPortfolioValue', 'currency'),
  async show({ ask, view, params }) {
    const rows: Row[] = [];
    for (const { account_id: id } of view.accounts.slice(0, mostAccounts)) rows.push(await rowOf(ask, id));
    const sums = rows.flatMap((row) => row.sums);
    const currency = currencyOf(sums, params['currency']);
    return {
      title: 'Accounts',
      actions: <Currencies data={{ sums, currency }} />,
      content: (
        <Table
          caption="Accounts"
          noun="account"
          columns={columnsIn(currency)}
          rows={rows}
          totals={rows.length < view.accounts.length ? undefined : totalsIn(currency, rows)}
          isLinked
          source={{ path: '/v1/accounts' }}
          below={view.accounts.length > mostAccounts && <p class="soft">{more}</p>}
        />
      ),
    };
  },
};

/** `sums`: of all vaults, one for each currency in which there are prices. */
async function rowOf(ask: Ask, id: string) {
  const { data: health } = await ask.known('getHealth', { account: id });
  const query = { account: id, vault_type: 'all', limit: 100 };
  return { id, health, sums: (await ask.known('listPortfolioValue', query)).data };
}

/** What the account holds, as far as it has prices in the currency. */
function valueOfRow({ sums }: Row, currency: string | null): PortfolioValue | undefined {
  return sums.find((row) => row.currency === currency && row.valued > 0);
}

/** The sum of the accounts that have a value in the currency, where there are two at least. */
function totalsIn(currency: string | null, rows: readonly Row[]) {
  const values = rows.flatMap((row) => valueOfRow(row, currency)?.total_value ?? []);
  if (currency === null || values.length < 2) return undefined;
  const of = values.length < rows.length ? ` of ${values.length} with prices` : '';
  return [`Sum${of}`, <Money value={sumOf(values)} currency={currency} />, '', '', ''];
}

const columnsIn = (currency: string | null): readonly Column<Row>[] => [
  column.of('Account', ({ id }) => <a href={`/?account=${encodeURIComponent(id)}`}>{onOneLine(id)}</a>),
  column.number('Value', (row) => {
    const value = valueOfRow(row, currency);
    if (value === undefined) return <span class="soft">no price</span>;
    const left = value.without_price + value.unknown;
    const without = left > 0 && <span class="soft"> without {counted(left, 'balance')}</span>;
    return [<Money value={value.total_value} currency={value.currency} />, without];
  }),
  column.plain('Health', ({ health }) => (
    <Badge word={health?.health ?? 'nothing mirrored yet'} tone={toneOf(health)} />
  )),
  { title: 'Last read', cell: ({ health }) => agoInWords(health?.last_success_at ?? null, useView().now) },
  column.of('Needs attention', ({ health }) => {
    const [first, ...others] = (health?.problems ?? []).filter(({ severity }) => severity !== 'note');
    if (first === undefined) return <span class="soft">–</span>;
    return `${onOneLine(first.problem)}${others.length > 0 ? ` and ${others.length} more` : ''}`;
  }),
];

function toneOf(health: Health | null): Tone {
  if (health === null) return 'plain';
  if (health.health === 'healthy') return 'good';
  return health.problems.some(({ severity }) => severity === 'critical') ? 'bad' : 'note';
}

// Items that need attention, one line each with a link to the page that shows it; and what was checked.

interface Item {
  readonly word: string;
  readonly tone: Tone;
  readonly text: Child;
  readonly to: LinkProps['to'];
}

/** A longer list is not read to its end. */
const mostLines = 5;

function Attention({ data }: { readonly data: Overview }) {
  const view = useView();
  const { checks } = data;
  const listed = [...notWhitelistedItems(checks), ...unexplainedItems(checks)];
  const found = [...problemItems(data), ...stuckItems(view, data), ...listed];
  const needs = found.filter(({ tone }) => tone !== 'plain');
  const items = [...needs, ...found.filter(({ tone }) => tone === 'plain')];
  const shown = items.slice(0, items.length > mostLines ? mostLines - 1 : mostLines);
  const lines = shown.map((item) => [<Badge {...item} />, ' ', <Link to={item.to}>{item.text}</Link>]);
  const more = items.length > shown.length && <Link to="/sync">{items.length - shown.length} more</Link>;
  const isBad = needs.some(({ tone }) => tone === 'bad');
  const open = unansweredOf(data);
  const tone = isBad ? 'bad' : needs.length > 0 ? 'note' : open.length > 0 ? 'plain' : 'good';
  const asked = [checks.notWhitelisted, checks.unexplained].flatMap(({ askedAt }) => askedAt ?? []);
  return (
    <Notice id="attention" tone={tone} title={headline(needs.length, open.length)}>
      {items.length > 0 && <List class="items" items={[...lines, more]} />}
      <details class="small">
        <summary>{open.length > 0 ? 'Checks done and not done' : 'Checks done'}</summary>
        Checked: {checkedOf(checks)}
        <Ago at={asked.toSorted()[0] ?? null} />.
        {open.length > 0 && <strong> Not checked: {open.join('; ')}.</strong>}
      </details>
    </Notice>
  );
}

function headline(needs: number, open: number): string {
  const least = open > 0 ? 'At least ' : '';
  if (needs > 0) return `${least}${counted(needs, 'item')} ${needs === 1 ? 'needs' : 'need'} attention`;
  return open > 0 ? 'Nothing found so far that needs attention' : 'Nothing needs attention';
}

const problemWords: Readonly<Record<string, string>> = {
  quarantine: 'unreadable',
  'key-refused': 'key refused',
  'nothing-mirrored': 'never read',
  'never-read': 'never read',
  'never-verified': 'not verified',
  'verified-long-ago': 'not verified',
  'too-many-missing': 'missing',
  'history-altered': 'altered',
  'sealing-stopped': 'not sealed',
  'clock-behind': 'clock',
  'replica-behind': 'replica',
};

function problemItems({ health }: Overview): readonly Item[] {
  const problems = health.problems.filter(({ severity }) => severity !== 'note');
  const notes = health.problems.length - problems.length;
  const items = problems.map(
    ({ code, severity, problem, since }): Item => ({
      word: problemWords[code] ?? code,
      // The first readings are under way: nobody has to do anything.
      tone: code === 'starting' ? 'plain' : severity === 'critical' ? 'bad' : 'note',
      text: [<UntrustedText text={problem} most={160} />, <Ago at={since} />],
      to: code === 'quarantine' ? '/sync/quarantine' : '/sync',
    }),
  );
  if (notes === 0) return items;
  const text = `${counted(notes, 'kind')} of anomaly in the service’s data`;
  return [...items, { word: 'anomaly', tone: 'plain', text, to: '/sync/anomalies' }];
}

/** How long ago, in brackets after a text. */
function Ago({ at }: { readonly at: string | null }) {
  return <>{at && [' (', <Moment at={at} as="age" />, ')']}</>;
}

function stuckItems(view: View, { open }: Overview): readonly Item[] {
  const stuck = open.data.filter((row) => isStuck(row, view));
  const [oldest] = stuck;
  if (oldest === undefined) return [];
  const isMore = open.next_cursor !== null && stuck.length === open.data.length;
  const longest = lengthInWords(Date.parse(view.now) - Date.parse(oldest.first_seen_at));
  const text = `${isMore ? 'More than ' : ''}${counted(stuck.length, 'transaction')} open for more than a day, the oldest for ${oldest.is_older_than_mirror ? 'at least ' : ''}${longest}`;
  return [{ word: 'stuck', tone: 'bad', text, to: ['/transactions', stuckOnly(view.now)] }];
}

function notWhitelistedItems({ notWhitelisted, since }: Checks): readonly Item[] {
  if (notWhitelisted.data.length === 0) return [];
  const nameOf = (row: DestinationUse) => row.destination_name ?? row.destination_address;
  const names = [...new Set(notWhitelisted.data.map(nameOf))];
  const text = [
    `${notWhitelisted.next_cursor !== null ? 'More than ' : ''}${counted(notWhitelisted.data.length, 'payment')} in the last ${checkedDays} days went to `,
    <UntrustedText text={names[0]} most={48} none="a destination without a name" />,
    `${andOthers(names, 'other')}, not whitelisted at the time`,
  ];
  const query = { is_whitelisted: 'false', first_seen_from: since };
  return [{ word: 'not whitelisted', tone: 'bad', text, to: ['/documents/payments', query] }];
}

function andOthers({ length }: readonly unknown[], noun: string): string {
  return length > 1 ? ` and ${counted(length - 1, noun)}` : '';
}

function unexplainedItems({ unexplained, day }: Checks): readonly Item[] {
  if (unexplained.data.length === 0) return [];
  const assets = [...new Set(unexplained.data.map(({ asset_id }) => asset_id))];
  const days = new Set(unexplained.data.map((row) => row.day)).size;
  const text = [
    'Transactions do not explain how ',
    <UntrustedText text={assets[0]} most={40} none="an asset without a name" />,
    `${andOthers(assets, 'other asset')} changed on ${unexplained.next_cursor !== null ? 'at least ' : ''}${counted(days, 'day')} of the last ${checkedDays}`,
  ];
  const query = { day_from: day, is_explained: 'false' };
  return [{ word: 'unexplained', tone: 'bad', text, to: ['/reconciliation', query] }];
}

/** The checks that may take long, in words: what was checked, and what was not. */
const slowChecks = [
  ['notWhitelisted', 'payments to non-whitelisted destinations', 'payments'],
  ['unexplained', 'balance changes that no transaction explains', 'balance changes'],
] as const;

function checkedOf(checks: Checks): string {
  const always = 'health, unreadable records, transactions open for more than a day';
  const slow = slowChecks.filter(([name]) => checks[name].state === 'known').map(([, words]) => words);
  return slow.length === 0 ? always : `${always}; for the last ${checkedDays} days, ${slow.join(' and ')}`;
}

function unansweredOf(data: Overview): readonly string[] {
  const states = { pending: ['are being checked'], failed: ['could not be checked'], known: [] };
  const unread = (['transactions', 'balances', 'whitelist'] as const).filter(
    (resource) => readState(data, resource) !== 'read',
  );
  return [
    ...unread.map((resource) => `${resourceWords(resource)}, which have not been read completely`),
    ...slowChecks.flatMap(([name, , what]) => states[data.checks[name].state].map((why) => `${what} ${why}`)),
  ];
}
