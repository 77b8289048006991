// Who was paid in a span of time, and whether the whitelist held them then.
import type { DestinationUseTotal } from '../../../../packages/client/src/generated/types/api-types.ts';
import { counted } from '../../../domain/words.ts';
import { type Page, parametersOf } from '../page/page.ts';
import { Amount } from '../parts/amount.tsx';
import type { Source } from '../parts/for-programs.tsx';
import { ChoiceField, Filters, MomentField, TextField } from '../parts/form.tsx';
import { Jumps } from '../parts/jumps.tsx';
import { Moment } from '../parts/moment.tsx';
import { Notice } from '../parts/notice.tsx';
import { Table } from '../parts/table.tsx';
import { UntrustedText } from '../parts/text.tsx';
import { lastDays, lastMonth, lastWeek } from '../view/spans.ts';
import { sameWith, type View } from '../view/view.ts';
import { PaymentsTable } from './payments-table.tsx';

const shownAtOnce = 50;
const defaultDays = 7;

export const paymentsPage: Page = {
  path: '/documents/payments',
  section: 'documents',
  about: ['transactions', 'whitelist'],
  parameters: parametersOf(
    'listDestinationUses',
    'first_seen_from',
    'first_seen_to',
    'is_whitelisted',
    'asset_id',
    'status',
    'destination_id',
    'destination_address',
    'cursor',
  ),
  async show({ given, view, ask }) {
    const { account: _account, ...filters } = given;
    const { first_seen_from, first_seen_to, asset_id } = filters;
    const from = first_seen_from ?? lastDays(first_seen_to ?? view.now, view.zone, defaultDays).from;
    const query = { ...filters, first_seen_from: from, limit: shownAtOnce };
    const { data, next_cursor } = await ask('listDestinationUses', query);
    const isOfAll = ['status', 'destination_id', 'destination_address'].every((name) => !(name in filters));
    const sumsQuery = { first_seen_from: from, first_seen_to, asset_id, limit: 500 };
    // The next page is of the same time, also when its address is opened on another day.
    const pinned = { ...view, query: { ...view.query, first_seen_from: from } };
    const sums = isOfAll ? (await ask('listDestinationUseTotals', sumsQuery)).data : null;
    return {
      title: 'Who was paid',
      isPast: first_seen_to !== undefined && first_seen_to <= view.now,
      content: (
        <>
          <PaymentFilters view={pinned} />
          <PaymentJumps view={view} />
          <p>
            Payments first seen from <Moment view={view} at={from} />{' '}
            {first_seen_to === undefined ? (
              'until now'
            ) : (
              <>
                to <Moment view={view} at={first_seen_to} />
              </>
            )}
            .
          </p>
          {sums === null ? null : <Verdict view={view} sums={sums} />}
          <section id="payments">
            <PaymentsTable
              view={pinned}
              caption={captions[filters['is_whitelisted'] ?? ''] ?? 'Payments'}
              rows={data}
              empty="The mirror saw no such payment in this time."
              source={{ path: '/v1/destinations/uses', query }}
              next={next_cursor}
            />
          </section>
          {sums === null ? null : (
            <Sums
              view={view}
              sums={sums}
              source={{ path: '/v1/destinations/uses/totals', query: sumsQuery }}
            />
          )}
        </>
      ),
    };
  },
};

const captions: Readonly<Record<string, string>> = {
  true: 'Payments to the list',
  false: 'Payments off the list',
  unknown: 'Payments of which it is not known',
};

function PaymentFilters({ view }: { readonly view: View }) {
  return (
    <Filters view={view} label="Payments">
      <MomentField view={view} name="first_seen_from" label="From" />
      <MomentField view={view} name="first_seen_to" label="To" />
      <ChoiceField
        view={view}
        name="is_whitelisted"
        label="On the list when paid"
        options={[
          ['false', 'off the list'],
          ['unknown', 'not known'],
          ['true', 'on the list'],
        ]}
      />
      <TextField view={view} name="asset_id" label="Asset" />
      <TextField view={view} name="status" label="Status" />
      <TextField view={view} name="destination_id" label="Whitelist entry or destination" />
      <TextField view={view} name="destination_address" label="Address" />
    </Filters>
  );
}

