// Transactions: filters, search, and one page of rows after the other.

import type { Ask, MovementValue, Rows, Unknown } from '../api/ask.ts';
import { grouped, onOneLine, operationOf } from '../api/words.ts';
import { type Content, parametersOf } from '../page/page.ts';
import { Chips, choice, type Field, Filters, Jumps } from '../parts/form.tsx';
import { Notice, stuckOnly, typeWords, UnknownNotice } from '../parts/notice.tsx';
import { type Column, column, Table } from '../parts/table.tsx';
import { Link, Moment, UntrustedText } from '../parts/values.tsx';
import { lastDays, lastWeek } from '../view/moments.ts';
import { currencyName } from '../view/numbers.ts';
import { accountOf, addressOf, transactionPath, type View, ViewProvider, withQuery } from '../view/view.ts';
import { columnsOf, currencyOf, isAddressable, type Row, statuses, valuesOf } from './rows.tsx';

const rowsOfPage = 50;

export const transactionsPage: Content = {
  parameters: operationOf('listTransactions').parameters,
  async show({ params, view, ask }) {
    const asked = { limit: rowsOfPage, ...params };
    const found = await ask.known('listTransactions', asked);
    const only = theOnlyOne(view, found);
    if (only !== null) return { location: only };
    return {
      title: 'Transactions',
      content: [
        <div class="chips">
          <Jumps jumps={viewsOf(view, await openOf(view, ask))} />
          <Chips links={links} />
          <Filters
            label="Filter transactions"
            fields={[...filters, await vaultField(ask), order, ...moreFilters]}
            keep={['is_open']}
          />
        </div>,
        found.unknown ? (
          notFound(view, found.unknown)
        ) : (
          <>
            {searched(view, found.data.length)}
            <Table
              id="transactions"
              isLinked
              caption={captionOf(view)}
              noun="transaction"
              columns={columnsOf(await valuesOf(ask, found.data, params['asset_id']))}
              rows={found}
              empty={namesOf(view)[0] ? 'No transaction matches.' : 'The account has no transactions.'}
              source={{ path: '/v1/transactions', query: asked }}
            />
          </>
        ),
      ],
    };
  },
};

const mostCounted = 100;

/** How many are open, up to a limit; null if the address selects something else. */
async function openOf({ query }: View, ask: Ask): Promise<string | null> {
  const plain = ['account', 'is_open', 'sort', 'cursor'];
  if (Object.keys(query).some((name) => !plain.includes(name))) return null;
  const asked = { is_open: true, limit: mostCounted };
  const { data, next_cursor, unknown } = await ask.known('listTransactions', asked);
  if (unknown !== null) return null;
  return next_cursor === null ? String(data.length) : `over ${mostCounted}`;
}

/** Open transactions and the most common selections, with their counts where these cost nothing. */
function viewsOf(view: View, open: string | null) {
  const { now, zone } = view;
  const all = accountOf(view)?.transactions_total;
  const since = { is_open: null, first_seen_to: null };
  return [
    [open === null ? 'Open' : `Open ${open}`, { is_open: 'true' }],
    ['Settled', { is_open: 'false' }],
    [open === null || all === undefined ? 'All' : `All ${grouped(all)}`, { is_open: null }],
    ['This week', { ...since, first_seen_from: lastWeek(now, zone).to }],
    ['Last 7 days', { ...since, first_seen_from: lastDays(now, zone, 7).from }],
    ['Stuck', { ...stuckOnly(now), first_seen_from: null }],
  ] as const;
}

const links = [
  ['Not whitelisted', ['/documents/payments', { is_whitelisted: false }]],
  ['Large', ['/movements', { value_from: '100000' }]],
] as const;

const filters: readonly Field[] = [
  { name: 'search', label: 'Search' },
  { name: 'status', label: 'Status', choices: statuses },
  { name: 'transaction_type', label: 'Type', choices: typeWords },
  { name: 'asset_id', label: 'Asset' },
];

const order: Field = {
  name: 'sort',
  label: 'Order',
  any: 'first seen, newest first',
  choices: [
    ['first_seen_at', 'first seen, oldest first'],
    ['-changed_at', 'last changed, newest first'],
    ['changed_at', 'last changed, oldest first'],
    ['transaction_id', 'identifier'],
  ],
};

const moreFilters: readonly Field[] = [
  { name: 'network_id', label: 'Network' },
  { name: 'destination_id', label: 'Destination, by its identifier' },
  { name: 'destination_address', label: 'Address of the destination' },
  { name: 'source_address', label: 'Address of the source' },
  { name: 'amount_from', label: 'Amount from' },
  { name: 'amount_to', label: 'Amount to' },
  { name: 'first_seen_from', label: 'First seen from', kind: 'moment' },
  { name: 'first_seen_to', label: 'First seen before', kind: 'moment' },
  { name: 'changed_from', label: 'Changed from', kind: 'moment' },
  { name: 'changed_to', label: 'Changed before', kind: 'moment' },
  { name: 'settled_from', label: 'Settled from', kind: 'moment' },
  { name: 'settled_to', label: 'Settled before', kind: 'moment' },
  choice('missing', 'No longer listed by the service', { true: 'only these', false: 'excluded' }, 'included'),
  { name: 'at', label: 'As of', kind: 'moment' },
];

