// Lists of the overview: the greatest holdings by value, and the oldest transactions in progress.
import type { Child } from 'hono/jsx';
import type { BalanceSplit, Transaction } from '../api/ask.ts';
import { counted, lengthInWords } from '../api/words.ts';
import { short } from '../parts/amount.tsx';
import { AssetOn, assetKey, byValue, shareColumn, trendColumn } from '../parts/assets.tsx';
import { Badge, isStuck, typeInWords } from '../parts/notice.tsx';
import { amountColumn, type Column, column, moneyColumns, plainColumn, Table } from '../parts/table.tsx';
import { Link, shownTime, UntrustedText } from '../parts/values.tsx';
import { isSome, negated, sumOf } from '../view/numbers.ts';
import { transactionPath, useView, type View } from '../view/view.ts';
import { emptyWords, type Overview, readState, valueIn } from './load.ts';

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

export function PartOnly({ data, what }: { readonly data: Overview; readonly what: string }) {
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
    amountColumn('Held', (row) => row.all_total, short),
    ...moneyColumns<BalanceSplit>('Value', currency, (row) => row.total_value, {
      none: (row) => (row.price === null ? 'no price' : 'unknown'),
    }),
    ...(currency === null ? [] : [shareColumn<BalanceSplit>(valueIn(data, 'all')?.total_value)]),
    ...moneyColumns('Since yesterday', currency, change, {
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
    plainColumn('Type', (row) => (
      <Link to={transactionPath(row.transaction_id)}>{typeInWords(row.transaction_type)}</Link>
    )),
    amountColumn('Amount', (row) => row.amount, short),
    { title: 'Asset', cell: (row) => <AssetOn row={{ ...row, asset_name: null }} /> },
    { title: 'Counterparty', cell: (row) => <OtherSide row={row} /> },
    column('Status', (row) => [
      <UntrustedText text={row.status} most={40} />,
      <span class="soft"> for {since(row.status_since)}</span>,
    ]),
    column('Open for', (row) => [
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
