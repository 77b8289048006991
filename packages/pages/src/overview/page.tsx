// The overview of an account, in the first minutes with the progress of the first sync; and all accounts that
// the reader may see, a line each.
import type { Ask, Health, PortfolioValue, Tone } from '../api/ask.ts';
import { agoInWords, counted, onOneLine, resources } from '../api/words.ts';
import { type Page, parametersOf } from '../page/page.ts';
import { Money } from '../parts/amount.tsx';
import { ExportHoldings } from '../parts/export.tsx';
import { Badge, Notice, UnknownNotice } from '../parts/notice.tsx';
import { type Column, column, numberColumn, plainColumn, Table } from '../parts/table.tsx';
import { Link } from '../parts/values.tsx';
import { sumOf } from '../view/numbers.ts';
import { accountOf, useView } from '../view/view.ts';
import { Attention } from './attention.tsx';
import { Flows } from './flows.tsx';
import { Holdings, InProgress } from './lists.tsx';
import { currencyOf, loadOverview, type Overview, readState } from './load.ts';
import { Allocation, Currencies, TotalValue } from './total-value.tsx';

export const overviewPage: Page = {
  path: '/',
  section: 'overview',
  about: resources,
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
  if (wanted !== undefined && data.sums.length > 0)
    return (
      <Notice tone="plain" title={`Value unknown, there are no prices in ${wanted}`}>
        <p>There are prices in these currencies:</p>
        <Currencies data={data} />
      </Notice>
    );
  return (
    <Notice tone="plain" title="Value unknown, there are no prices">
      <p>
        The custody service sends no prices. Add them to the table <code>custody.asset_prices</code>, and this
        page shows the value of the account and how it changed.
      </p>
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
  const account = accountOf(useView());
  const { health } = data;
  const isReading = resources.some((resource) => ['unread', 'in part'].includes(readState(data, resource)));
  if (!isReading) return null;
  return (
    <Notice
      id="first-reading"
      tone="plain"
      title={health.writer === null ? 'The first sync has not finished' : 'The first sync is in progress'}
    >
      <p>
        This page shows what has been read so far; anything missing is unknown, not zero.{' '}
        {account === undefined || account.transactions_total === 0
          ? null
          : `${counted(account.transactions_total, 'transaction')} so far. `}
        <Link to="/sync">{health.writer === null ? 'What to do' : 'Progress'}</Link>
      </p>
    </Notice>
  );
}

/** Each takes two queries: further accounts are found by their name in the address. */
const mostAccounts = 50;

interface Row {
  readonly id: string;
  readonly health: Health | null;
  /** Of all vaults, a row for each currency in which there are prices. */
  readonly sums: readonly PortfolioValue[];
}

export const accountsPage: Page = {
  path: '/accounts',
  section: 'overview',
  about: [],
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
          below={
            view.accounts.length > mostAccounts && (
              <p class="soft">The first {mostAccounts}. Open any other at /?account= with its name.</p>
            )
          }
        />
      ),
    };
  },
};

async function rowOf(ask: Ask, id: string): Promise<Row> {
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
  column('Account', ({ id }) => <a href={`/?account=${encodeURIComponent(id)}`}>{onOneLine(id)}</a>),
  numberColumn('Value', (row) => {
    const value = valueOfRow(row, currency);
    if (value === undefined) return <span class="soft">no price</span>;
    const left = value.without_price + value.unknown;
    return [
      <Money value={value.total_value} currency={value.currency} />,
      left > 0 && <span class="soft"> without {counted(left, 'balance')}</span>,
    ];
  }),
  plainColumn('Health', ({ health }) => (
    <Badge word={health?.health ?? 'nothing mirrored yet'} tone={toneOf(health)} />
  )),
  { title: 'Last read', cell: ({ health }) => agoInWords(health?.last_success_at ?? null, useView().now) },
  column('Needs attention', ({ health }) => {
    const problems = (health?.problems ?? []).filter(({ severity }) => severity !== 'note');
    const [first] = problems;
    if (first === undefined) return <span class="soft">–</span>;
    return `${onOneLine(first.problem)}${problems.length > 1 ? ` and ${problems.length - 1} more` : ''}`;
  }),
];

function toneOf(health: Health | null): Tone {
  if (health === null) return 'plain';
  if (health.health === 'healthy') return 'good';
  return health.problems.some(({ severity }) => severity === 'critical') ? 'bad' : 'note';
}
