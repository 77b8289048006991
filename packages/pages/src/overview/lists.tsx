// Lists of the overview: the greatest holdings by value, and the oldest transactions in progress.

import type { Child } from 'hono/jsx';
import type * as api from '../api/ask.ts';
import { counted, grouped, lengthInWords } from '../api/words.ts';
import {
  AllocationBar,
  AssetOn,
  assetKey,
  byValue,
  Chart,
  LeftOut,
  type Share,
  StackedBar,
  shareColumn,
  trendColumn,
  unknownHolding,
} from '../parts/drawings.tsx';
import { Choice } from '../parts/form.tsx';
import { Badge, isStuck, List, typeInWords } from '../parts/notice.tsx';
import { type Column, column, Table } from '../parts/table.tsx';
import {
  Amount,
  Change,
  Link,
  type LinkProps,
  Moment,
  Money,
  short,
  shownTime,
  UntrustedText,
} from '../parts/values.tsx';
import { isSome, negated, productOf, sumOf } from '../view/numbers.ts';
import { type Query, transactionPath, useView, type View } from '../view/view.ts';
import { type Days, emptyWords, mostHoldings, type Overview, pricesOf, readState, valueIn } from './load.ts';

interface PartProps {
  readonly id: string;
  readonly title: string;
  readonly children: Child;
  readonly more?: Child;
}

function Part({ id, title, children, more }: PartProps) {
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
      {more && <p class="beside">{more}</p>}
    </section>
  );
}

function PartOnly({ data, what }: { readonly data: Overview; readonly what: string }) {
  if (readState(data, 'transactions') !== 'in part') return null;
  return <p class="left-out">Not all transactions have been read yet: {what} are incomplete.</p>;
}

export function Holdings({ data }: { readonly data: Overview }) {
  const { balances, before } = data;
  const rows = holdingsOf(data);
  const held = rows.filter(isHeld);
  const hasMore = [balances, before].some(({ next_cursor }) => next_cursor !== null);
  const isPart = rows.length > mostHoldings || hasMore;
  const when = held.length < rows.length ? 'held now or yesterday' : 'held';
  const count = (of: typeof rows, isMore: boolean) =>
    `${isMore ? 'more than ' : ''}${counted(of.length, 'asset')}`;
  const all = `All balances: ${count(held, balances.next_cursor !== null)} held`;
  return (
    <Part
      id="holdings"
      title="Greatest holdings"
      more={<Link to="/balances">{isPart ? all : 'All balances'}</Link>}
    >
      <Table
        caption={
          isPart ? `The first ${mostHoldings} of ${count(rows, hasMore)} ${when}` : `Every asset ${when}`
        }
        isCounted={isPart}
        isLinked
        noun="asset"
        columns={holdingColumns(data)}
        rows={rows.slice(0, mostHoldings).toSorted(unknownFirst(byValue))}
        empty={emptyWords(data, 'balances', 'The account holds nothing.')}
        source={{ path: '/v1/balances/split', query: { currency: data.currency } }}
      />
    </Part>
  );
}

interface Holding extends api.BalanceSplit {
  /** Its value at the end of yesterday; null where that is unknown. */
  readonly valueBefore: string | null;
}

const isHeld = (row: api.BalanceSplit) => row.all_is_known === false || isSome(row.all_total);
const nothing = { all_total: '0', all_is_known: true, total_value: '0' };

/**
 * What is held, and what was sold whole since the end of yesterday: first what is unknown, then by value. For
 * what was sold that is the value of yesterday, so that a great one is in sight.
 */
function holdingsOf({ balances, isWhole, before, wasWhole }: Overview): readonly Holding[] {
  const listed = new Set(balances.data.map(assetKey));
  const then = new Map(before.data.map((row) => [assetKey(row), row]));
  // A list that is cut lacks assets that are held, but none of the greatest of before.
  const unlisted = before.data
    .slice(0, balances.next_cursor === null ? undefined : mostHoldings)
    .filter((row) => isHeld(row) && !listed.has(assetKey(row)))
    .map((row) => ({ ...row, ...(isWhole ? nothing : unknownHolding) }));
  const unlistedBefore = before.state === 'known' && before.unknown === null && wasWhole ? '0' : null;
  const valueBefore = (row: api.BalanceSplit) => {
    const was = then.get(assetKey(row));
    return was === undefined || was.all_is_known === null ? unlistedBefore : was.total_value;
  };
  const ranked = (row: Holding) => (isHeld(row) ? row : { ...row, total_value: row.valueBefore });
  return [...balances.data, ...unlisted]
    .map((row) => ({ ...row, ...(row.all_is_known === null ? nothing : {}), valueBefore: valueBefore(row) }))
    .filter((row) => isHeld(row) || isSome(row.valueBefore))
    .toSorted(unknownFirst((a, b) => byValue(ranked(a), ranked(b))));
}

