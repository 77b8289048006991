// Lists of the overview: the greatest holdings by value, and the oldest transactions in progress.

import type { Child } from 'hono/jsx';
import type { BalanceSplit, Flow, MovementValue, Transaction } from '../api/ask.ts';
import { counted, grouped, lengthInWords } from '../api/words.ts';
import { AssetOn, assetKey, byValue, shareColumn, trendColumn } from '../parts/drawings.tsx';
import { Badge, isStuck, List, typeInWords } from '../parts/notice.tsx';
import { type Column, column, Table } from '../parts/table.tsx';
import { Amount, Link, Moment, Money, short, shownTime, UntrustedText } from '../parts/values.tsx';
import { isSome, negated, productOf, sumOf } from '../view/numbers.ts';
import { type Query, transactionPath, useView, type View } from '../view/view.ts';
import { emptyWords, type Overview, pricesOf, readState, valueIn } from './load.ts';

interface PartProps {
  readonly id: string;
  readonly title: string;
  readonly children: Child;
  readonly more?: Child;
}

export function Part({ id, title, children, more }: PartProps) {
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
      {more === undefined ? null : <p class="beside">{more}</p>}
    </section>
  );
}

function PartOnly({ data, what }: { readonly data: Overview; readonly what: string }) {
  if (readState(data, 'transactions') !== 'in part') return null;
  return <p class="left-out">Not all transactions have been read yet: {what} are incomplete.</p>;
}

const mostHoldings = 10;

export function Holdings({ data }: { readonly data: Overview }) {
  const before = valuesBefore(data);
  const held = [...data.balances.data, ...soldSince(data)]
    .filter((row) => row.all_is_known === false || isSome(row.all_total) || isSome(before(row)))
    .toSorted((a, b) => Number(a.all_is_known) - Number(b.all_is_known) || byValue(a, b));
  const hasMore = data.balances.next_cursor !== null;
  const count = `${hasMore ? 'more than ' : ''}${counted(held.length, 'asset')}`;
  const isPart = held.length > mostHoldings || hasMore;
  return (
    <Part
      id="holdings"
      title="Greatest holdings"
      more={<Link to="/balances">{isPart ? `All balances: ${count} held` : 'All balances'}</Link>}
    >
      <Table
        caption={isPart ? `The first ${mostHoldings} of ${count} held` : 'Every asset held'}
        isCounted={isPart}
        isLinked
        noun="asset"
        columns={holdingColumns(data)}
        rows={held.slice(0, mostHoldings)}
        empty={emptyWords(data, 'balances', 'The account holds nothing.')}
        source={{ path: '/v1/balances/split', query: { currency: data.currency } }}
      />
    </Part>
  );
}

type AssetOf = Parameters<typeof assetKey>[0];

/** The value of an asset at the end of yesterday; null where unknown. What was not listed then was nothing. */
function valuesBefore({ before, valueDays, days }: Overview): (row: AssetOf) => string | null {
  const values = new Map(before.data.map((row) => [assetKey(row), row.total_value]));
  const wasRead = valueDays.data.some(({ day }) => day === days.yesterday);
  const unlisted = before.state === 'known' && before.next_cursor === null && wasRead ? '0' : null;
  return (row) => values.get(assetKey(row)) ?? (values.has(assetKey(row)) ? null : unlisted);
}

/** What was held at the end of yesterday and is no longer listed: nothing is left of it. */
function soldSince({ balances, before }: Overview) {
  const listed = new Set(balances.data.map(assetKey));
  if (balances.next_cursor !== null) return [];
  return before.data
    .filter((row) => isSome(row.total_value) && !listed.has(assetKey(row)))
    .map((row) => ({ ...row, all_total: '0', all_is_known: true, total_value: '0' }));
}

