// What came in and went out today and yesterday: by asset, and the largest movements.

import type { Flow, MovementValue } from '../api/ask.ts';
import { grouped } from '../api/words.ts';
import { Amount, Money, short } from '../parts/amount.tsx';
import { AssetOn } from '../parts/assets.tsx';
import { List } from '../parts/notice.tsx';
import { amountColumn, type Column, moneyColumns, numberColumn, Table } from '../parts/table.tsx';
import { Link, Moment, UntrustedText } from '../parts/values.tsx';
import { productOf } from '../view/numbers.ts';
import { type Query, transactionPath } from '../view/view.ts';
import { Part, PartOnly } from './lists.tsx';
import { emptyWords, type Overview, pricesOf } from './load.ts';

const shown = 6;

export function Flows({ data }: { readonly data: Overview }) {
  const { days, flows, largest } = data;
  const { today, yesterday, since } = days;
  const start = days.startOf(today);
  const ofDay = (day: string, span: Query) => ({ data, day, span });
  return (
    <Part
      id="flows"
      title="Deposits and withdrawals"
      more={
        <>
          <Link to={['/transactions', { status: 'completed', settled_from: since }]}>
            Transactions completed yesterday and today
          </Link>
          <Link to="/movements">Large movements of the week</Link>
          <Link to="/balances/fees">Fees of this month by asset</Link>
        </>
      }
    >
      <PartOnly data={data} what="these figures" />
      {flows.state === 'known' && (
        <p class="small">
          Computed <Moment at={flows.askedAt} as="age" />.
        </p>
      )}
      <FlowsOf {...ofDay(today, { settled_from: start })} caption="Today, since the end of yesterday" />
      <FlowsOf {...ofDay(yesterday, { settled_from: since, settled_to: start })} caption="Yesterday" />
      {largest.data.length > 0 && [
        <h3>Largest movements of both days</h3>,
        <List class="items" items={largest.data.map(movement)} />,
      ]}
    </Part>
  );
}

interface DayProps {
  readonly data: Overview;
  readonly day: string;
  readonly caption: string;
  readonly span: Query;
}

function FlowsOf({ data, day, caption, span }: DayProps) {
  const { flows, currency } = data;
  const prices = pricesOf(data);
  const netValueOf = (row: Flow) => productOf(row.net_amount, prices.get(row.asset_id ?? '') ?? null);
  // Floats only decide on the order.
  const rank = (row: Flow) =>
    (Number(row.in_amount ?? 0) + Number(row.out_amount ?? 0)) * Number(prices.get(row.asset_id ?? '') ?? 0);
  const all = flows.data
    .filter((row) => row.day === day)
    .toSorted((a, b) => rank(b) - rank(a) || (a.asset_id ?? '').localeCompare(b.asset_id ?? ''));
  const isPart = all.length > shown || flows.next_cursor !== null;
  const query = { status: 'completed', ...span };
  return (
    <Table
      caption={isPart ? `${caption}: the ${shown} assets that moved most` : caption}
      isCounted={isPart}
      noun="asset"
      columns={columnsOf(query, currency, netValueOf)}
      rows={all.slice(0, shown)}
      empty={`${caption}: ${emptyOf(data)}`}
      source={{ path: '/v1/flows', query: { day_from: day, day_to: day } }}
    />
  );
}

function emptyOf(data: Overview): string {
  if (data.flows.state === 'pending') return 'being computed; reload in a moment.';
  if (data.flows.state === 'failed') return 'unknown: it could not be computed.';
  return emptyWords(data, 'transactions', 'no deposit or withdrawal was completed.');
}

function movement(row: MovementValue) {
  const isIn = row.direction === 'in';
  const other = row.counterparty_name ?? row.counterparty_address;
  return [
    <Link to={transactionPath(row.transaction_id)}>
      {isIn ? 'In' : 'Out'} <Amount value={row.amount} {...short} />{' '}
      <UntrustedText text={row.asset_id} most={40} />
    </Link>,
    ' ',
    other !== null && [isIn ? 'from ' : 'to ', <UntrustedText text={other} most={28} />, ' '],
    <span class="soft">
      (<Money value={row.value} currency={row.currency} />, <Moment at={row.settled_at} as="short" />)
    </span>,
  ];
}

function columnsOf(
  query: Query,
  currency: string | null,
  netValueOf: (row: Flow) => string | null,
): readonly Column<Flow>[] {
  return [
    { title: 'Asset', isPlain: true, cell: (row) => <AssetOn row={row} /> },
    amountColumn('In', (row) => row.in_amount, short),
    amountColumn('Out', (row) => row.out_amount, short),
    amountColumn('Net', (row) => row.net_amount, { ...short, signed: true }),
    ...moneyColumns('Net value now', currency, netValueOf, { none: '–', signed: true }),
    numberColumn('Transactions', (row) => <Counts row={row} query={query} />),
  ];
}

/**
 * Their number, as a link to them: transfers, staking and the like move nothing in or out, and do not count.
 */
function Counts({ row, query }: { readonly row: Flow; readonly query: Query }) {
  const { asset_id, network_id, deposits, withdrawals } = row;
  const count = (count: number, word: string, transaction_type: string) => {
    if (count === 0) return null;
    const isNamed = asset_id !== null && network_id !== null;
    const to = ['/transactions', { ...query, transaction_type, asset_id, network_id }] as const;
    return <Link to={isNamed ? to : null}>{`${grouped(count)} ${word}`}</Link>;
  };
  return (
    <>
      {count(deposits, 'in', 'deposit')}
      {deposits > 0 && withdrawals > 0 ? ', ' : null}
      {count(withdrawals, 'out', 'withdraw')}
    </>
  );
}
