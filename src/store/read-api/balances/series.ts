// The balances of one asset over a span of time, as a chart wants them: for each step the last observation in
// it, and a gap where nothing was observed for longer than was to be expected.
import { type SQL, sql } from 'drizzle-orm';
import { columnOf, namesOf } from '../../../domain/field.ts';
import { balanceAmounts } from '../../../domain/fields.ts';
import type { Tx } from '../../postgres/transaction.ts';
import { fieldColumns } from '../list/columns.ts';
import { equal, listOf } from '../list/list-of.ts';

/** A span has at most about so many steps. */
const mostSteps = 200;
const dayS = 86_400;
/** Lengths of steps, from a minute to half a year. From a day on, steps are days of the account. */
const stepSeconds = [
  ...[60, 300, 900, 1_800, 3_600, 7_200, 14_400, 21_600, 43_200],
  ...[1, 2, 4, 7, 14, 28, 91, 182].map((days) => days * dayS),
];

export const balanceSeries = listOf({
  name: 'balance-series',
  describedBy: 'reporting.balance_snapshots',
  columns: {
    starts_at: 'moment!',
    ends_at: 'moment!',
    vault_type: 'text!',
    asset_id: 'text!',
    asset_name: 'text',
    network_id: 'text!',
    network_name: 'text',
    state: 'text!',
    observed_at: 'moment',
    ...fieldColumns(balanceAmounts),
    gap_from: 'moment',
    gap_to: 'moment',
  },
  says: {
    starts_at: 'Where the step begins: the shortest length for which the span has at most about 200.',
    ends_at: 'Where the step ends. From a day on, steps are days of the account.',
    state:
      'observed; unreadable (the record could not be read, or none of the asset could be identified: the balance is unknown, not zero); not listed (the observation showed no such asset); or not observed (a gap).',
    observed_at: 'The last observation that was answered within the step (its snapshot_at); null in a gap.',
    gap_from: 'In a gap: the last observation before it; null when there is none.',
    gap_to: 'In a gap: the first observation after it; null while it lasts.',
  },
  from: ({ account, filters }) => ({
    item: sql`(${seriesOf(account, filters)}) as v`,
  }),
  filters: {
    asset_id: { column: 'asset_id', is: 'within' },
    ...equal('network_id', 'vault_type'),
    from: { column: 'starts_at', is: 'within' },
    to: { column: 'starts_at', is: 'within' },
  },
  orders: { starts_at: ['starts_at', 'vault_type', 'network_id'] },
});

const amounts = sql.join(
  namesOf(balanceAmounts).map((name) => {
    const column = sql.identifier(columnOf(name));
    return sql`trim_scale(case when u.is_unreadable is null then b.${column} end) as ${column}`;
  }),
  sql`, `,
);

function seriesOf(account: string, { asset_id: asset, from, to }: Readonly<Record<string, string>>): SQL {
  return sql`
    with asked as (
      select a.account_id, e.ends_at,
        greatest(coalesce(${from ?? null}::timestamptz, e.ends_at - interval '30 days'), a.first_seen_at - interval '1 day') as starts_at
      from custody.accounts a
      cross join lateral (select least(coalesce(${to ?? null}::timestamptz, now()), now()) as ends_at) as e
      where a.account_id = ${account}
    ),
    grid as (
      select k.*, coalesce((
        select min(s.seconds) from unnest(${sql.raw(`array[${stepSeconds.join()}]`)}) as s (seconds)
        where s.seconds * ${sql.raw(String(mostSteps))}::numeric >= extract(epoch from k.ends_at - k.starts_at)
      ), ${sql.raw(String(stepSeconds.at(-1)))}) as seconds from asked k
    ),
    steps as (${steps}),
    places as (${placesOf(account, asset ?? '')})
    select s.starts_at, s.ends_at, p.vault_type, ${asset ?? ''}::text as asset_id, b.asset_name, p.network_id, b.network_name,
      case when o.snapshot_at is null then 'not observed' when u.is_unreadable then 'unreadable'
        when b.is_listed then 'observed' when o.unidentified_count > 0 then 'unreadable' else 'not listed' end as state,
      o.snapshot_at as observed_at,
      ${amounts},
      g.gap_from, g.gap_to
    from steps s cross join places p
    left join lateral (
      select o.snapshot_at, o.unidentified_count from custody.balance_snapshots o
      where o.account_id = ${account} and o.vault_type = p.vault_type and o.answered_at >= s.starts_at and o.answered_at < s.ends_at
      order by o.answered_at desc, o.snapshot_at desc limit 1
    ) as o on true
    left join lateral (
      select true as is_listed, q.* from (
        select q.* from custody.balances q
        where q.account_id = ${account} and q.vault_type = p.vault_type and q.asset_id = ${asset ?? ''} and q.network_id = p.network_id
          and q.valid_from <= o.snapshot_at
        order by q.valid_from desc limit 1
      ) as q where q.valid_to is null or q.valid_to > o.snapshot_at
    ) as b on true
    left join lateral (
      select true as is_unreadable from custody.unreadable_balances q
      where q.account_id = ${account} and q.vault_type = p.vault_type and q.asset_id = ${asset ?? ''} and q.network_id = p.network_id
        and q.valid_from <= o.snapshot_at and coalesce(q.valid_to, 'infinity') > o.snapshot_at
    ) as u on true
    left join lateral (${gapOf(account)}) as g on true
    where o.snapshot_at is not null or g.is_gap`;
}

