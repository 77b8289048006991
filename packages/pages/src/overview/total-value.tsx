// The total value of the holdings: the sum with what it leaves out, its change since the end of yesterday and
// over 30 days, and how it is distributed.
import type { PortfolioValue, PortfolioValueDay } from '../api/ask.ts';
import { counted } from '../api/words.ts';
import { AllocationBar, assetKey, Chart, LeftOut, type Share, StackedBar } from '../parts/drawings.tsx';
import { Choice } from '../parts/form.tsx';
import { Change, Link, type LinkProps, Money } from '../parts/values.tsx';
import { isSome, negated, productOf, sumOf } from '../view/numbers.ts';
import { Part } from './lists.tsx';
import { type Days, type Overview, pricesOf, valueIn } from './load.ts';

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
  const why = whyUnknown(now, then) ?? whyNotAlike(data);
  const change = why === null ? sumOf([now?.total_value ?? null, negated(then?.total_value ?? null)]) : null;
  const to = then === undefined ? null : (['/balances', { at: days.yesterday, currency }] as const);
  const end = <Link to={to}>end of yesterday</Link>;
  if (change === null)
    return (
      <p class="soft">
        Since the {end}: unknown{why === null ? '' : `, ${why}`}.
      </p>
    );
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

type Figures = Pick<PortfolioValue, 'total_value' | 'without_price' | 'unknown'>;

function whyUnknown(now: Figures | undefined, then: Figures | undefined): string | null {
  if (now === undefined || then === undefined) return 'no balance was observed or priced yesterday';
  if (now.unknown + then.unknown > 0) return 'a balance could not be read';
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
  return (
    <Chart
      title="Value over 30 days"
      moments={points.map(({ at }) => at)}
      series={[{ title: `Value in ${currency}`, values: points.map(({ value }) => value) }]}
      unit={currency}
      decimals={2}
      isSmall
    >
      {gaps === 0
        ? null
        : `${counted(gaps, 'day')} unknown: nothing was observed, or an asset held had no price or could not be read.`}
    </Chart>
  );
}

/** A day whose sum leaves out more than that of the last day is a gap: the two cannot be compared. */
function pointOf(day: string, rows: readonly PortfolioValueDay[], { today, startOf }: Days) {
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
        <StackedBar
          title="By vaults"
          whole={whole}
          shares={[inVaults('Warm', 'warm'), inVaults('Cold', 'cold')]}
        />
        <StackedBar title="By state" whole={whole} shares={byState} />
      </div>
    </Part>
  );
}
