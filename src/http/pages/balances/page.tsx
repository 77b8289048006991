// Balances, now or as of any moment: an asset in each row, with all, warm and cold vaults side by side or one
// of them with its parts.
import { lengthInWords } from '../../../domain/words.ts';
import type { Balance, BalanceAt, BalanceSplit, BalanceSplitAt } from '../page/api.ts';
import type { Known, Rows } from '../page/ask.ts';
import { todayOf } from '../page/days.ts';
import { type Page, type PageRequest, parametersOf } from '../page/page.ts';
import { type Field, Filters, Jumps } from '../parts/form.tsx';
import { assetKey } from '../parts/sums.ts';
import { type Column, KnownTable } from '../parts/table.tsx';
import { Moment } from '../parts/values.tsx';
import { endOf, lastEnds } from '../view/days.ts';
import { useView } from '../view/view.ts';
import { AssetName, heldColumn, partColumns, Since, vaultTypes, vaultWords, worthColumn } from './cells.tsx';
import { currencyOf, type KnownWorth, readWorth, WorthTiles } from './worth.tsx';

type Split = BalanceSplit | BalanceSplitAt;
type Parts = Balance | BalanceAt;

export const balancesPage: Page = {
  path: '/balances',
  section: 'balances',
  about: ['balances'],
  parameters: {
    ...parametersOf('listBalances', 'vault_type', 'asset_id', 'network_id', 'at', 'cursor'),
    ...parametersOf('listBalanceSplit', 'currency'),
  },
  async show({ given, view, ask }) {
    const { at, vault_type, asset_id } = given;
    const worth = await readWorth(ask, at);
    const currency = currencyOf(worth, given['currency']);
    const today = await todayOf(ask, view.now);
    const asked = { ask, given, currency };
    const table = vault_type === undefined ? await splitTable(asked) : await partsTable(asked, vault_type);
    return {
      title: 'Balances',
      content: (
        <>
          <Filters label="Balances" fields={[...fields, ...currencyFields(worth)]} />
          <Jumps label="At the end of" jumps={lastEnds(today).map(([word, day]) => [word, { at: day }])} />
          {asset_id === undefined && worth.isKnown ? (
            <WorthTiles worth={worth} currency={currency} vaultType={vault_type} />
          ) : null}
          {table}
        </>
      ),
    };
  },
};

const fields: readonly Field[] = [
  { name: 'at', label: 'As of', kind: 'moment', hint: 'Empty: now' },
  { name: 'asset_id', label: 'Asset' },
  { name: 'vault_type', label: 'Vaults', choices: vaultTypes, any: 'side by side' },
];

function currencyFields({ currencies }: KnownWorth): readonly Field[] {
  const [first, ...others] = currencies;
  if (first === undefined || others.length === 0) return [];
  return [{ name: 'currency', label: 'Worth in', choices: currencies, any: first }];
}

interface Wanted extends Pick<PageRequest, 'ask' | 'given'> {
  readonly currency: string | null;
}

async function splitTable({ ask, given, currency }: Wanted) {
  const query = { ...given, currency };
  const found = (await ask.known('listBalanceSplit', query)) as Known<Rows<Split>>;
  return (
    <>
      <LastRead found={found} at={given['at']} />
      <KnownTable
        caption="Balances in all, warm and cold vaults"
        noun="asset"
        columns={splitColumns(currency)}
        found={found}
        empty="No balance matches: the service listed no such asset."
        source={{ path: '/v1/balances/split', query }}
      />
    </>
  );
}

interface LastReadProps {
  readonly found: Known<Rows<{ readonly observed_at: string | null }>>;
  readonly at: string | undefined;
}

/** Of a past moment: how old the reading was that its balances are of. */
function LastRead({ found, at }: LastReadProps) {
  const rows = 'answer' in found ? found.answer.data : [];
  const latest = rows
    .flatMap(({ observed_at }) => observed_at ?? [])
    .sort()
    .at(-1);
  const view = useView();
  if (at === undefined || latest === undefined) return null;
  // The close of today is what was observed until now.
  const until = Math.min(Date.parse(endOf(at, view.closed)), Date.parse(view.now));
  const before = lengthInWords(Math.max(0, until - Date.parse(latest)));
  return (
    <p>
      As last read at <Moment at={latest} />, {before} before that moment.
    </p>
  );
}

function splitColumns(currency: string | null): readonly Column<Split>[] {
  const total = (title: string, type: 'all' | 'warm' | 'cold') =>
    heldColumn<Split>(title, (row) => [row[`${type}_total`], row[`${type}_is_known`]]);
  return [
    { title: 'Asset', cell: (row) => <AssetName row={row} /> },
    total('All vaults', 'all'),
    total('Warm', 'warm'),
    total('Cold', 'cold'),
    heldColumn('Available', (row) => [row.available_balance, row.all_is_known]),
    ...worthColumn<Split>(currency, (row) => ({
      value: row.total_value,
      isPriced: row.price !== null,
      isKnown: row.all_is_known,
    })),
    { title: 'Unchanged since', cell: (row) => <Since row={row} isKnown={row.all_is_known} /> },
  ];
}

async function partsTable({ ask, given, currency }: Wanted, vaultType: string) {
  const { currency: _currency, ...query } = given;
  const { at, asset_id } = query;
  const found = (await ask.known('listBalances', query)) as Known<Rows<Parts>>;
  // The list of values is as long as there are assets.
  const values =
    'unknown' in found || currency === null
      ? []
      : await ask.all('listBalanceValues', { at, asset_id, vault_type: vaultType, currency });
  return (
    <>
      <LastRead found={found} at={given['at']} />
      <KnownTable
        caption={`Balances in ${vaultWords(vaultType)}`}
        noun="asset"
        columns={partsColumns(currency, new Map(values.map((row) => [assetKey(row), row.total_value])))}
        found={found}
        empty="No balance matches: the service listed no such asset in these vaults."
        source={{ path: '/v1/balances', query }}
      />
    </>
  );
}

/** @param values what each balance is worth, by asset and network */
function partsColumns(
  currency: string | null,
  values: ReadonlyMap<string, string | null>,
): readonly Column<Parts>[] {
  return [
    { title: 'Asset', cell: (row) => <AssetName row={row} /> },
    ...partColumns,
    ...worthColumn<Parts>(currency, (row) => ({
      value: values.get(assetKey(row)) ?? null,
      isPriced: values.has(assetKey(row)),
      isKnown: row.is_known,
    })),
    { title: 'Unchanged since', cell: (row) => <Since row={row} isKnown={row.is_known} /> },
  ];
}
