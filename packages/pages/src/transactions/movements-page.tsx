// Deposits and withdrawals by value, the greatest first, above a value that the address names.
import type { MovementValue } from '../api/ask.ts';
import { grouped } from '../api/words.ts';
import { type Page, parametersOf } from '../page/page.ts';
import { type Field, Filters, Jumps } from '../parts/form.tsx';
import { amountColumn, type Column, moneyColumns, plainColumn, Table } from '../parts/table.tsx';
import { Link, Moment, UntrustedText } from '../parts/values.tsx';
import { lastDays } from '../view/moments.ts';
import { transactionPath, ViewProvider } from '../view/view.ts';

const shownAtOnce = 50;
const defaultDays = 7;
const thresholds = [10_000, 100_000, 1_000_000];

const fields: readonly Field[] = [
  { name: 'value_from', label: 'Value at least' },
  { name: 'currency', label: 'Currency' },
  { name: 'direction', label: 'Direction', choices: ['in', 'out'] },
  { name: 'asset_id', label: 'Asset' },
  { name: 'settled_from', label: 'Completed from', kind: 'moment' },
  { name: 'settled_to', label: 'Completed before', kind: 'moment' },
];

export const movementsPage: Page = {
  path: '/movements',
  section: 'transactions',
  about: ['transactions'],
  parameters: parametersOf('listMovementValues', ...fields.map(({ name }) => name), 'cursor'),
  async show({ params, view, ask }) {
    const { settled_from, settled_to } = params;
    const from = settled_from ?? lastDays(settled_to ?? view.now, view.zone, defaultDays).from;
    const latest = async () =>
      (await ask('listMovementValues', { settled_from: from, settled_to, limit: 1 })).data[0]?.currency;
    const currency = params['currency'] ?? (await latest());
    const query = { ...params, currency, settled_from: from, sort: '-value', limit: shownAtOnce };
    const found = await ask('listMovementValues', query);
    // The next page covers the same time and currency, even when its address is opened on another day.
    const pinned = { ...view, query: { ...view.query, settled_from: from } };
    const paged = currency === undefined ? pinned : { ...pinned, query: { ...pinned.query, currency } };
    return {
      title: 'Large movements',
      content: [
        <div class="chips">
          <Jumps
            label="Value at least"
            jumps={thresholds.map((value) => [grouped(value), { value_from: String(value) }])}
          />
          <ViewProvider value={pinned}>
            <Filters label="Movements" fields={fields} />
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
            columns={columnsOf(currency ?? '')}
            rows={found}
            empty="No movement in this time reaches that value, at the known prices."
            source={{ path: '/v1/movements/values', query }}
          />
        </ViewProvider>,
      ],
    };
  },
};

function columnsOf(currency: string): readonly Column<MovementValue>[] {
  return [
    plainColumn('Completed', ({ transaction_id, settled_at }) => (
      <Link to={transactionPath(transaction_id)}>
        <Moment at={settled_at} as="short" />
      </Link>
    )),
    plainColumn('What', ({ direction }) => (direction === 'in' ? 'In' : 'Out')),
    amountColumn('Amount', (row) => row.amount, { unitOf: (row) => row.asset_id, isPlain: true }),
    ...moneyColumns<MovementValue>(`Value (${currency})`, currency, (row) => row.value, { isPlain: true }),
    plainColumn('From or to', ({ counterparty_name: name, counterparty_address: address }) =>
      name ? (
        <UntrustedText text={name} most={28} />
      ) : (
        <UntrustedText text={address} code most={16} none="not named" />
      ),
    ),
  ];
}