/** The steps of the span; the first and the last are cut at its ends. */
const steps = sql`
  select greatest(s.starts_at, s.from_at) as starts_at, least(s.ends_at, s.to_at) as ends_at,
    lag(s.starts_at) over (order by s.starts_at) as before_at
  from (
    select n.at as starts_at, n.at + make_interval(secs => g.seconds) as ends_at, g.starts_at as from_at, g.ends_at as to_at
    from grid g cross join lateral generate_series(
      date_bin(make_interval(secs => g.seconds), g.starts_at, timestamptz '2000-01-01 00:00:00Z'), g.ends_at, make_interval(secs => g.seconds)
    ) as n (at)
    where g.seconds < 86400
    union all
    select d.starts_at, lead(d.starts_at, 1, 'infinity') over (order by d.day), d.from_at, d.to_at
    from (
      select c.day, c.starts_at, g.starts_at as from_at, g.ends_at as to_at, row_number() over (order by c.day) - 1 as number, g.seconds / 86400 as days
      from grid g join reporting.calendar c on c.account_id = g.account_id and c.ends_at > g.starts_at and c.starts_at < g.ends_at
      where g.seconds >= 86400
    ) as d where d.number % d.days = 0
  ) as s
  where greatest(s.starts_at, s.from_at) < least(s.ends_at, s.to_at)`;

/**
 * The vault types and networks under which the asset was ever listed, by a few lookups in the primary key.
 */
function placesOf(account: string, asset: string): SQL {
  const next = (bound: SQL) => sql`(
    select min(b.network_id) from custody.balances b
    where b.account_id = ${account} and b.vault_type = v.vault_type and b.asset_id = ${asset} and ${bound})`;
  return sql`
    select v.vault_type, n.network_id from (values ('all'), ('warm'), ('cold')) as v (vault_type)
    cross join lateral (
      (with recursive known (network_id) as (
        select ${next(sql`true`)}
        union all
        select ${next(sql`b.network_id > k.network_id`)} from known k where k.network_id is not null
      ) select k.network_id from known k where k.network_id is not null)
      union
      select u.network_id from custody.unreadable_balances u
      where u.account_id = ${account} and u.vault_type = v.vault_type and u.asset_id = ${asset}
    ) as n`;
}

/**
 * Whether a step without an observation belongs to a gap, and is its first. An observation is late after the
 * time after which health calls it overdue (a day without a daemon), and after three times the distance
 * between the two before.
 */
function gapOf(account: string): SQL {
  return sql`
    select l.snapshot_at as gap_from, n.snapshot_at as gap_to,
      (s.before_at is null or l.answered_at >= s.before_at)
        and (l.answered_at is null or coalesce(n.answered_at, now()) - l.answered_at > greatest(
          coalesce((select e.max_age from sync.expectations e where e.account_id = ${account} and e.job = 'balances'), interval '1 day'),
          3 * (l.answered_at - l.before_at))) as is_gap
    from (select where o.snapshot_at is null) as i
    left join lateral (
      select q.snapshot_at, q.answered_at, (
        select w.answered_at from custody.balance_snapshots w
        where w.account_id = ${account} and w.vault_type = p.vault_type and w.answered_at < q.answered_at
        order by w.answered_at desc limit 1) as before_at
      from custody.balance_snapshots q
      where q.account_id = ${account} and q.vault_type = p.vault_type and q.answered_at < s.starts_at
      order by q.answered_at desc, q.snapshot_at desc limit 1
    ) as l on true
    left join lateral (
      select q.snapshot_at, q.answered_at from custody.balance_snapshots q
      where q.account_id = ${account} and q.vault_type = p.vault_type and q.answered_at >= s.ends_at
      order by q.answered_at, q.snapshot_at limit 1
    ) as n on true`;
}

/** Whether any observation ever listed the asset. */
export async function hasAsset(tx: Tx, account: string, asset: string): Promise<boolean> {
  const among = (table: string) => sql`exists (
    select from ${sql.raw(table)} b
    where b.account_id = ${account} and b.vault_type in ('all', 'warm', 'cold') and b.asset_id = ${asset})`;
  const { rows } = await tx.run('read.has-asset', (db) =>
    db.execute<{ found: boolean }>(
      sql`select ${among('custody.balances')} or ${among('custody.unreadable_balances')} as found`,
    ),
  );
  return rows[0]?.found === true;
}
