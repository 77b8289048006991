// Where an asset is held, each part and since when, its value, and the prices that people stated.
import type { Balance, BalanceAt, BalanceValue, BalanceValueAt, Price } from '../api/ask.ts';
import { capitalized, isDay, onOneLine } from '../api/words.ts';
import { Amount, Money } from '../parts/amount.tsx';
import { UnknownNotice } from '../parts/notice.tsx';
import { amountColumn, type Column, Table, textColumn } from '../parts/table.tsx';
import { Moment, UntrustedText } from '../parts/values.tsx';
import { endOf, justAfter } from '../view/moments.ts';
import { sumOf } from '../view/numbers.ts';
import {
  type AssetParts,
  type BalancePart,
  balanceParts,
  heldColumn,
  sinceColumn,
  vaultTypes,
} from './cells.tsx';

type Row = Balance | BalanceAt;

export async function AssetHeld(parts: AssetParts) {
  const { ask, params, asset } = parts;
  const query = { asset_id: asset, at: params['at'] };
  const { data: rows, unknown } = await ask.known('listBalances', query);
  const networks = new Map(
    rows.map(({ network_id, network_name }) => [network_id, network_name ?? network_id]),
  );
  const named = rows.find(({ asset_name: name }) => name !== null && name !== '')?.asset_name ?? asset;
  const names = {
    name: onOneLine(named === asset ? asset : `${named} (${asset})`).slice(0, 150),
    networks: [...networks].map(([id, name]) => [id, onOneLine(name).slice(0, 60)] as const),
  };
  if (unknown !== null)
    return { ...names, value: <UnknownNotice title="Not known" why={unknown.why} />, where: null };
  const values = (await ask('listBalanceValues', { ...query, vault_type: 'all' })).data;
  return {
    ...names,
    value: <ValueOf asset={asset} values={values} />,
    where: (
      <Table
        caption="Where it is held"
        isCounted
        columns={columns(networks.size > 1, await sinceOf(parts))}
        rows={linesOf(rows)}
        empty="The service listed no balance of this asset at that time."
        source={{ path: '/v1/balances', query }}
      />
    ),
  };
}

type Line = ReturnType<typeof linesOf>[number];

/** Figures with all digits are wide: each vault type has a column, and each part of a balance a row. */
function linesOf(rows: readonly Row[]) {
  const networks = [...new Set(rows.map(({ network_id }) => network_id))];
  return networks.flatMap((id) => {
    const own = rows.filter(({ network_id }) => network_id === id);
    const of = new Map(own.map((row) => [row.vault_type, row]));
    const network = own[0]?.network_name ?? id;
    return balanceParts.map((part) => ({ network, of, part }));
  });
}

type SinceOf = Awaited<ReturnType<typeof sinceOf>>;

const mostChanges = 500;

/** Since when each part of a balance is as it is; `isBefore`: longer than the changes that were read. */
async function sinceOf({ ask, asset: asset_id, params: { at }, view: { closed } }: AssetParts) {
  // What was observed at the moment itself counts.
  const changed_to = at === undefined || isDay(at) ? at && endOf(at, closed) : justAfter(at);
  const { data, next_cursor } = await ask('listBalanceHistory', { asset_id, changed_to, limit: mostChanges });
  return ({ vault_type, network_id }: Row, [, , word]: BalancePart) => {
    const last = data.find(
      (change) =>
        change.vault_type === vault_type &&
        change.network_id === network_id &&
        change[`${word}_before`] !== change[`${word}_after`],
    );
    const isBefore = last === undefined && next_cursor !== null;
    return { at: last?.changed_at ?? (isBefore ? (data.at(-1)?.changed_at ?? null) : null), isBefore };
  };
}

function columns(showNetwork: boolean, since: SinceOf): readonly Column<Line>[] {
  return [
    { title: 'Part', isPlain: true, cell: ({ part: [, title] }) => title },
    ...(showNetwork ? [textColumn('Network', ({ network }: Line) => network, { most: 40 })] : []),
    ...vaultTypes.flatMap(([type, words]) => [
      heldColumn<Line>(
        capitalized(words),
        ({ part: [part], of }) => [of.get(type)?.[part] ?? null, of.get(type)?.is_known ?? null],
        Infinity,
      ),
      { title: 'Since', cell: ({ part, of }: Line) => sinceWhen(of.get(type), part, since) },
    ]),
  ];
}

function sinceWhen(row: Row | undefined, part: BalancePart, since: SinceOf) {
  if (row === undefined) return null;
  if (!row.is_known) return sinceColumn.cell(row);
  const { at, isBefore } = since(row, part);
  return (
    <span class="soft">
      {isBefore ? 'before ' : null}
      <Moment at={at} as="short" />
    </span>
  );
}

function ValueOf({ asset, values }: { readonly asset: string; readonly values: readonly Value[] }) {
  if (values.length === 0) return <p class="soft">Not valued: no price is known.</p>;
  return (
    <section id="value">
      {valuesByCurrency(values).map(({ currency, price, price_as_of, total, held }) => (
        <p>
          <span class="figure">
            <Money value={total} currency={currency} />
          </span>{' '}
          <Amount value={held} decimals={Infinity} /> <UntrustedText text={asset} most={24} /> in all vaults,
          at <Amount value={price} unit={currency} /> of <Moment at={price_as_of} as="both" />
        </p>
      ))}
    </section>
  );
}

type Value = BalanceValue | BalanceValueAt;

/** The networks of the asset together: it has one price on all. Unknown where one of the balances is. */
function valuesByCurrency(values: readonly Value[]) {
  const currencies = [...new Set(values.map(({ currency }) => currency))];
  return currencies.flatMap((currency) => {
    const rows = values.filter((row) => row.currency === currency);
    const total = sumOf(rows.map(({ total_value }) => total_value));
    const held = sumOf(rows.map(({ total_balance }) => total_balance));
    return rows.slice(0, 1).map(({ price, price_as_of }) => ({ currency, price, price_as_of, total, held }));
  });
}

export async function AssetPrices({ ask, asset, span }: AssetParts) {
  const query = { asset_id: asset, as_of_to: span.to, sort: '-asset_id' as const };
  const found = await ask('listPrices', { ...query, limit: 10 });
  if (found.data.length === 0) return null;
  return (
    <details id="prices">
      <summary>Prices</summary>
      <Table
        caption="The last prices of this asset"
        noun="price"
        columns={priceColumns}
        rows={found.data}
        source={{ path: '/v1/prices', query }}
      />
    </details>
  );
}

const priceColumns: readonly Column<Price>[] = [
  { title: 'As of', cell: (row) => <Moment at={row.as_of} /> },
  amountColumn('Price', (row) => row.price),
  textColumn('Currency', (row) => row.currency, { most: 20 }),
  textColumn('Source', (row) => row.source),
];
