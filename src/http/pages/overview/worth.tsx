// What is held in money: the sum with what it leaves out, where it lies, and how it moved in 30 days.
import type { Child } from 'hono/jsx';
import { counted } from '../../../domain/words.ts';
import type { Worth, WorthDay } from '../page/api.ts';
import { Chart } from '../parts/chart.tsx';
import { Choice } from '../parts/form.tsx';
import { negated, sumOf } from '../parts/sums.ts';
import { Link, Moment } from '../parts/values.tsx';
import type { Query } from '../view/view.ts';
import { type Days, type Overview, rowsOf } from './load.ts';
import { Money } from './parts.tsx';

export function WorthNow({ data }: { readonly data: Overview }) {
  const { worth, currency } = data;
  const rowOf = (type: string) =>
    worth.find((row) => row.vault_type === type && row.currency === currency) ?? null;
  const all = rowOf('all');
  if (all === null || currency === null) return null;
  const lying = (type: 'warm' | 'cold'): PartOfWorth => {
    const row = rowOf(type);
    // Nothing is listed there: that is nothing where it was observed.
    const isEmpty = row === null && data.split.every((each) => each[`${type}_is_known`] === null);
    const value = row === null ? (isEmpty ? '0' : null) : row.valued > 0 ? row.total_value : null;
    return { value, path: '/balances', query: { vault_type: type }, unknown: row?.unknown ?? 0 };
  };
  const ofAll = { path: '/balances', query: { vault_type: 'all' } };
  const parts: readonly (readonly [title: string, part: PartOfWorth])[] = [
    ['In warm vaults', lying('warm')],
    ['In cold vaults', lying('cold')],
    ['On its way', { value: all.processing_value, path: '/transactions', query: { is_open: 'true' } }],
    ['Staked', { value: all.staking_value, ...ofAll }],
    ['Claimable', { value: all.claimable_value, ...ofAll }],
  ];
  return (
    <section id="worth" class="worth" aria-labelledby="worth-title">
      <div>
        <h2 id="worth-title">Worth</h2>
        <p class="figure">
          <Money value={all.valued > 0 ? all.total_value : null} currency={currency} />
        </p>
        <SinceYesterday data={data} currency={currency} />
        <LeftOut row={all} />
        <Currencies data={data} />
      </div>
      <dl class="parts">
        {parts.map(([title, { value, path, query, unknown = 0 }]) => (
          <div>
            <dt>
              <Link to={[path, query]}>{title}</Link>
            </dt>
            <dd>
              <Money value={value} currency={currency} />
              <Share value={value} of={all.total_value} />
              {unknown === 0 ? null : (
                <span class="left-out"> without {counted(unknown, 'balance')} that could not be read</span>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

interface PartOfWorth {
  readonly value: string | null;
  readonly path: string;
  readonly query: Query;
  /** Balances that the value leaves out, because nobody knows them. */
  readonly unknown?: number;
}

/** For people only: the exact figures stand beside it. */
function Share({ value, of }: { readonly value: string | null; readonly of: string | null }) {
  if (value === null || of === null || Number(of) <= 0) return null;
  const percent = (100 * Number(value)) / Number(of);
  const text = percent > 0 && percent < 0.1 ? 'below 0.1' : percent.toFixed(1);
  return <span class="soft share"> {text} %</span>;
}

function SinceYesterday({ data, currency }: { readonly data: Overview; readonly currency: string }) {
  const { worthDays, days, worth } = data;
  const now = worth.find((row) => row.vault_type === 'all' && row.currency === currency);
  const then = rowsOf(worthDays).find(({ day }) => day === days.yesterday);
  const change = differenceOf(now, then);
  return (
    <p>
      {change === null ? (
        worthDays.state === 'pending' ? null : (
          <span class="soft">
            Since the <EndOfYesterday data={data} />: unknown, {whyUnknown(now, then)}.
          </span>
        )
      ) : (
        <>
          <Money value={change} currency={currency} signed />{' '}
          <span class="soft">
            since the <EndOfYesterday data={data} />, by movements and prices
          </span>
        </>
      )}
    </p>
  );
}

/** Leads to what was held then. */
function EndOfYesterday({ data: { days, currency } }: { readonly data: Overview }) {
  return <Link to={['/balances', { at: days.yesterday, currency }]}>end of yesterday</Link>;
}

type Figures = Pick<Worth, 'total_value' | 'without_price' | 'unknown'>;

function differenceOf(now: Figures | undefined, then: Figures | undefined): string | null {
  if (now === undefined || then === undefined) return null;
  if (now.without_price !== then.without_price || now.unknown + then.unknown > 0) return null;
  return sumOf([now.total_value, negated(then.total_value)]);
}

function whyUnknown(now: Figures | undefined, then: Figures | undefined): string {
  if (then === undefined) return 'nothing was observed or had a price yesterday';
  if ((now?.unknown ?? 0) + then.unknown > 0) return 'a balance could not be read';
  return 'not the same assets had prices';
}

/** What the sum leaves out, or that it leaves out nothing, and how old its prices are. */
function LeftOut({ row }: { readonly row: Worth }) {
  const { without_price, unknown, oldest_price_as_of } = row;
  const parts: Child[] = [];
  if (without_price > 0) parts.push(`${counted(without_price, 'asset')} without a price`);
  if (unknown > 0) parts.push(`${counted(unknown, 'balance')} that could not be read`);
  return (
    <p class={parts.length > 0 ? 'left-out' : 'soft'}>
      {parts.length > 0 ? <>Leaves out {parts.join(' and ')}.</> : <>Every asset held has a price.</>}{' '}
      {oldest_price_as_of === null ? null : (
        <span class="soft">
          The oldest price is of <Moment at={oldest_price_as_of} as="both" />.
        </span>
      )}
    </p>
  );
}

export function Currencies({ data }: { readonly data: Overview }) {
  const all = [...new Set(data.worth.map(({ currency }) => currency))];
  if (all.length < 2 && data.currency !== null) return null;
  return (
    <ul class="choices" aria-label="Currency">
      {all.map((currency) => (
        <li>
          <Choice name="currency" value={currency} word={currency} isChosen={currency === data.currency} />
        </li>
      ))}
    </ul>
  );
}

export function WorthChart({ data }: { readonly data: Overview }) {
  const { worthDays, currency, days } = data;
  if (currency !== null && worthDays.state === 'pending')
    return (
      <section id="worth-days" aria-label="Worth over 30 days">
        <p class="soft">The worth of the last 30 days is being computed: it is here in a moment.</p>
      </section>
    );
  const points = days.chart.map((day) => pointOf(day, rowsOf(worthDays), days));
  if (currency === null || points.filter(({ value }) => value !== null).length < 2) return null;
  const gaps = points.filter(({ value }) => value === null).length;
  return (
    <section id="worth-days" aria-label="Worth over 30 days">
      <Chart
        title="Worth over 30 days"
        moments={points.map(({ at }) => at)}
        series={[{ title: `Worth in ${currency}`, values: points.map(({ value }) => value) }]}
        unit={currency}
      >
        As last observed on each day, at its prices.
        {gaps === 0
          ? ''
          : ` ${counted(gaps, 'day')} unknown: nothing was observed, or an asset held had no price or could not be read.`}
      </Chart>
      <p>
        <Link to="/balances">What is held now</Link>
      </p>
    </section>
  );
}

/**
 * A day is a gap where its sum leaves out more than the one of the last day does: they cannot be compared.
 */
function pointOf(day: string, rows: readonly WorthDay[], { today, startOf }: Days) {
  const row = rows.find((each) => each.day === day);
  const last = rows.find((each) => each.day === today) ?? rows[0];
  const at = row?.observed_at ?? startOf(day);
  const isWhole =
    row !== undefined &&
    row.valued > 0 &&
    row.unknown === 0 &&
    row.without_price <= (last?.without_price ?? 0);
  return { at, value: isWhole ? row.total_value : null };
}
