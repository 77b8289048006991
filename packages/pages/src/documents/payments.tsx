// Payments in a span of time, and whether the whitelist held each destination when it was paid.
import type { DestinationUse, DestinationUseTotal } from '../api/ask.ts';
import { counted } from '../api/words.ts';
import { type Content, parametersOf } from '../page/page.ts';
import { AssetName } from '../parts/drawings.tsx';
import { choice, type Field, Filters, Jumps } from '../parts/form.tsx';
import { Badge, ListedBadge, Notice, statusJudgement } from '../parts/notice.tsx';
import { type Column, column, Table, type TableProps } from '../parts/table.tsx';
import { Link, Moment, TextLink, UntrustedText } from '../parts/values.tsx';
import { lastDays, lastMonth, lastWeek } from '../view/moments.ts';
import { entryPath, sameWith, transactionPath, type View, ViewProvider, withQuery } from '../view/view.ts';

const shownAtOnce = 50;
const defaultDays = 7;

const fields: readonly Field[] = [
  { name: 'first_seen_from', label: 'From', kind: 'moment' },
  { name: 'first_seen_to', label: 'To', kind: 'moment' },
  choice('is_whitelisted', 'Whitelisted when paid', {
    false: 'not whitelisted',
    unknown: 'not known',
    true: 'whitelisted',
  }),
  { name: 'asset_id', label: 'Asset' },
  { name: 'status', label: 'Status' },
  { name: 'destination_id', label: 'Whitelist entry or destination' },
  { name: 'destination_address', label: 'Address' },
];

export const paymentsPage: Content = {
  parameters: parametersOf('listDestinationUses', ...fields.map(({ name }) => name), 'cursor'),
  async show({ params, view, ask }) {
    const { first_seen_from, first_seen_to, asset_id } = params;
    const from = first_seen_from ?? lastDays(first_seen_to ?? view.now, view.zone, defaultDays).from;
    const query = { ...params, first_seen_from: from, limit: shownAtOnce };
    const found = await ask('listDestinationUses', query);
    const isOfAll = ['status', 'destination_id', 'destination_address'].every((name) => !(name in params));
    const sumsQuery = { first_seen_from: from, first_seen_to, asset_id, limit: 500 };
    // The next page covers the same time, even when its address is opened on another day.
    const pinned = withQuery(view, { first_seen_from: from });
    const sums = isOfAll ? (await ask('listDestinationUseTotals', sumsQuery)).data : null;
    return {
      title: 'Payees',
      isPast: first_seen_to !== undefined && first_seen_to <= view.now,
      content: [
        <div class="chips">
          <Jumps jumps={jumpsOf(view)} />
          <ViewProvider value={pinned}>
            <Filters label="Payments" fields={fields} />
          </ViewProvider>
        </div>,
        <p>
          Payments first seen from <Moment at={from} />
          {first_seen_to === undefined ? ' until now' : [' to ', <Moment at={first_seen_to} />]}.
        </p>,
        sums && verdict(sums, view),
        <ViewProvider value={pinned}>
          <PaymentsTable
            id="payments"
            caption={captions[params['is_whitelisted'] ?? ''] ?? 'Payments'}
            rows={found}
            empty="No such payment was observed in this time."
            source={{ path: '/v1/destinations/uses', query }}
          />
        </ViewProvider>,
        sums && (
          <Table
            id="sums"
            caption="Totals by asset, for all payments in this time"
            noun="asset"
            columns={sumColumns}
            rows={sums.toSorted((a, b) => rank(a) - rank(b))}
            empty="No payments in this time."
            source={{ path: '/v1/destinations/uses/totals', query: sumsQuery }}
          />
        ),
      ],
    };
  },
};

const captions: Readonly<Record<string, string>> = {
  true: 'Payments to whitelisted destinations',
  false: 'Payments to non-whitelisted destinations',
  unknown: 'Payments to destinations whose listing is not known',
};

function jumpsOf({ now, zone }: View) {
  const spans = [
    ['Last 7 days', { from: null, to: null }],
    ['Last week, Monday to Sunday', lastWeek(now, zone)],
    ['Last 30 days', lastDays(now, zone, 30)],
    ['Last month', lastMonth(now, zone)],
  ] as const;
  return spans.map(([word, { from, to }]) => [word, { first_seen_from: from, first_seen_to: to }] as const);
}

