// All accounts that the reader may see, a line each: value, freshness, and what needs attention.

import { agoInWords, counted, onOneLine } from '../../../../src/domain/words.ts';
import type { Ask } from '../api/ask.ts';
import type { Health, PortfolioValue, Tone } from '../api/interface.ts';
import { type Page, parametersOf } from '../page/page.ts';
import { Money } from '../parts/amount.tsx';
import { Badge } from '../parts/notice.tsx';
import { sumOf } from '../parts/sums.ts';
import { type Column, column, Table } from '../parts/table.tsx';
import { useView } from '../view/view.ts';
import { currencyOf } from './load.ts';
import { Currencies } from './total-value.tsx';

/** Each takes two questions: more are found by their name in the address. */
const mostAccounts = 50;

interface Row {
  readonly id: string;
  /** Null where nothing is mirrored yet. */
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
  const health = await ask.known('getHealth', { account: id });
  const found = await ask.known('listPortfolioValue', { account: id, vault_type: 'all', limit: 100 });
  return {
    id,
    health: 'answer' in health ? health.answer.data : null,
    sums: 'answer' in found ? found.answer.data : [],
  };
}

/** What the account holds, as far as it has prices in the currency. */
function valueIn({ sums }: Row, currency: string | null): PortfolioValue | undefined {
  return sums.find((row) => row.currency === currency && row.valued > 0);
}

/** The sum of the accounts that have a value in the currency, where there are two at least. */
function totalsIn(currency: string | null, rows: readonly Row[]) {
  const values = rows.flatMap((row) => valueIn(row, currency)?.total_value ?? []);
  if (currency === null || values.length < 2) return undefined;
  const of = values.length < rows.length ? ` of ${values.length} with prices` : '';
  return [`Sum${of}`, <Money value={sumOf(values)} currency={currency} />, '', '', ''];
}

const columnsIn = (currency: string | null): readonly Column<Row>[] => [
  column('Account', ({ id }) => <a href={`/?account=${encodeURIComponent(id)}`}>{onOneLine(id)}</a>),
  {
    title: 'Value',
    isNumber: true,
    cell: (row) => {
      const value = valueIn(row, currency);
      return value === undefined ? <span class="soft">no price</span> : <AccountValue value={value} />;
    },
  },
  {
    title: 'Health',
    isPlain: true,
    cell: ({ health }) => <Badge word={health?.health ?? 'nothing mirrored yet'} tone={toneOf(health)} />,
  },
  { title: 'Last read', cell: ({ health }) => agoInWords(health?.last_success_at ?? null, useView().now) },
  column('Needs attention', ({ health }) => {
    const problems = (health?.problems ?? []).filter(({ severity }) => severity !== 'note');
    const [first] = problems;
    if (first === undefined) return <span class="soft">–</span>;
    return `${onOneLine(first.problem)}${problems.length > 1 ? ` and ${problems.length - 1} more` : ''}`;
  }),
];

function AccountValue({ value }: { readonly value: PortfolioValue }) {
  const { total_value, currency, without_price, unknown } = value;
  const left = without_price + unknown;
  return (
    <>
      <Money value={total_value} currency={currency} />
      {left === 0 ? null : <span class="soft"> without {counted(left, 'balance')}</span>}
    </>
  );
}

function toneOf(health: Health | null): Tone {
  if (health === null) return 'plain';
  if (health.health === 'healthy') return 'good';
  return health.problems.some(({ severity }) => severity === 'critical') ? 'bad' : 'note';
}