/** The vaults as a choice; while they are unknown, or where they are too many, the identifier is typed. */
async function vaultField(ask: Ask): Promise<Field> {
  const { data: vaults, next_cursor } = await ask.known('listVaults', { limit: 500 });
  if (next_cursor !== null || vaults.length === 0)
    return { name: 'vault', label: 'Vault, by its identifier' };
  const choices = vaults
    .map(({ vault_id, name }) => [vault_id, onOneLine(name ?? vault_id).slice(0, 60)] as const)
    .toSorted(([, a], [, b]) => (a < b ? -1 : 1));
  return { name: 'vault', label: 'Vault, on either side', choices };
}

/** A search without other filters that finds one transaction leads to it. */
function theOnlyOne(view: View, { data: [only, other], next_cursor }: Rows<Row>): string | null {
  const isOne = other === undefined && next_cursor === null && namesOf(view).join() === 'search';
  return isOne && only && isAddressable(only.transaction_id)
    ? addressOf(view, transactionPath(only.transaction_id))
    : null;
}

function captionOf({ query }: View): string {
  if (query['search'] !== undefined) return 'Transactions found';
  return query['is_open'] === 'true' ? 'Open transactions' : 'Transactions';
}

function namesOf({ query }: View): readonly string[] {
  return Object.keys(query).filter((name) => name !== 'account');
}

/** What was searched, so that nobody takes no match for no data. */
function searched({ query: { search } }: View, count: number) {
  if (search === undefined) return null;
  return (
    <p class="small">
      {count === 0 ? 'Nothing found for ' : 'Found for '}
      <strong>
        “<UntrustedText text={search} most={120} />”
      </strong>
      . Searched in present data: identifiers, hashes, addresses, amounts, memos and notes of transactions,
      and identifiers and names of vaults and whitelist entries. Every word must match; words of six or more
      characters also match as prefixes, and 0xf72a…71e0 matches by beginning and end.
    </p>
  );
}

function notFound({ query }: View, { kind, why }: Unknown) {
  if (kind !== 'too-many-matches') return <UnknownNotice title="Not known" why={why} />;
  return (
    <Notice tone="note" title={`Too many matches for “${onOneLine(query['search'] ?? '').slice(0, 120)}”`}>
      <p>
        More than 1,000 transactions match, so none are shown. Make the search longer, or clear it and filter
        by vault, destination, asset or time instead.
      </p>
    </Notice>
  );
}

// Deposits and withdrawals by value, the greatest first, above a value that the address names.

const defaultDays = 7;
const thresholds = [10_000, 100_000, 1_000_000].map(
  (value) => [grouped(value), { value_from: String(value) }] as const,
);

const movementFields: readonly Field[] = [
  { name: 'value_from', label: 'Value at least' },
  { name: 'currency', label: 'Currency' },
  { name: 'direction', label: 'Direction', choices: ['in', 'out'] },
  { name: 'asset_id', label: 'Asset' },
  { name: 'settled_from', label: 'Completed from', kind: 'moment' },
  { name: 'settled_to', label: 'Completed before', kind: 'moment' },
];

export const movementsPage: Content = {
  parameters: parametersOf('listMovementValues', ...movementFields.map(({ name }) => name), 'cursor'),
  async show({ params, view, ask }) {
    const { settled_from, settled_to } = params;
    const from = settled_from ?? lastDays(settled_to ?? view.now, view.zone, defaultDays).from;
    const currency = params['currency'] ?? (await currencyOf(ask, { settled_from: from, settled_to }));
    const query = { ...params, currency, settled_from: from, sort: '-value', limit: rowsOfPage };
    const found = await ask('listMovementValues', query);
    // The next page covers the same time and currency, even when its address is opened on another day.
    const pinned = withQuery(view, { settled_from: from });
    const paged = withQuery(pinned, currency === undefined ? {} : { currency });
    return {
      title: 'Large movements',
      content: [
        <div class="chips">
          <Jumps label="Value at least" jumps={thresholds} />
          <ViewProvider value={pinned}>
            <Filters label="Movements" fields={movementFields} />
          </ViewProvider>
        </div>,
        <p>
          Deposits and withdrawals completed from <Moment at={from} />
          {settled_to === undefined ? ' until now' : [' to ', <Moment at={settled_to} />]}, valued at the
          prices of then. One without a price is not among them.
        </p>,
        <ViewProvider value={paged}>
          <Table
            isLinked
            caption="Movements, largest value first"
            noun="movement"
            columns={movementColumns(currency ?? '')}
            rows={found}
            empty="No movement in this time reaches that value, at the known prices."
            source={{ path: '/v1/movements/values', query }}
          />
        </ViewProvider>,
      ],
    };
  },
};

function movementColumns(currency: string): readonly Column<MovementValue>[] {
  return [
    column.plain('Completed', ({ transaction_id, settled_at }) => (
      <Link to={transactionPath(transaction_id)}>
        <Moment at={settled_at} as="short" />
      </Link>
    )),
    column.plain('What', ({ direction }) => (direction === 'in' ? 'In' : 'Out')),
    column.amount('Amount', (row) => row.amount, { unitOf: (row) => row.asset_id, isPlain: true }),
    ...column.money<MovementValue>(`Value (${currencyName(currency)})`, currency, ({ value }) => value, {
      isPlain: true,
    }),
    column.plain('From or to', ({ counterparty_name: name, counterparty_address: address }) => {
      if (name) return <UntrustedText text={name} most={28} />;
      return <UntrustedText text={address} code most={16} none="not named" />;
    }),
  ];
}
