// What came in and went out since yesterday: by asset, and the largest movements.
import type {
  BalanceValue,
  Flow,
  MovementValue,
} from '../../../../packages/client/src/generated/types/api-types.ts';
import { addDecimals, parseDecimal } from '../../../domain/decimal.ts';
import { grouped } from '../../../domain/words.ts';
import { Moment } from '../parts/moment.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { UntrustedText } from '../parts/text.tsx';
import { transactionAddress } from '../view/places.ts';
import type { Query, View } from '../view/view.ts';
import { rowsOf } from './found.ts';
import { emptyWords, type Overview, readState } from './load.ts';
import { AssetLink, Money, More, Part, Short } from './parts.tsx';

const shown = 10;

interface Moved {
  readonly asset_id: string | null;
  readonly network_id: string | null;
  readonly in_amount: string | null;
  readonly out_amount: string | null;
  readonly net_amount: string | null;
  readonly deposits: number;
  readonly withdrawals: number;
}

export function MovedSinceYesterday({ view, data }: { readonly view: View; readonly data: Overview }) {
  const { days, flows, largest } = data;
  const all = movedOf(rowsOf(flows), data.values);
  const rows = all.slice(0, shown);
  const isPart = (flows.state === 'known' && flows.isPart) || all.length > rows.length;
  const since = { status: 'completed', changed_from: days.since };
  return (
    <Part
      id="moved"
      title="Moved since yesterday"
      more={
        <More view={view} path="/transactions" query={since}>
          {isPart ? 'Transactions completed since then, of all assets' : 'Transactions completed since then'}
        </More>
      }
    >
      {readState(data, 'transactions') === 'in part' ? (
        <p class="left-out">The transactions were not read to their end yet: these figures are a part.</p>
      ) : null}
      {flows.state === 'known' ? (
        <p class="soft">
          Added up <Moment view={view} at={flows.askedAt} as="age" />.
        </p>
      ) : null}
      <Table
        view={view}
        caption={`Completed deposits and withdrawals of yesterday (${days.yesterday}) and today${isPart ? `, the ${shown} assets that moved most` : ''}`}
        isCounted={isPart}
        noun="asset"
        columns={columnsOf(view, since)}
        rows={rows}
        empty={emptyOf(data)}
        source={{ path: '/v1/flows', query: { day_from: days.yesterday } }}
      />
      {rowsOf(largest).length === 0 ? null : (
        <>
          <h3>Largest movements</h3>
          <ul class="items">
            {rowsOf(largest).map((row) => (
              <li>
                <Movement view={view} row={row} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Part>
  );
}

function emptyOf(data: Overview): string {
  if (data.flows.state === 'pending') return 'Being computed: it is here in a moment.';
  if (data.flows.state === 'failed') return 'Unknown: it could not be computed.';
  return emptyWords(data, 'transactions', 'No deposit and no withdrawal was completed.');
}

function Movement({ view, row }: { readonly view: View; readonly row: MovementValue }) {
  const isIn = row.direction === 'in';
  const other = row.counterparty_name ?? row.counterparty_address;
  return (
    <>
      <a href={transactionAddress(view, row.transaction_id)}>
        {isIn ? 'In' : 'Out'} <Short view={view} value={row.amount} />{' '}
        <UntrustedText text={row.asset_id} most={40} />
      </a>{' '}
      {other === null ? null : (
        <>
          {isIn ? 'from' : 'to'} <UntrustedText text={other} most={28} />{' '}
        </>
      )}
      <span class="soft">
        (<Money view={view} value={row.value} currency={row.currency} />,{' '}
        <Moment view={view} at={row.settled_at} />)
      </span>
    </>
  );
}

function columnsOf(view: View, since: Record<string, string>): readonly Column<Moved>[] {
  return [
    { title: 'Asset', cell: (row) => <AssetLink view={view} id={row.asset_id} network={row.network_id} /> },
    { title: 'In', isNumber: true, cell: (row) => <Short view={view} value={row.in_amount} /> },
    { title: 'Out', isNumber: true, cell: (row) => <Short view={view} value={row.out_amount} /> },
    { title: 'Net', isNumber: true, cell: (row) => <Short view={view} value={row.net_amount} signed /> },
    {
      title: 'Transactions',
      isNumber: true,
      cell: (row) => (
        <>
          <Count view={view} row={row} query={{ ...since, transaction_type: 'deposit' }} count={row.deposits}>
            in
          </Count>
          {row.deposits > 0 && row.withdrawals > 0 ? ', ' : null}
          <Count
            view={view}
            row={row}
            query={{ ...since, transaction_type: 'withdraw' }}
            count={row.withdrawals}
          >
            out
          </Count>
        </>
      ),
    },
  ];
}

/** So many of one direction, leading to them: transfers, staking and the like moved nothing in or out, and are not among them. */
function Count({
  view,
  row: { asset_id },
  query,
  count,
  children,
}: {
  readonly view: View;
  readonly row: Moved;
  readonly query: Query;
  readonly count: number;
  readonly children: string;
}) {
  if (count === 0) return null;
  const words = `${grouped(count)} ${children}`;
  if (asset_id === null) return <>{words}</>;
  return (
    <More view={view} path="/transactions" query={{ ...query, asset_id }}>
      {words}
    </More>
  );
}

/** The two days together, what is worth most first. */
function movedOf(flows: readonly Flow[], values: readonly BalanceValue[]): readonly Moved[] {
  const byAsset = new Map<string, Flow[]>();
  for (const row of flows) {
    const key = JSON.stringify([row.asset_id, row.network_id]);
    byAsset.set(key, [...(byAsset.get(key) ?? []), row]);
  }
  const prices = new Map(values.map(({ asset_id, price }) => [asset_id, Number(price)]));
  const rows = [...byAsset.values()].map((days): Moved => {
    const [first] = days;
    return {
      asset_id: first?.asset_id ?? null,
      network_id: first?.network_id ?? null,
      in_amount: sumOf(days.map(({ in_amount }) => in_amount)),
      out_amount: sumOf(days.map(({ out_amount }) => out_amount)),
      net_amount: sumOf(days.map(({ net_amount }) => net_amount)),
      deposits: days.reduce((sum, { deposits }) => sum + deposits, 0),
      withdrawals: days.reduce((sum, { withdrawals }) => sum + withdrawals, 0),
    };
  });
  // Floats only decide on the order.
  const rank = (row: Moved) =>
    (Number(row.in_amount ?? 0) + Number(row.out_amount ?? 0)) * (prices.get(row.asset_id ?? '') ?? 0);
  return rows.toSorted((a, b) => rank(b) - rank(a) || (a.asset_id ?? '').localeCompare(b.asset_id ?? ''));
}

/** Exact; unknown where one of them is. */
function sumOf(amounts: readonly (string | null)[]): string | null {
  const parts = amounts.map((amount) => (amount === null ? null : parseDecimal(amount)));
  const known = parts.flatMap((part) => (part === null ? [] : [part.value]));
  return known.length < parts.length ? null : addDecimals(known);
}