type Order = (a: Holding, b: Holding) => number;

const unknownFirst =
  (order: Order): Order =>
  (a, b) =>
    Number(a.all_is_known) - Number(b.all_is_known) || order(a, b);

function holdingColumns(data: Overview): readonly Column<Holding>[] {
  const { currency } = data;
  const change = (row: Holding) => sumOf([row.total_value, negated(row.valueBefore)]);
  const none = (row: Holding) =>
    data.before.state === 'pending' ? 'being computed' : row.price === null ? '–' : 'unknown';
  const noValue = (row: Holding) => (row.price === null ? 'no price' : 'unknown');
  return [
    column.plain('Asset', (row) => <AssetOn row={row} />),
    column.amount('Held', (row) => row.all_total, short),
    ...column.money('Value', currency, (row: Holding) => row.total_value, { none: noValue }),
    ...(currency === null ? [] : [shareColumn<Holding>(valueIn(data, 'all')?.total_value)]),
    ...column.money('Since yesterday', currency, change, { none, signed: true }),
    trendColumn(data.trends.data),
  ];
}

const mostOpen = 6;

export function InProgress({ data }: { readonly data: Overview }) {
  const view = useView();
  const { data: open, next_cursor } = data.open;
  const count = next_cursor !== null ? `more than ${open.length}` : String(open.length);
  const isPart = open.length > mostOpen;
  const first = `The oldest ${mostOpen} of ${count} open transactions`;
  const all = isPart ? `All ${count} open transactions` : 'Open transactions';
  return (
    <Part id="open" title="In progress" more={<Link to={['/transactions', { is_open: 'true' }]}>{all}</Link>}>
      <PartOnly data={data} what="these" />
      <Table
        caption={isPart ? first : 'Open transactions, the oldest first'}
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

function openColumns(view: View): readonly Column<api.Transaction>[] {
  const since = (moment: string) => lengthInWords(Date.parse(view.now) - Date.parse(moment));
  return [
    column.plain('Type', (row) => (
      <Link to={transactionPath(row.transaction_id)}>{typeInWords(row.transaction_type)}</Link>
    )),
    column.amount('Amount', (row) => row.amount, short),
    { title: 'Asset', cell: (row) => <AssetOn row={{ ...row, asset_name: null }} /> },
    column.of('Counterparty', ({ direction, ...row }) => {
      const other = row.counterparty_name ?? row.counterparty_address ?? row.counterparty_id;
      if (!other) return <span class="soft">not named</span>;
      const word = <span class="soft">{direction === 'in' ? 'from' : 'to'}</span>;
      return [word, ' ', <UntrustedText text={other} most={28} />];
    }),
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

// What came in and went out today and yesterday: by asset, and the largest movements.

const shown = 6;

export function Flows({ data }: { readonly data: Overview }) {
  const { days, flows, largest } = data;
  const { today, yesterday, since } = days;
  const start = days.startOf(today);
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
      {flowsOf(data, today, 'Today, since the end of yesterday', { settled_from: start })}
      {flowsOf(data, yesterday, 'Yesterday', { settled_from: since, settled_to: start })}
      {largest.data.length > 0 && [
        <h3>Largest movements of both days</h3>,
        <List class="items" items={largest.data.map(movement)} />,
      ]}
    </Part>
  );
}

function flowsOf(data: Overview, day: string, caption: string, span: Query) {
  const { flows, currency } = data;
  const prices = pricesOf(data);
  const netValueOf = (row: api.Flow) => productOf(row.net_amount, prices.get(row.asset_id ?? '') ?? null);
  // Floats only decide on the order.
  const rank = (row: api.Flow) =>
    (Number(row.in_amount ?? 0) + Number(row.out_amount ?? 0)) * Number(prices.get(row.asset_id ?? '') ?? 0);
  const all = flows.data
    .filter((row) => row.day === day)
    .toSorted((a, b) => rank(b) - rank(a) || (a.asset_id ?? '').localeCompare(b.asset_id ?? ''));
  const isPart = all.length > shown || flows.next_cursor !== null;
  const columns: readonly Column<api.Flow>[] = [
    column.plain('Asset', (row) => <AssetOn row={row} />),
    ...column.amounts<api.Flow>({ In: 'in_amount', Out: 'out_amount' }, short),
    column.amount('Net', (row) => row.net_amount, { ...short, signed: true }),
    ...column.money('Net value now', currency, netValueOf, { none: '–', signed: true }),
    column.number('Transactions', (row) => countsOf(row, { status: 'completed', ...span })),
  ];
  return (
    <Table
      caption={isPart ? `${caption}: the ${shown} assets that moved most` : caption}
      isCounted={isPart}
      noun="asset"
      columns={columns}
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

function movement(row: api.MovementValue) {
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

/**
 * Their number, as a link to them: transfers, staking and the like move nothing in or out, and do not count.
 */
function countsOf({ asset_id, network_id, deposits, withdrawals }: api.Flow, query: Query) {
  const count = (count: number, word: string, transaction_type: string) => {
    if (count === 0) return null;
    const isNamed = asset_id !== null && network_id !== null;
    const to = ['/transactions', { ...query, transaction_type, asset_id, network_id }] as const;
    return <Link to={isNamed ? to : null}>{`${grouped(count)} ${word}`}</Link>;
  };
  return [
    count(deposits, 'in', 'deposit'),
    deposits > 0 && withdrawals > 0 ? ', ' : null,
    count(withdrawals, 'out', 'withdraw'),
  ];
}

// The total value of the holdings: the sum with what it leaves out, its change since the end of yesterday and
// over 30 days, and how it is distributed.

interface ValueProps {
  readonly data: Overview;
  readonly currency: string;
}

export function TotalValue({ data, currency }: ValueProps) {
  const all = valueIn(data, 'all');
  if (all === undefined) return null;
  return (
    <Part id="value" title="Total value">
      <p class="figure large">
        <Money value={all.valued > 0 ? all.total_value : null} currency={currency} />
      </p>
      <SinceYesterday data={data} currency={currency} />
      <LeftOut row={all} />
      <Currencies data={data} />
      <ValueChart data={data} currency={currency} />
    </Part>
  );
}

function SinceYesterday({ data, currency }: ValueProps) {
  const { valueDays, days } = data;
  const now = valueIn(data, 'all');
  const then = valueDays.data.find(({ day }) => day === days.yesterday);
  if (valueDays.state === 'pending') return null;
  const why = whyUnknown(data, now, then) ?? whyNotAlike(data);
  const change = why === null ? sumOf([now?.total_value ?? null, negated(then?.total_value ?? null)]) : null;
  const to = then === undefined ? null : (['/balances', { at: days.yesterday, currency }] as const);
  const end = <Link to={to}>end of yesterday</Link>;
  const unknown = why === null ? ': unknown.' : `: unknown, ${why}.`;
  if (change === null) return <p class="soft">{['Since the ', end, unknown]}</p>;
  const flows = flowsToday(data);
  return (
    <>
      <p>
        <Change value={change} since={then?.total_value ?? null} currency={currency} />{' '}
        <span class="soft">
          since the {end} (<Link to={['/balances', { compare: days.yesterday, currency }]}>by asset</Link>)
        </span>
      </p>
      {flows === null ? null : (
        <p class="small">
          <Money value={flows} currency={currency} signed /> by deposits and withdrawals,{' '}
          <Money value={sumOf([change, negated(flows)])} currency={currency} signed /> by prices and
          everything else
        </p>
      )}
    </>
  );
}

/** The flows of today at present prices; null where unknown. */
function flowsToday(data: Overview): string | null {
  const { flows, days } = data;
  if (flows.state !== 'known' || flows.next_cursor !== null) return null;
  const prices = pricesOf(data);
  const priced = flows.data.flatMap(({ day, asset_id, net_amount }) => {
    const price = prices.get(asset_id ?? '');
    // What is no longer listed was in the value of yesterday, and its price is not known here.
    return day !== days.today || price === null ? [] : [productOf(net_amount, price ?? null)];
  });
  return sumOf(priced);
}

type Figures = Pick<api.PortfolioValue, 'total_value' | 'without_price' | 'unknown'>;

function whyUnknown(data: Overview, now: Figures | undefined, then: Figures | undefined): string | null {
  if (now === undefined || then === undefined) return 'no balance was observed or priced yesterday';
  if (now.unknown + then.unknown > 0 || !data.isWhole || !data.wasWhole) return 'a balance could not be read';
  return now.without_price === then.without_price ? null : otherPrices;
}

const otherPrices = 'different assets had prices';

/** The same, by assets without a price: one may have got a price, and another lost its own. */
function whyNotAlike(data: Overview): string | null {
  const { balances, before } = data;
  if (valueIn(data, 'all')?.without_price === 0) return null;
  if (before.state !== 'known' || (before.next_cursor ?? balances.next_cursor) !== null)
    return 'whether the same assets had prices is not known';
  const [now, then] = [balances.data, before.data].map((rows) =>
    rows
      .filter(({ price, all_total }) => price === null && isSome(all_total))
      .map(assetKey)
      .toSorted(),
  );
  return String(now) === String(then) ? null : otherPrices;
}

export function Currencies({ data }: { readonly data: Pick<Overview, 'sums' | 'currency'> }) {
  const all = [...new Set(data.sums.map(({ currency }) => currency))];
  if (all.length < 2 && data.currency !== null) return null;
  return (
    <p class="small">
      Currency:{' '}
      {all.map((each) => [
        <Choice name="currency" value={each} word={each} isChosen={each === data.currency} />,
        ' ',
      ])}
    </p>
  );
}

function ValueChart({ data: { valueDays, days }, currency }: ValueProps) {
  if (valueDays.state === 'pending')
    return <p class="soft">The value of the last 30 days is being computed.</p>;
  const points = days.chart.map((day) => pointOf(day, valueDays.data, days));
  const gaps = points.filter(({ value }) => value === null).length;
  if (points.length - gaps < 2) return null;
  const why = 'nothing was observed, or an asset held had no price or could not be read';
  return (
    <Chart
      title="Value over 30 days"
      moments={points.map(({ at }) => at)}
      series={[{ title: `Value in ${currency}`, values: points.map(({ value }) => value) }]}
      unit={currency}
      decimals={2}
      isSmall
    >
      {gaps > 0 && `${counted(gaps, 'day')} unknown: ${why}.`}
    </Chart>
  );
}

/** A day whose sum leaves out more than that of the last day is a gap: the two cannot be compared. */
function pointOf(day: string, rows: readonly api.PortfolioValueDay[], { today, startOf }: Days) {
  const row = rows.find((each) => each.day === day);
  const last = rows.find((each) => each.day === today) ?? rows[0];
  const at = row?.observed_at ?? startOf(day);
  if (row === undefined || row.valued === 0 || row.unknown > 0) return { at, value: null };
  return { at, value: row.without_price <= (last?.without_price ?? 0) ? row.total_value : null };
}

export function Allocation({ data, currency }: ValueProps) {
  const all = valueIn(data, 'all');
  if (all === undefined || all.valued === 0) return null;
  const whole = all.total_value;
  const share = (name: string, value: string | null, to: LinkProps['to'], unknown = 0): Share => ({
    name: <Link to={to}>{name}</Link>,
    value,
    figure: [
      <Money value={value} currency={currency} />,
      unknown > 0 && (
        <span class="left-out"> without {counted(unknown, 'balance')} that could not be read</span>
      ),
    ],
  });
  const inVaults = (name: string, type: 'warm' | 'cold') => {
    const row = valueIn(data, type);
    // An observation that lists nothing means zero.
    const isEmpty =
      row === undefined && data.balances.data.every((each) => each[`${type}_is_known`] === null);
    const value = row !== undefined && row.valued > 0 ? row.total_value : isEmpty ? '0' : null;
    return share(name, value, ['/balances', { vault_type: type }], row?.unknown);
  };
  const byVaults = [inVaults('Warm', 'warm'), inVaults('Cold', 'cold')];
  const parts: LinkProps['to'] = ['/balances', { vault_type: 'all' }];
  const byState = [
    share('Available', all.available_value, parts),
    share('Processing', all.processing_value, parts),
    share('Staked', all.staking_value, parts),
    share('Claimable', all.claimable_value, parts),
  ];
  return (
    <Part id="allocation" title="Allocation">
      <AllocationBar rows={data.balances.data} whole={whole} currency={currency} />
      <div class="facts">
        <StackedBar title="By vaults" whole={whole} shares={byVaults} />
        <StackedBar title="By state" whole={whole} shares={byState} />
      </div>
    </Part>
  );
}
