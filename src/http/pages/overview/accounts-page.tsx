// All accounts that the reader may see, a line each: worth, freshness, and what needs a person.
import { agoInWords, counted, onOneLine } from '../../../domain/words.ts';
import type { Tone } from '../../../status/words.ts';
import type { Health, Worth } from '../page/api.ts';
import type { Ask } from '../page/ask.ts';
import { type Page, parametersOf } from '../page/page.ts';
import { Worth as Money } from '../parts/amount.tsx';
import { Badge } from '../parts/notice.tsx';
import { type Column, column, Table } from '../parts/table.tsx';
import { useView } from '../view/view.ts';

/** Each takes two questions: more are found by their name in the address. */
const mostAccounts = 50;

interface Row {
  readonly id: string;
  /** Null where nothing is mirrored yet. */
  readonly health: Health | null;
  /** Of all vaults, in the currency of the page, or in the first in which there are prices. */
  readonly worth: Worth | null;
}

export const accountsPage: Page = {
  path: '/accounts',
  section: 'overview',
  about: [],
  parameters: parametersOf('listWorth', 'currency'),
  async show({ ask, view, given }) {
    const rows: Row[] = [];
    for (const { account_id: id } of view.accounts.slice(0, mostAccounts))
      rows.push(await rowOf(ask, id, given['currency']));
    return {
      title: 'Accounts',
      content: (
        <Table
          caption="Accounts that you may see"
          noun="account"
          columns={columns}
          rows={rows}
          isLinked
          source={{ path: '/v1/accounts' }}
          below={
            view.accounts.length > mostAccounts && (
              <p class="soft">The first {mostAccounts}: /?account= and its name leads to any other.</p>
            )
          }
        />
      ),
    };
  },
};

async function rowOf(ask: Ask, id: string, currency: string | undefined): Promise<Row> {
  const health = await ask.known('getHealth', { account: id });
  const worth = await ask.known('listWorth', { account: id, vault_type: 'all', currency, limit: 1 });
  return {
    id,
    health: 'answer' in health ? health.answer.data : null,
    worth: 'answer' in worth ? ((worth.answer.data[0] as Worth | undefined) ?? null) : null,
  };
}

const columns: readonly Column<Row>[] = [
  column('Account', ({ id }) => <a href={`/?account=${encodeURIComponent(id)}`}>{onOneLine(id)}</a>),
  {
    title: 'Worth',
    isNumber: true,
    cell: ({ worth }) => (worth === null ? <span class="soft">no price</span> : <WorthOf worth={worth} />),
  },
  {
    title: 'Verdict',
    isPlain: true,
    cell: ({ health }) => <Badge word={health?.health ?? 'nothing mirrored yet'} tone={toneOf(health)} />,
  },
  { title: 'Last read', cell: ({ health }) => agoInWords(health?.last_success_at ?? null, useView().now) },
  column('Needs a person', ({ health }) => {
    const problems = (health?.problems ?? []).filter(({ severity }) => severity !== 'note');
    const [first] = problems;
    if (first === undefined) return <span class="soft">–</span>;
    return `${onOneLine(first.problem)}${problems.length > 1 ? ` and ${counted(problems.length - 1, 'more thing')}` : ''}`;
  }),
];

function WorthOf({ worth }: { readonly worth: Worth }) {
  const { valued, total_value, currency, without_price, unknown } = worth;
  const left = without_price + unknown;
  return (
    <>
      <Money value={valued > 0 ? total_value : null} currency={currency} />
      {left === 0 ? null : <span class="soft"> without {counted(left, 'balance')}</span>}
    </>
  );
}

function toneOf(health: Health | null): Tone {
  if (health === null) return 'plain';
  if (health.health === 'healthy') return 'good';
  return health.problems.some(({ severity }) => severity === 'critical') ? 'bad' : 'note';
}
