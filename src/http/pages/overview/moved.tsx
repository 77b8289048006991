// What came in and went out yesterday and today: by asset, and the largest movements.
import { grouped } from '../../../domain/words.ts';
import type { BalanceValue, Flow, MovementValue } from '../page/api.ts';
import { Amount } from '../parts/amount.tsx';
import { assetKey, sumOf } from '../parts/sums.ts';
import { amountColumn, type Column, Table } from '../parts/table.tsx';
import { Link, Moment, UntrustedText } from '../parts/values.tsx';
import { type Query, transactionPath } from '../view/view.ts';
import { emptyWords, type Overview, rowsOf } from './load.ts';
import { AssetLink, Money, Part, PartOnly, short } from './parts.tsx';

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

export function MovedSinceYesterday({ data }: { readonly data: Overview }) {
  const { days, flows, largest } = data;
  const all = movedOf(rowsOf(flows), data.values);
  const rows = all.slice(0, shown);
  const isPart = (flows.state === 'known' && flows.isPart) || all.length > rows.length;
  const since = { status: 'completed', settled_from: days.since };
  return (
    <Part
      id="moved"
      title="Moved yesterday and today"
      more={
        <Link to={['/transactions', since]}>
          {isPart
            ? 'Transactions completed in these days, of all assets'
            : 'Transactions completed in these days'}
        </Link>
      }
    >
      <PartOnly data={data} what="these figures" />
      {flows.state === 'known' ? (
        <p class="soft">
          Added up <Moment at={flows.askedAt} as="age" />.
        </p>
      ) : null}
      <Table
        caption={`Completed deposits and withdrawals of yesterday (${days.yesterday}) and today${isPart ? `, the ${shown} assets that moved most` : ''}`}
        isCounted={isPart}
        noun="asset"
        columns={columnsOf(since)}
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
                <Movement row={row} />
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

function Movement({ row }: { readonly row: MovementValue }) {
  const isIn = row.direction === 'in';
  const other = row.counterparty_name ?? row.counterparty_address;
  return (
    <>
      <Link to={transactionPath(row.transaction_id)}>
        {isIn ? 'In' : 'Out'} <Amount value={row.amount} {...short} />{' '}
        <UntrustedText text={row.asset_id} most={40} />
      </Link>{' '}
      {other === null ? null : (
        <>
          {isIn ? 'from' : 'to'} <UntrustedText text={other} most={28} />{' '}
        </>
      )}
      <span class="soft">
        (<Money value={row.value} currency={row.currency} />, <Moment at={row.settled_at} />)
      </span>
    </>
  );
}

function columnsOf(since: Query): readonly Column<Moved>[] {
  return [
    { title: 'Asset', cell: (row) => <AssetLink id={row.asset_id} network={row.network_id} /> },
    amountColumn('In', (row) => row.in_amount, short),
    amountColumn('Out', (row) => row.out_amount, short),
    amountColumn('Net', (row) => row.net_amount, { ...short, signed: true }),
    {
      title: 'Transactions',
      isNumber: true,
      cell: ({ asset_id, network_id, deposits, withdrawals }) => (
        <>
          <Count
            query={{ ...since, transaction_type: 'deposit', asset_id, network_id }}
            count={deposits}
            word="in"
          />
          {deposits > 0 && withdrawals > 0 ? ', ' : null}
          <Count
            query={{ ...since, transaction_type: 'withdraw', asset_id, network_id }}
            count={withdrawals}
            word="out"
          />
        </>
      ),
    },
  ];
}

interface CountProps {
  readonly query: Query;
  readonly count: number;
  readonly word: string;
}

/**
 * So many of one direction, leading to them: transfers, staking and the like moved nothing in or out, and are
 * not among them.
 */
function Count({ query, count, word }: CountProps) {
  if (count === 0) return null;
  const words = `${grouped(count)} ${word}`;
  const isNamed = query['asset_id'] !== null && query['network_id'] !== null;
  return <Link to={isNamed ? ['/transactions', query] : null}>{words}</Link>;
}

/** The two days together, what is worth most first. */
function movedOf(flows: readonly Flow[], values: readonly BalanceValue[]): readonly Moved[] {
  const byAsset = new Map<string, Flow[]>();
  for (const row of flows) {
    const key = assetKey(row);
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
