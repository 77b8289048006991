// Balances, now or as of any moment: an asset in each row, with all, warm and cold vaults side by side or one of them with its parts.
import type {
  Balance,
  BalanceAt,
  BalanceSplit,
  BalanceSplitAt,
  BalanceValue,
} from '../../../../packages/client/src/generated/types/api-types.ts';
import { lengthInWords } from '../../../domain/words.ts';
import type { Given } from '../../api/answer/parameters.ts';
import type { Ask } from '../page/ask.ts';
import { type Page, parametersOf } from '../page/page.ts';
import { ChoiceField, Filters, MomentField, TextField } from '../parts/form.tsx';
import { Jumps } from '../parts/jumps.tsx';
import { Moment } from '../parts/moment.tsx';
import { UnknownNotice } from '../parts/notice.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { lastEnds } from '../view/spans.ts';
import type { View } from '../view/view.ts';
import { AssetName, Held, partColumns, Since, worthColumn } from './cells.tsx';
import { vaultTypes, vaultWords } from './vault-types.ts';
import { currencyOf, readWorth, WorthTiles } from './worth.tsx';

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
    const asked = { view, ask, given, currency };
    const table = vault_type === undefined ? await splitTable(asked) : await partsTable(asked, vault_type);
    return {
      title: 'Balances',
      content: (
        <>
          <Filters view={view} label="Balances">
            <MomentField view={view} name="at" label="As of" hint="Empty: now" />
            <TextField view={view} name="asset_id" label="Asset" />
            <ChoiceField
              view={view}
              name="vault_type"
              label="Vaults"
              options={vaultTypes}
              any="side by side"
            />
            {worth.currencies.length < 2 ? null : (
              <ChoiceField
                view={view}
                name="currency"
                label="Worth in"
                options={worth.currencies.map((each) => [each, each] as const)}
                any={worth.currencies[0] ?? ''}
              />
            )}
          </Filters>
          <Jumps
            view={view}
            label="At the end of"
            jumps={lastEnds(view.now, view.zone).map(([word, end]) => ({ word, to: { at: end } }))}
          />
          {asset_id === undefined && worth.isKnown ? (
            <WorthTiles view={view} worth={worth} currency={currency} vaultType={vault_type} />
          ) : null}
          {table}
        </>
      ),
    };
  },
};

interface Wanted {
  readonly view: View;
  readonly ask: Ask;
  readonly given: Given;
  readonly currency: string | null;
}

async function splitTable({ view, ask, given, currency }: Wanted) {
  const { account: _account, currency: _currency, ...rest } = given;
  const query = { ...rest, currency };
  const found = await ask.known('listBalanceSplit', query);
  if ('unknown' in found) return <UnknownNotice view={view} title="Not known" why={found.unknown.why} />;
  const rows = found.answer.data as readonly Split[];
  return (
    <>
      <LastRead view={view} rows={rows} given={given} />
      <Table
        view={view}
        caption="Balances in all, warm and cold vaults"
        noun="asset"
        columns={splitColumns(view, currency)}
        rows={rows}
        empty="No balance matches: the service listed no such asset."
        source={{ path: '/v1/balances/split', query }}
        next={found.answer.next_cursor}
      />
    </>
  );
}

/** Of a past moment: how old the reading was that its balances are of. */
function LastRead({
  view,
  rows,
  given,
}: {
  readonly view: View;
  readonly rows: readonly { readonly observed_at: string | null }[];
  readonly given: Given;
}) {
  const { at } = given;
  const latest = rows
    .flatMap(({ observed_at }) => (observed_at === null ? [] : [observed_at]))
    .sort()
    .at(-1);
  if (at === undefined || latest === undefined) return null;
  const before = lengthInWords(Math.max(0, Date.parse(at) - Date.parse(latest)));
  return (
    <p>
      As last read at <Moment view={view} at={latest} />, {before} before that moment.
    </p>
  );
}

function splitColumns(view: View, currency: string | null): readonly Column<Split>[] {
  const total = (title: string, type: 'all' | 'warm' | 'cold'): Column<Split> => ({
    title,
    isNumber: true,
    cell: (row) => <Held view={view} value={row[`${type}_total`]} isKnown={row[`${type}_is_known`]} />,
  });
  return [
    { title: 'Asset', cell: (row) => <AssetName view={view} row={row} /> },
    total('All vaults', 'all'),
    total('Warm', 'warm'),
    total('Cold', 'cold'),
    {
      title: 'Available',
      isNumber: true,
      cell: (row) => <Held view={view} value={row.available_balance} isKnown={row.all_is_known} />,
    },
    ...worthColumn<Split>(view, currency, (row) => ({
      value: row.total_value,
      isPriced: row.price !== null,
      isKnown: row.all_is_known,
    })),
    {
      title: 'Unchanged since',
      cell: (row) => <Since view={view} row={row} isKnown={row.all_is_known} />,
    },
  ];
}

async function partsTable({ view, ask, given, currency }: Wanted, vaultType: string) {
  const { account: _account, currency: _currency, ...query } = given;
  const found = await ask.known('listBalances', query);
  if ('unknown' in found) return <UnknownNotice view={view} title="Not known" why={found.unknown.why} />;
  const values = await valuesOf(ask, {
    at: given['at'],
    asset_id: given['asset_id'],
    vault_type: vaultType,
    currency,
  });
  const rows = found.answer.data as readonly Parts[];
  return (
    <>
      <LastRead view={view} rows={rows} given={given} />
      <Table
        view={view}
        caption={`Balances in ${vaultWords(vaultType)}`}
        noun="asset"
        columns={partsColumns(view, currency, values)}
        rows={rows}
        empty="No balance matches: the service listed no such asset in these vaults."
        source={{ path: '/v1/balances', query }}
        next={found.answer.next_cursor}
      />
    </>
  );
}

function partsColumns(
  view: View,
  currency: string | null,
  values: ReadonlyMap<string, string | null>,
): readonly Column<Parts>[] {
  return [
    { title: 'Asset', cell: (row) => <AssetName view={view} row={row} /> },
    ...partColumns(view),
    ...worthColumn<Parts>(view, currency, (row) => ({
      value: values.get(keyOf(row)) ?? null,
      isPriced: values.has(keyOf(row)),
      isKnown: row.is_known,
    })),
    { title: 'Unchanged since', cell: (row) => <Since view={view} row={row} isKnown={row.is_known} /> },
  ];
}

const keyOf = ({ asset_id, network_id }: Pick<Parts, 'asset_id' | 'network_id'>) =>
  JSON.stringify([asset_id, network_id]);

/** What each balance is worth, by asset and network: all pages of the list, which is as long as there are assets. */
async function valuesOf(
  ask: Ask,
  query: Readonly<Record<'at' | 'asset_id' | 'vault_type' | 'currency', string | null | undefined>>,
): Promise<ReadonlyMap<string, string | null>> {
  const values = new Map<string, string | null>();
  if (query.currency === null) return values;
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: { readonly data: readonly BalanceValue[]; readonly next_cursor: string | null } = await ask(
      'listBalanceValues',
      { ...query, vault_type: query.vault_type, limit: 500, cursor },
    );
    for (const row of page.data) values.set(keyOf(row), row.total_value);
    cursor = page.next_cursor;
  }
  return values;
}