function holdingColumns(data: Overview): readonly Column<BalanceSplit>[] {
  const { currency } = data;
  const before = valuesBefore(data);
  const change = (row: BalanceSplit) =>
    row.total_value === null ? null : sumOf([row.total_value, negated(before(row))]);
  const isPending = [data.before, data.valueDays].some(({ state }) => state === 'pending');
  return [
    { title: 'Asset', isPlain: true, cell: (row) => <AssetOn row={row} /> },
    column.amount('Held', (row) => row.all_total, short),
    ...column.money<BalanceSplit>('Value', currency, (row) => row.total_value, {
      none: (row) => (row.price === null ? 'no price' : 'unknown'),
    }),
    ...(currency === null ? [] : [shareColumn<BalanceSplit>(valueIn(data, 'all')?.total_value)]),
    ...column.money('Since yesterday', currency, change, {
      none: isPending ? 'being computed' : '–',
      signed: true,
    }),
    trendColumn(data.trends.data),
  ];
}

const mostOpen = 6;

export function InProgress({ data }: { readonly data: Overview }) {
  const view = useView();
  const { data: open, next_cursor } = data.open;
  const count = next_cursor !== null ? `more than ${open.length}` : String(open.length);
  const isPart = open.length > mostOpen;
  return (
    <Part
      id="open"
      title="In progress"
      more={
        <Link to={['/transactions', { is_open: 'true' }]}>
          {isPart ? `All ${count} open transactions` : 'Open transactions'}
        </Link>
      }
    >
      <PartOnly data={data} what="these" />
      <Table
        caption={
          isPart
            ? `The oldest ${mostOpen} of ${count} open transactions`
            : 'Open transactions, the oldest first'
        }
        isCounted={isPart}
        isLinked
        noun="transaction"
        columns={openColumns(view)}
        rows={open.slice(0, mostOpen)}
        empty={emptyWords(data, 'transactions', 'Nothing is in progress.')}
        source={{ path: '/v1/transactions', query: { is_open: true, sort: 'first_seen_at' } }}
      />
    </Part>
  );
}

function openColumns(view: View): readonly Column<Transaction>[] {
  const since = (moment: string) => lengthInWords(Date.parse(view.now) - Date.parse(moment));
  return [
    column.plain('Type', (row) => (
      <Link to={transactionPath(row.transaction_id)}>{typeInWords(row.transaction_type)}</Link>
    )),
    column.amount('Amount', (row) => row.amount, short),
    { title: 'Asset', cell: (row) => <AssetOn row={{ ...row, asset_name: null }} /> },
    { title: 'Counterparty', cell: (row) => <OtherSide row={row} /> },
    column.of('Status', (row) => [
      <UntrustedText text={row.status} most={40} />,
      <span class="soft"> for {since(row.status_since)}</span>,
    ]),
    column.of('Open for', (row) => [
      row.is_older_than_mirror ? 'at least ' : '',
      <time datetime={row.first_seen_at} title={`first seen ${shownTime(row.first_seen_at, view)}`}>
        {since(row.first_seen_at)}
      </time>,
      ' ',
      isStuck(row, view) ? <Badge word="stuck" tone="bad" /> : null,
    ]),
  ];
}

function OtherSide({ row }: { readonly row: Transaction }) {
  const other = row.counterparty_name ?? row.counterparty_address ?? row.counterparty_id;
  if (other === null || other === '') return <span class="soft">not named</span>;
  return (
    <>
      <span class="soft">{row.direction === 'in' ? 'from' : 'to'}</span>{' '}
      <UntrustedText text={other} most={28} />
    </>
  );
}

// What came in and went out today and yesterday: by asset, and the largest movements.

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
    column.amount('In', (row) => row.in_amount, short),
    column.amount('Out', (row) => row.out_amount, short),
    column.amount('Net', (row) => row.net_amount, { ...short, signed: true }),
    ...column.money('Net value now', currency, netValueOf, { none: '–', signed: true }),
    column.number('Transactions', (row) => <Counts row={row} query={query} />),
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