function PaymentJumps({ view }: { readonly view: View }) {
  const { now, zone } = view;
  const spans = [
    ['Last 7 days', { from: null, to: null }],
    ['Last week, Monday to Sunday', lastWeek(now, zone)],
    ['Last 30 days', lastDays(now, zone, 30)],
    ['Last month', lastMonth(now, zone)],
  ] as const;
  const jumps = spans.map(([word, { from, to }]) => ({
    word,
    to: { first_seen_from: from, first_seen_to: to },
  }));
  return <Jumps view={view} jumps={jumps} />;
}

/** The answer in a sentence, of all payments of the time. What is not known is never left out. */
function Verdict({ view, sums }: { readonly view: View; readonly sums: readonly DestinationUseTotal[] }) {
  const total = (count: (row: DestinationUseTotal) => number) =>
    sums.reduce((sum, row) => sum + count(row), 0);
  const [all, off, unknown] = [
    total((row) => row.uses),
    total((row) => row.off_whitelist_uses),
    total((row) => row.unknown_whitelist_uses),
  ];
  if (all === 0) return null;
  const only = (state: string) => sameWith(view, { is_whitelisted: state, cursor: null });
  const doubt =
    unknown === 0 ? null : (
      <p>
        Of <a href={only('unknown')}>{counted(unknown, 'payment')}</a> it is not known whether the list held
        the destination.
      </p>
    );
  const title =
    off > 0
      ? `${counted(off, 'payment')} off the list`
      : unknown > 0
        ? 'No payment was certainly off the list'
        : 'Every payment went to the list';
  return (
    <Notice tone={off > 0 ? 'bad' : unknown > 0 ? 'note' : 'good'} title={title}>
      <p>
        Among {counted(all, 'payment')} of this time.{' '}
        {off > 0 && view.query['is_whitelisted'] !== 'false' ? (
          <a href={only('false')}>Show only those off the list</a>
        ) : null}
      </p>
      {doubt}
    </Notice>
  );
}

function offTheListFirst(sums: readonly DestinationUseTotal[]): readonly DestinationUseTotal[] {
  const rank = (row: DestinationUseTotal) =>
    row.off_whitelist_uses > 0 ? 0 : row.unknown_whitelist_uses > 0 ? 1 : 2;
  return sums.toSorted((a, b) => rank(a) - rank(b));
}

interface SumsProps {
  readonly view: View;
  readonly sums: readonly DestinationUseTotal[];
  readonly source: Source;
}

const none = <span class="soft">–</span>;

function Sums({ view, sums, source }: SumsProps) {
  return (
    <section id="sums">
      <Table
        view={view}
        cursorName="sums_cursor"
        caption="Sums by asset, of all payments of this time"
        noun="asset"
        columns={[
          {
            title: 'Asset',
            cell: (row) => <UntrustedText text={row.asset_name ?? row.asset_id} none="not told" most={80} />,
          },
          { title: 'Payments', isNumber: true, cell: (row) => row.uses },
          { title: 'Completed', isNumber: true, cell: (row) => row.completed_uses },
          {
            title: 'Completed amount',
            isNumber: true,
            cell: (row) => <Amount view={view} value={row.completed_amount} unit={row.asset_id} />,
          },
          { title: 'Off the list', isNumber: true, cell: (row) => row.off_whitelist_uses || none },
          {
            title: 'Completed off the list',
            isNumber: true,
            cell: (row) =>
              row.off_whitelist_uses === 0 ? (
                none
              ) : (
                <Amount view={view} value={row.off_whitelist_amount} unit={row.asset_id} />
              ),
          },
          { title: 'Not known', isNumber: true, cell: (row) => row.unknown_whitelist_uses || none },
          {
            title: 'Completed, not known',
            isNumber: true,
            cell: (row) =>
              row.unknown_whitelist_uses === 0 ? (
                none
              ) : (
                <Amount view={view} value={row.unknown_whitelist_amount} unit={row.asset_id} />
              ),
          },
        ]}
        rows={offTheListFirst(sums)}
        empty="No payment in this time."
        source={source}
      />
    </section>
  );
}
