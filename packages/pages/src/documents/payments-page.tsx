// Payments in a span of time, and whether each destination was whitelisted when it was paid.

import { counted } from '../../../../src/domain/words.ts';
import type { DestinationUseTotal } from '../api/interface.ts';
import { type Page, parametersOf } from '../page/page.ts';
import { Amount } from '../parts/amount.tsx';
import { type Field, Filters, Jumps } from '../parts/form.tsx';
import { Notice } from '../parts/notice.tsx';
import { type Column, Table, textColumn } from '../parts/table.tsx';
import { Moment } from '../parts/values.tsx';
import { lastDays, lastMonth, lastWeek } from '../view/days.ts';
import { sameWith, useView, ViewProvider } from '../view/view.ts';
import { PaymentsTable } from './payments-table.tsx';

const shownAtOnce = 50;
const defaultDays = 7;

const fields: readonly Field[] = [
  { name: 'first_seen_from', label: 'From', kind: 'moment' },
  { name: 'first_seen_to', label: 'To', kind: 'moment' },
  {
    name: 'is_whitelisted',
    label: 'Whitelisted when paid',
    choices: Object.entries({ false: 'not whitelisted', unknown: 'not known', true: 'whitelisted' }),
  },
  { name: 'asset_id', label: 'Asset' },
  { name: 'status', label: 'Status' },
  { name: 'destination_id', label: 'Whitelist entry or destination' },
  { name: 'destination_address', label: 'Address' },
];

export const paymentsPage: Page = {
  path: '/documents/payments',
  section: 'documents',
  about: ['transactions', 'whitelist'],
  parameters: parametersOf('listDestinationUses', ...fields.map(({ name }) => name), 'cursor'),
  async show({ params, view, ask }) {
    const { first_seen_from, first_seen_to, asset_id } = params;
    const from = first_seen_from ?? lastDays(first_seen_to ?? view.now, view.zone, defaultDays).from;
    const query = { ...params, first_seen_from: from, limit: shownAtOnce };
    const { data, next_cursor } = await ask('listDestinationUses', query);
    const isOfAll = ['status', 'destination_id', 'destination_address'].every((name) => !(name in params));
    const sumsQuery = { first_seen_from: from, first_seen_to, asset_id, limit: 500 };
    // The next page is of the same time, also when its address is opened on another day.
    const pinned = { ...view, query: { ...view.query, first_seen_from: from } };
    const sums = isOfAll ? (await ask('listDestinationUseTotals', sumsQuery)).data : null;
    return {
      title: 'Payees',
      isPast: first_seen_to !== undefined && first_seen_to <= view.now,
      content: (
        <>
          <div class="chips">
            <PaymentJumps />
            <ViewProvider value={pinned}>
              <Filters label="Payments" fields={fields} />
            </ViewProvider>
          </div>
          <p>
            Payments first seen from <Moment at={from} />
            {first_seen_to === undefined ? ' until now' : [' to ', <Moment at={first_seen_to} />]}.
          </p>
          {sums && <Verdict sums={sums} />}
          <ViewProvider value={pinned}>
            <PaymentsTable
              id="payments"
              caption={captions[params['is_whitelisted'] ?? ''] ?? 'Payments'}
              rows={data}
              empty="No such payment was observed in this time."
              source={{ path: '/v1/destinations/uses', query }}
              next={next_cursor}
            />
          </ViewProvider>
          {sums && (
            <Table
              id="sums"
              caption="Totals by asset, for all payments in this time"
              noun="asset"
              columns={columns}
              rows={notWhitelistedFirst(sums)}
              empty="No payments in this time."
              source={{ path: '/v1/destinations/uses/totals', query: sumsQuery }}
            />
          )}
        </>
      ),
    };
  },
};

const captions: Readonly<Record<string, string>> = {
  true: 'Payments to whitelisted destinations',
  false: 'Payments to non-whitelisted destinations',
  unknown: 'Payments to destinations whose listing is not known',
};

function PaymentJumps() {
  const { now, zone } = useView();
  const jumps = [
    ['Last 7 days', { from: null, to: null }],
    ['Last week, Monday to Sunday', lastWeek(now, zone)],
    ['Last 30 days', lastDays(now, zone, 30)],
    ['Last month', lastMonth(now, zone)],
  ] as const;
  const ofSpan = ({ from, to }: (typeof jumps)[number][1]) => ({ first_seen_from: from, first_seen_to: to });
  return <Jumps jumps={jumps.map(([word, span]) => [word, ofSpan(span)])} />;
}

/** The answer in a sentence, of all payments of the time. What is not known is never left out. */
function Verdict({ sums }: { readonly sums: readonly DestinationUseTotal[] }) {
  const view = useView();
  const total = (uses: Uses) => sums.reduce((sum, row) => sum + row[uses], 0);
  const [all, off, unknown] = [total('uses'), total('non_whitelisted_uses'), total('unknown_whitelist_uses')];
  if (all === 0) return null;
  const only = (state: string) => sameWith(view, { is_whitelisted: state, cursor: null });
  const [tone, title] =
    off > 0
      ? (['bad', `${counted(off, 'payment')} to non-whitelisted destinations`] as const)
      : unknown > 0
        ? (['note', 'No payment is known to have gone to a non-whitelisted destination'] as const)
        : (['good', 'Every payment went to a whitelisted destination'] as const);
  return (
    <Notice tone={tone} title={title}>
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

function notWhitelistedFirst(sums: readonly DestinationUseTotal[]): readonly DestinationUseTotal[] {
  const rank = (row: DestinationUseTotal) =>
    row.non_whitelisted_uses > 0 ? 0 : row.unknown_whitelist_uses > 0 ? 1 : 2;
  return sums.toSorted((a, b) => rank(a) - rank(b));
}

type Uses = 'uses' | 'non_whitelisted_uses' | 'unknown_whitelist_uses';
type Sum = 'completed_amount' | 'non_whitelisted_amount' | 'unknown_whitelist_amount';

const none = <span class="soft">–</span>;

function countColumn(title: string, uses: Uses): Column<DestinationUseTotal> {
  return { title, isNumber: true, cell: (row) => row[uses] || none };
}

/** Of the payments that are counted. */
function completedColumn(title: string, uses: Uses, sum: Sum): Column<DestinationUseTotal> {
  const cell = (row: DestinationUseTotal) =>
    row[uses] === 0 ? none : <Amount value={row[sum]} unit={row.asset_id} />;
  return { title, isNumber: true, cell };
}

const columns: readonly Column<DestinationUseTotal>[] = [
  textColumn('Asset', (row) => row.asset_name ?? row.asset_id, { none: 'not sent', most: 80 }),
  { title: 'Payments', isNumber: true, cell: (row) => row.uses },
  { title: 'Completed', isNumber: true, cell: (row) => row.completed_uses },
  completedColumn('Completed amount', 'uses', 'completed_amount'),
  countColumn('Not whitelisted', 'non_whitelisted_uses'),
  completedColumn('Completed, not whitelisted', 'non_whitelisted_uses', 'non_whitelisted_amount'),
  countColumn('Not known', 'unknown_whitelist_uses'),
  completedColumn('Completed, not known', 'unknown_whitelist_uses', 'unknown_whitelist_amount'),
];