/** The answer in one sentence, about all payments of the time. Unknown ones are never left out. */
function verdict(sums: readonly DestinationUseTotal[], view: View) {
  const total = (uses: Uses) => sums.reduce((sum, row) => sum + row[uses], 0);
  const [all, off, unknown] = [total('uses'), total('non_whitelisted_uses'), total('unknown_whitelist_uses')];
  if (all === 0) return null;
  const only = (state: string) => sameWith(view, { is_whitelisted: state, cursor: null });
  const title = {
    bad: `${counted(off, 'payment')} to non-whitelisted destinations`,
    note: 'No payment is known to have gone to a non-whitelisted destination',
    good: 'Every payment went to a whitelisted destination',
  };
  const tone = off > 0 ? 'bad' : unknown > 0 ? 'note' : 'good';
  return (
    <Notice tone={tone} title={title[tone]}>
      <p>
        {counted(all, 'payment')} in this time.{' '}
        {off > 0 && view.query['is_whitelisted'] !== 'false' && <a href={only('false')}>Show only those</a>}
      </p>
      {unknown === 0 ? null : (
        <p>
          For <a href={only('unknown')}>{counted(unknown, 'payment')}</a> it is not known whether the
          destination was whitelisted.
        </p>
      )}
    </Notice>
  );
}

/** In the order of the attention they need. */
const rank = (row: DestinationUseTotal) =>
  row.non_whitelisted_uses > 0 ? 0 : row.unknown_whitelist_uses > 0 ? 1 : 2;

type Uses = 'uses' | 'non_whitelisted_uses' | 'unknown_whitelist_uses';
type Sum = 'completed_amount' | 'non_whitelisted_amount' | 'unknown_whitelist_amount';

const none = <span class="soft">–</span>;

/** Of the payments that are counted. */
function completedColumn(title: string, uses: Uses, sum: Sum): Column<DestinationUseTotal> {
  const none = (row: DestinationUseTotal) => (row[uses] === 0 ? '–' : 'unknown');
  return column.amount(title, (row) => (row[uses] === 0 ? null : row[sum]), { none });
}

const sumColumns: readonly Column<DestinationUseTotal>[] = [
  column.plain('Asset', (row) => <AssetName row={{ ...row, network_id: null }} />),
  column.number('Payments', (row) => row.uses),
  ...column.from<DestinationUseTotal>(
    1280,
    column.number('Completed', (row) => row.completed_uses),
  ),
  completedColumn('Completed amount', 'uses', 'completed_amount'),
  column.number('Not whitelisted', (row) => row.non_whitelisted_uses || none),
  completedColumn('Completed, not whitelisted', 'non_whitelisted_uses', 'non_whitelisted_amount'),
  column.number('Not known', (row) => row.unknown_whitelist_uses || none),
  ...column.from(
    1280,
    completedColumn('Completed, not known', 'unknown_whitelist_uses', 'unknown_whitelist_amount'),
  ),
];

const columns: readonly Column<DestinationUse>[] = [
  { title: 'When', isPlain: true, cell: whenOf },
  { title: 'Payee', isPlain: true, cell: paidTo },
  column.text('Address', (row) => row.destination_address, { code: true, most: 16, visible: true }),
  column.amount('Amount', (row) => row.amount, { unitOf: (row) => row.asset_id ?? row.asset_name }),
  column.plain('Status', ({ status, missing_since }) => [
    <Badge {...statusJudgement(status)} />,
    ' ',
    missing_since && <Badge word="no longer listed" tone="note" />,
  ]),
  { title: 'Whitelisted when paid', isPlain: true, cell: whitelisted },
];

interface PaymentsProps extends Omit<TableProps<DestinationUse>, 'columns' | 'noun'> {
  readonly isOfOne?: boolean;
}

export function PaymentsTable({ isOfOne = false, ...table }: PaymentsProps) {
  const shown = isOfOne ? columns.filter(({ title }) => title !== 'Payee') : columns;
  return <Table isLinked noun="payment" columns={shown} {...table} />;
}

function whenOf({ transaction_id: id, is_older_than_mirror, first_seen_at }: DestinationUse) {
  const seen = [is_older_than_mirror && 'before ', <Moment at={first_seen_at} as="short" />];
  return <Link to={transactionPath(id)}>{seen}</Link>;
}

/** The payee: the entry by its name where the payment names one. */
function paidTo({ destination_type: type, destination_id: id, destination_name: name }: DestinationUse) {
  return [
    <TextLink
      to={type === 'whitelist' && id ? entryPath(id) : null}
      text={name || id}
      none="not named"
      most={48}
      visible
    />,
    ' ',
    type !== 'whitelist' && <UntrustedText text={type} most={20} none="" />,
  ];
}

/** For an unknown one: what the readings around it showed. */
function whitelisted(row: DestinationUse) {
  const badge = <ListedBadge isWhitelisted={row.is_whitelisted} />;
  if (row.is_whitelisted === true) return badge;
  const reason = row.whitelist_reason.replace(/^unknown: /, '');
  const readings = row.is_whitelisted === null && [
    reading(row.whitelisted_before, 'before', row.known_before_at),
    reading(row.whitelisted_after, 'after', row.known_after_at),
  ];
  return [badge, ' ', <span class="soft">{[reason, readings]}</span>];
}

function reading(isListed: boolean | null, when: string, at: string | null) {
  if (at === null || isListed === null) return null;
  return [isListed ? '. Listed' : '. Not listed', ` ${when} it, at `, <Moment at={at} />];
}
